"""Reads a pack's announcements back with an offline recogniser (Whisper base through faster-whisper).

    build/voice/venv/bin/pip install -r tools/voice/requirements-check.txt
    build/voice/venv/bin/python tools/voice/check.py --recogniser DIR Resources/Clips/zh-CN [--count 60] [--seed 5]
"""

import argparse
import functools
import os
import pathlib
import random
import re

os.environ["HF_HUB_OFFLINE"] = "1"  # the recogniser is a folder; nothing is fetched

import numpy as np
from faster_whisper import WhisperModel
from scipy.signal import resample_poly
from soundpack import master, pack, reading
from soundpack.announce import Announcer, load_clips
from soundpack.grammar import Grammar

# What the recogniser is primed with: the form of an announcement, so that it writes amounts the way we compare them.
PROMPTS = {
    "zh-CN": "支付宝到账，一百零五点六五元。支付宝到账，两万三千零四十元。",
    "en": "Alipay received, one hundred five yuan and sixty-five fen. Alipay received, twenty-three thousand forty yuan.",
}
# Of every other language: the prompt, the word for a thousand, and what the units of its first currency are written as.
LANGUAGES = {
    "en-GB": ("Payment received, 105 pounds and 65 pence. Payment received, 8 pence.", "thousand", r"pound|£", r"pence|penny|\dp\b"),
    "es": (
        "Pago recibido, 105 pesos con 65 centavos. Pago recibido, 8 centavos.", "mil", r"peso|\$", r"centavo",
    ),
}  # fmt: skip
ALIKE = str.maketrans("點圆圓園塊员億萬兩〇幺", "点元元元元元亿万两零一")


def amounts(count, seed):
    """Minor units, spread evenly over their length; a third of them whole."""
    dice = random.Random(seed)
    for _ in range(count):
        minor = int(10 ** dice.uniform(0, 6.9))
        yield max(minor // 100 * 100, 100) if dice.random() < 0.3 else minor


def mandarin_value(text):
    """An integer in Han digits -> its value."""
    total = section = digit = 0
    for character in text:
        if character in "零一二三四五六七八九":
            digit = "零一二三四五六七八九".index(character)
        elif character == "两":
            digit = 2
        elif character in "十百千":
            section += (digit or 1) * {"十": 10, "百": 100, "千": 1000}[character]
            digit = 0
        elif character in "万亿":
            total = (total + section + digit) * {"万": 10**4, "亿": 10**8}[character]
            section = digit = 0
    return total + section + digit


def hear_mandarin(text):
    """What amount, in fen, a recognised sentence says; None where it says none."""
    text = re.sub(r"[,，\s]", "", text).translate(ALIKE)
    written = [match for match in re.finditer(r"\d+(?:万\d*)?(?:[.点]\d+)?", text)]
    if written:
        whole, _, decimals = written[-1][0].replace("点", ".").partition(".")
        high, _, low = whole.partition("万")
        value = int(high) * 10**4 + int(low or 0) if "万" in whole else int(whole)
        return value * 100 + int(f"{decimals}00"[:2])
    spoken = re.findall(r"([零一二三四五六七八九十百千万亿两]+)(?:点([零一二三四五六七八九]+))?", text)
    if not spoken:
        return None
    whole, decimals = max(spoken, key=lambda parts: len(parts[0]) + len(parts[1]))
    return mandarin_value(whole) * 100 + int(("".join(str(mandarin_value(d)) for d in decimals) + "00")[:2])


def hear_english(text):
    """The same for English: numbers in words or figures, yuan before fen."""
    text = text.lower().replace(",", "").replace("-", " ")
    names = {word: n for n, word in enumerate(reading.SMALL)}
    names |= {word: 10 * n for n, word in enumerate(reading.TENS) if n > 1}
    total = section = last = 0
    numbers = []
    for word in [*re.findall(r"\d+(?:\.\d+)?|[a-z]+", text), ""]:
        if re.fullmatch(r"\d+", word):
            section += int(word)
        elif re.fullmatch(r"\d+\.\d+", word):
            whole, decimals = word.split(".")
            numbers += [int(whole), int(f"{decimals}00"[:2])]
        elif word in names:
            section += names[word]
        elif word == "hundred":
            section *= 100
        elif word in ("thousand", "million"):
            total += section * (1000 if word == "thousand" else 10**6)
            section = 0
        elif total or section or last:
            numbers.append(total + section)
            total = section = 0
        last = word in names or word.isdigit()
    if not numbers:
        return None
    only_fen = "fen" in text and "yuan" not in text and not re.search(r"\d\.\d", text)
    return numbers[0] if only_fen else numbers[0] * 100 + (numbers[1] if len(numbers) > 1 else 0)


class Hearer:
    """What amount, in minor units, a recognised sentence says, by the readings of the pack's own grammar."""

    def __init__(self, language, read):
        _, self.thousand, self.major, self.minor = LANGUAGES[language]
        self.figures = {self._plain(read("%cardinal", n)): n for n in range(1000)}
        self.spelled = re.compile(rf"\b(?:{'|'.join(sorted(self.figures, key=len, reverse=True))})\b")

    @staticmethod
    def _plain(text):
        text = re.sub(r"(?<=\d)[.,](?=\d{3}\b)", "", text.lower().replace("-", " "))
        return re.sub(r"[,.;:!?]+", " ", text)

    def __call__(self, text, expected):
        """The amount's value, `expected` itself where the words are those of its reading; None where there is none."""
        minor, said = expected
        text = " ".join(self._plain(text).split())
        front = text.removesuffix(" ".join(self._plain(said).split()))
        if front != text and not self.spelled.search(front) and not re.search(rf"\d|\b{self.thousand}\b", front):
            return minor
        text = self.spelled.sub(lambda match: str(self.figures[match[0]]), text)
        text = re.sub(
            rf"(?:\b(\d+) )?\b{self.thousand}\b(?: and)?(?: (\d+))?",
            lambda match: str(int(match[1] or 1) * 1000 + int(match[2] or 0)),
            text,
        )
        numbers = [int(number) for number in re.findall(r"\d+", text)]
        if not 1 <= len(numbers) <= 2:
            return None
        if len(numbers) == 1 and re.search(self.minor, text) and not re.search(self.major, text):
            return numbers[0]
        return numbers[0] * 100 + (numbers[1] if len(numbers) > 1 else 0)


def listener(described, folder):
    """-> what the recogniser is primed with, how an amount reads, what a recognised text says, the phrase's key"""
    language = described["language"]
    if language == "zh-CN":
        return PROMPTS[language], reading.mandarin_yuan, lambda text, _: hear_mandarin(text), "payment.alipay"
    if language == "en":
        read = functools.partial(reading.english_money, currency="CNY")
        return PROMPTS[language], read, lambda text, _: hear_english(text), "payment.alipay"
    grammar = Grammar(folder, described.get("plurals", {}))
    money = next(iter(described["styles"][described["style"]]["rules"].values()))
    read = functools.partial(grammar.read, money)
    return LANGUAGES[language][0], read, Hearer(language, grammar.read), "payment"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pack", type=pathlib.Path)
    parser.add_argument("--recogniser", required=True, metavar="DIR")
    parser.add_argument("--count", type=int, default=60)
    parser.add_argument("--seed", type=int, default=5)
    options = parser.parse_args()

    described = pack.read(options.pack)
    announcer = Announcer(described, load_clips(options.pack, described))
    prompt, read, hear, phrase = listener(described, options.pack)
    model = WhisperModel(options.recogniser, device="cpu", compute_type="int8", cpu_threads=2)
    right, levels = 0, []
    for minor in amounts(options.count, options.seed):
        said = described["phrases"][phrase].replace("{amount}", read(minor))
        samples, plan = announcer.say(said)
        levels.append(master.loudness(samples))
        padded = np.pad(samples, int(0.2 * master.RATE))
        segments, _ = model.transcribe(
            resample_poly(padded, 2, 3).astype(np.float32),
            language=described["language"][:2],
            beam_size=5,
            temperature=0,
            condition_on_previous_text=False,
            without_timestamps=True,
            initial_prompt=prompt,
        )
        heard = "".join(segment.text for segment in segments)
        if hear(heard, (minor, read(minor))) == minor:
            right += 1
        else:
            print(f"    said {said}  heard {heard.strip()}  clips {' '.join(plan)}")
    print(
        f"{options.pack}: {right} of {options.count} amounts read back exactly (seed {options.seed}); "
        f"announcements {min(levels):.1f} to {max(levels):.1f} LUFS"
    )


main()
