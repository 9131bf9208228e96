#!/usr/bin/python3
"""Proves the readings of the voice packs against independent oracles.

    swift build -c release && Tests/Readings/prove.py [--seed N] [--count N] [--packs DIR] [--soundbox FILE]

Every amount from 0.00 to 99,999.99 in both Mandarin styles, every whole number to a million in English, and random
larger ones to the limit of each, are read by `soundbox plan --stdin` and compared with

  - ICU's spell-out rules through python3-icu: `zh` %spellout-cardinal-alternate2 below 10^8 (above, it leaves out a 零),
    `en` %spellout-cardinal;
  - a reference of its own for the rest, which works on digit strings and knows nothing of rules or remainders.

The other languages follow in the same way, every public rule set of each: languages.py has their references, and says
of each difference from ICU whose it is.

The first differences of each part are printed, and the exit status is 1 where there are any. Needs Debian's python3-icu.
"""

import argparse
import itertools
import os
import random
import re
import subprocess
import sys
import tempfile

import icu

import languages

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
DIGITS = "零一二三四五六七八九"
DECIMALS = {"JPY": 0, "KWD": 3}


# --- Mandarin, from groups of digits ---------------------------------------------------------------------------------


def mandarin_integer(number):
    """Writes 个十百千 and 万 亿 behind every digit of a zero-filled string, then mends the text."""
    digits = str(number).zfill(12)
    text = ""
    for start, unit in ((0, "亿"), (4, "万"), (8, "")):
        group = digits[start : start + 4]
        written = "".join(DIGITS[int(d)] + (place if d != "0" else "") for d, place in zip(group, "千百十个"))
        text += written + (unit if group != "0000" else "")
    text = text.replace("个", "")
    text = re.sub("零+(?=[万亿])", "", text)
    text = re.sub("零+", "零", text).strip("零")
    text = re.sub("^一十", "十", text)
    text = re.sub("二(?=[百千])", "两", text)
    text = re.sub("(^|亿|亿零)二(?=[万亿])", r"\1两", text)
    return text or "零"


def counted(text):
    return "两" if text == "二" else text


def mandarin_decimal(integer, units, cents):
    fraction = f"{cents:02}".rstrip("0")
    if not fraction:
        return counted(integer) + "元"
    return integer + "点" + "".join(DIGITS[int(d)] for d in fraction) + "元"


def mandarin_jiaofen(integer, units, cents):
    jiao, fen = divmod(cents, 10)
    if units == 0 and cents == 0:
        return "零元"
    parts = [counted(integer) + "元"] if units else []
    if jiao:
        parts.append((DIGITS[jiao] if parts else counted(DIGITS[jiao])) + "角")
    if fen:
        parts.append(("零" if parts and not jiao else "") + (DIGITS[fen] if parts else counted(DIGITS[fen])) + "分")
    return "".join(parts)


# --- English ---------------------------------------------------------------------------------------------------------

NAMES = {  # one and many of the major unit, one and many of the minor one
    "CNY": ("yuan", "yuan", "fen", "fen"),
    "USD": ("dollar", "dollars", "cent", "cents"),
    "EUR": ("euro", "euros", "cent", "cents"),
    "GBP": ("pound", "pounds", "penny", "pence"),
    "INR": ("rupee", "rupees", "paisa", "paise"),
    "HKD": ("Hong Kong dollar", "Hong Kong dollars", "cent", "cents"),
    "JPY": ("yen", "yen", None, None),
    "KWD": ("dinar", "dinars", "fils", "fils"),
}
SMALL = """zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
seventeen eighteen nineteen""".split()
TENS = "_ _ twenty thirty forty fifty sixty seventy eighty ninety".split()


def english_integer(number):
    words = []
    groups = f"{number:,}".split(",")
    for group, name in zip(groups, ["", "thousand", "million", "billion", "trillion"][: len(groups)][::-1]):
        hundreds, rest = int(group) // 100, int(group) % 100
        if hundreds:
            words += [SMALL[hundreds], "hundred"]
        if rest >= 20:
            words.append(TENS[rest // 10] + ("-" + SMALL[rest % 10] if rest % 10 else ""))
        elif rest:
            words.append(SMALL[rest])
        if name and int(group):
            words.append(name)
    return " ".join(words) or "zero"


def english_amount(code, minor):
    one, many, minor_one, minor_many = NAMES[code]
    major, rest = divmod(minor, 10 ** DECIMALS.get(code, 2))
    parts = []
    if major or not rest:
        parts.append(f"{english_integer(major)} {one if major == 1 else many}")
    if rest:
        parts.append(f"{english_integer(rest)} {minor_one if rest == 1 else minor_many}")
    return " and ".join(parts)


# --- The comparison --------------------------------------------------------------------------------------------------


class Prover:
    def __init__(self, options):
        self.options = options
        self.compared = 0
        self.differences = 0

    def prove(self, what, language, arguments, cases):
        """Compares (line, expected) pairs with what the binary prints for the lines, a part at a time."""
        pack = os.path.join(self.options.packs, language)
        command = [self.options.soundbox, "plan", "--stdin", "--pack", pack, *arguments]
        cases = iter(cases)
        compared = differences = 0
        while part := list(itertools.islice(cases, 500_000)):
            text = "".join(line + "\n" for line, _ in part)
            result = subprocess.run(command, input=text, stdout=subprocess.PIPE, text=True, encoding="utf-8")
            readings = result.stdout.replace(languages.SOFT_HYPHEN, "").splitlines()
            wrong = [(line, said, read) for (line, said), read in zip(part, readings) if said != read]
            for line, said, read in wrong[: max(0, 5 - differences)]:
                print(f"{what}: {line}: expected {said}, read {read}", file=sys.stderr)
            compared += len(part)
            differences += len(wrong)
            if len(readings) != len(part) or result.returncode != 0:
                print(f"{what}: {len(readings)} of {len(part)} lines, status {result.returncode}", file=sys.stderr)
                differences += 1
        self.compared += compared
        self.differences += differences
        print(f"{'FAILED' if differences else 'ok':6} {compared:>10,} {what}", flush=True)

    def refuse(self, what, pack, arguments, line):
        """Checks that a number is refused for want of a clip, and not read in part."""
        command = [self.options.soundbox, "plan", "--stdin", "--pack", pack, *arguments]
        result = subprocess.run(command, input=line + "\n", stdout=subprocess.PIPE, text=True, encoding="utf-8")
        if result.returncode != 1 or not result.stdout.startswith("error: clip-missing"):
            self.fail(f"{what}: {line} is not refused: {result.stdout.strip()}")

    def fail(self, why):
        print(why, file=sys.stderr)
        self.differences += 1


def main():
    parser = argparse.ArgumentParser(description="Proves the readings of the voice packs.")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    parser.add_argument("--count", type=int, default=1_000_000, help="random amounts (default a million)")
    parser.add_argument("--packs", default=os.path.join(ROOT, "Resources", "Clips"))
    parser.add_argument("--soundbox", default=os.path.join(ROOT, ".build", "release", "soundbox"))
    options = parser.parse_args()
    print(f"seed {options.seed}, ICU {icu.ICU_VERSION}", flush=True)
    generator = random.Random(options.seed)
    prover = Prover(options)

    def random_minor(limit):
        """Every length of a number is as likely as another, and zeros are frequent."""
        digits = [generator.choice("0000123456789") for _ in range(generator.randint(1, len(str(limit))))]
        return min(int("".join(digits)), limit)

    chinese = icu.RuleBasedNumberFormat(icu.URBNFRuleSetTag.SPELLOUT, icu.Locale("zh"))

    def mandarin_by_icu(number):
        text = chinese.format(number, "%spellout-cardinal-alternate2")
        return "二" if text == "两" else text

    styles = [("decimal", mandarin_decimal), ("jiaofen", mandarin_jiaofen)]
    small = [mandarin_by_icu(number) for number in range(100_000)]
    for style, reference in styles:
        cases = (
            (f"{units}.{cents:02}", reference(small[units], units, cents))
            for units in range(100_000)
            for cents in range(100)
        )
        prover.prove(f"Mandarin, {style}, 0.00 to 99,999.99", "zh-CN", ["--style", style], cases)

    minors = [random_minor(99_999_999_999_999) for _ in range(options.count)]
    for style, reference in styles:
        cases = []
        for minor in minors:
            units, cents = divmod(minor, 100)
            integer = mandarin_integer(units)
            if units < 100_000_000 and units % 7 == 0 and mandarin_by_icu(units) != integer:
                sys.exit(f"the oracles differ at {units}: {mandarin_by_icu(units)}, {integer}")
            cases.append((f"{units}.{cents:02}", reference(integer, units, cents)))
        prover.prove(f"Mandarin, {style}, random to 999,999,999,999.99", "zh-CN", ["--style", style], cases)

    english = icu.RuleBasedNumberFormat(icu.URBNFRuleSetTag.SPELLOUT, icu.Locale("en"))
    numbers = list(range(1_000_001)) + [random_minor(999_999_999_999_999) for _ in range(options.count // 5)]
    cases = ((str(n), english.format(n, "%spellout-cardinal") + " yen") for n in numbers)
    prover.prove("English, whole numbers to 1,000,000 and random ones", "en", ["--currency", "JPY"], cases)

    for code in NAMES:
        decimals = DECIMALS.get(code, 2)
        minors = list(range(20_000)) + [random_minor(999_999_999_999_999) for _ in range(options.count // 20)]
        cases = []
        for minor in minors:
            digits = str(minor).zfill(decimals + 1)
            text = f"{digits[:-decimals]}.{digits[-decimals:]}" if decimals else digits
            cases.append((text, english_amount(code, minor)))
        prover.prove(f"English, amounts in {code}", "en", ["--currency", code], cases)

    with tempfile.TemporaryDirectory() as folder:
        languages.prove(prover, folder, random_minor)

    print(f"{prover.compared:,} readings compared, {prover.differences} differ")
    return 1 if prover.differences else 0


if __name__ == "__main__":
    sys.exit(main())
