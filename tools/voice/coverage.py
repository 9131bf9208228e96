"""Proves that a pack can say everything that it may have to: every word of every reading is covered by its clips.

    build/voice/venv/bin/python tools/voice/coverage.py Resources/Clips/zh-CN Resources/Clips/en
"""

import pathlib
import random
import re
import sys

from soundpack import pack, reading
from soundpack.grammar import Grammar
from soundpack.text import Cover

MANDARIN_DIGITS = 14  # the grammar ends at 999,999,999,999.99
ENGLISH_DIGITS = 15  # no notice has an amount with more
AMOUNT_DIGITS = 14  # the grammars of the other languages end at 10^12 of the major unit
SEED = 20261130


def amounts(count, digits):
    """Minor units over the whole range: all small ones, then random ones of every length."""
    yield from range(10_000)
    dice = random.Random(SEED)
    for _ in range(count):
        minor = dice.randrange(10 ** dice.randint(1, digits))
        zeros = 10 ** dice.randint(0, 11)
        yield dice.choice([minor, minor // zeros * zeros, minor // zeros * zeros + dice.randrange(10_000)])
    yield 10**digits - 1


def mandarin_values():
    numbers = [*range(2000), *(10**n for n in range(3, 9))]
    return {
        "amount": [style(n) for n in amounts(100_000, MANDARIN_DIGITS) for style in (reading.mandarin_yuan, reading.mandarin_jiaofen)],
        "time": [reading.mandarin_time(n) for n in range(24 * 60)],
        "count": ["两" if n == 2 else reading.mandarin_integer(n) for n in numbers],
        "digits": ["".join(reading.DIGITS[int(d)] for d in f"{n:04}") for n in range(10_000)],
        "volume": [reading.mandarin_integer(n) for n in range(101)],
    }


def english_values():
    numbers = [*range(2000), *(10**n for n in range(3, 9))]
    return {
        "amount": [
            reading.english_money(n, currency) for n in amounts(20_000, ENGLISH_DIGITS) for currency in reading.MONEY
        ],
        "time": [reading.english_time(n) for n in range(24 * 60)],
        "count": [f"{reading.english_integer(n)} {'payment' if n == 1 else 'payments'}" for n in numbers],
        "digits": [" ".join(reading.SMALL[int(d)] for d in f"{n:04}") for n in range(10_000)],
        "volume": [reading.english_integer(n) for n in range(101)],
    }


def grammar_values(said, folder):
    """Of every other language: what the pack's own grammar reads, amounts in each currency up to its limit."""
    grammar = Grammar(folder, said.get("plurals", {}))
    numbers = {name: lambda n, rule=rule: grammar.read(rule, n) for name, rule in said["numbers"].items()}
    money = [rule for style in said["styles"].values() for rule in style["rules"].values()]
    return {
        "amount": [grammar.read(rule, n) for n in amounts(20_000, AMOUNT_DIGITS) for rule in money],
        "time": [numbers["time"](n) for n in range(24 * 60)],
        "count": [numbers["count"](n) for n in [*range(2000), *(10**n for n in range(3, 6))]],
        "digits": [" ".join(numbers["digits"](int(d)) for d in f"{n:04}") for n in range(10_000)],
        "volume": [numbers["volume"](n) for n in range(101)],
    }


VALUES = {"zh-CN": mandarin_values, "en": english_values}  # by language


def values(said, folder):
    written = VALUES.get(said["language"])
    return written() if written else grammar_values(said, folder)


def announcements(phrases, values):
    """Every value behind the words of a phrase in front of it, then every phrase with some values in all its places."""
    for name, texts in values.items():
        place = f"{{{name}}}"
        phrase = next(phrase for phrase in phrases.values() if place in phrase)
        front = re.split("[,，]", phrase.split(place)[0])[-1]
        yield from (front + text for text in texts)
    dice = random.Random(SEED)
    for phrase in phrases.values():
        phrase = phrase.replace("{payment}", phrases["payment"])
        for i in range(300 if "{" in phrase else 1):
            text = phrase
            for name, texts in values.items():
                # The small values in turn, since they have the exceptions; then any.
                text = text.replace(f"{{{name}}}", texts[i] if i < 100 else dice.choice(texts))
            yield text


def check(folder):
    """-> how many announcements were tried, those that cannot be said, and the clips that none of them used."""
    said = pack.read(folder)
    cover, known = Cover(said["clips"]), {*said["clips"], *said["pauses"]}
    tried, failures, used = 0, [], set()
    for text in announcements(said["phrases"], values(said, folder)):
        tried += 1
        plan = cover.plan(text)
        if plan is None or not known.issuperset(plan):
            failures.append(text)
        else:
            used.update(plan)
    return tried, failures, [key for key in said["clips"] if key not in used]


def main():
    failed = False
    for folder in map(pathlib.Path, sys.argv[1:]):
        tried, failures, unused = check(folder)
        print(f"{folder}: {tried} announcements, {len(failures)} cannot be said, {len(unused)} clips never used")
        for line in failures[:10]:
            print(f"    cannot say: {line}")
        if unused:
            print(f"    never used: {' '.join(unused)}")
        failed |= bool(failures or unused)
    sys.exit(failed)


main()
