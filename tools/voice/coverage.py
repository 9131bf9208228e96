"""Proves that a pack can say everything that it may have to: every word of every reading is covered by its clips.

    build/voice/venv/bin/python tools/voice/coverage.py Resources/Clips/zh-CN Resources/Clips/en
"""

import pathlib
import random
import sys

from soundpack import pack, reading
from soundpack.text import Cover

MANDARIN_DIGITS = 14  # the grammar ends at 999,999,999,999.99
ENGLISH_DIGITS = 15  # no notice has an amount with more
SEED = 20261130


def amounts(count, digits):
    """Minor units over the whole range: all small ones, then random ones of every length."""
    yield from range(10_000)
    dice = random.Random(SEED)
    for _ in range(count):
        minor = dice.randrange(10 ** dice.randint(1, digits))
        zeros = 10 ** dice.randint(0, 8)
        yield minor if dice.random() < 0.5 else minor // zeros * zeros
    yield 10**digits - 1


def mandarin_values():
    numbers = [*range(2000), *(10**n for n in range(3, 9))]
    styles = (reading.mandarin_yuan, reading.mandarin_jiaofen)
    return {
        "amount": [style(n) for n in amounts(100_000, MANDARIN_DIGITS) for style in styles],
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


VALUES = {"zh-CN": mandarin_values, "en": english_values}


def announcements(phrases, values):
    """Every value at the end of an announcement, then every phrase with some of the values in all its places."""
    for texts in values.values():
        yield from texts
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
    for text in announcements(said["phrases"], VALUES[said["id"]]()):
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
