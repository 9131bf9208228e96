"""What amount a recogniser's text says, by the readings of the pack."""

import difflib
import random
import re

from . import reading
from .grammar import Grammar

# What the recogniser is primed with: the form of an announcement, so that it writes amounts the way we compare them.
PROMPTS = {
    "zh-CN": "支付宝到账，一百零五点六五元。支付宝到账，两万三千零四十元。",
    "en": "Alipay received, one hundred five yuan and sixty-five fen. Alipay received, twenty-three thousand forty yuan.",
    "en-GB": "Payment received, 105 pounds and 65 pence. Payment received, 8 pence.",
    "es": "Pago recibido, 105 pesos con 65 centavos. Pago recibido, 8 centavos.",
    "fr": "Paiement reçu, 105 euros et 65 centimes. Paiement reçu, 8 centimes.",
    "it": "Pagamento ricevuto, 105 euro e 65 centesimi. Pagamento ricevuto, 8 centesimi.",
    "pt-BR": "Pix recebido, 105 reais e 65 centavos. Pix recebido, 8 centavos.",
    "id": "Pembayaran diterima, seratus lima ribu enam ratus rupiah. Pembayaran diterima, dua puluh tiga ribu rupiah.",
    "hi": "भुगतान मिला, 105 रुपये 65 पैसे। भुगतान मिला, 8 पैसे।",
}
# The words for a thousand, and what the major and the minor unit are written as.
UNITS = {
    "en-GB": ("thousand", r"pound|£", r"pence|penny|\dp\b"),
    "es": ("mil", r"peso|\$", r"centavo"),
    "fr": ("mille", r"euro|€", r"centime"),
    "it": ("mila|mille", r"euro|€", r"centesim"),
    "pt-BR": ("mil", r"rea[il]|r\$", r"centavo"),
    "id": ("ribu", r"rupiah|rp", r"\bsen\b"),
    "hi": ("हज़ार|हजार", r"रुप|₹", r"पैस"),
}
ALIKE = str.maketrans("點圆圓園塊員億萬兩〇幺", "点元元元元元亿万两零一")


def amounts(count, seed, whole=False):
    """Minor units, spread evenly over their length, a third of them whole; or rupiah, from a hundred to a million."""
    dice = random.Random(seed)
    for _ in range(count):
        length = dice.uniform(0, 6.9)
        minor = int(10**length)
        rounded = dice.random() < 0.3
        if whole:
            yield int(10 ** (2 + length * 4 / 6.9)) * 100
        else:
            yield max(minor // 100 * 100, 100) if rounded else minor


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


class Hearing:
    """Hears the announcements of a pack in the text that a recogniser writes."""

    def __init__(self, language, subject):
        self.prompt = PROMPTS[language]
        self.hear = {"zh-CN": hear_mandarin, "en": hear_english}.get(language)
        if self.hear:
            return
        self.thousand, self.major, self.minor = UNITS[language]
        self.joined = "" if language == "it" else " "
        grammar = Grammar(subject.folder, subject.described.get("plurals", {}))
        self.figures = {self._plain(grammar.read("%cardinal", n)): n for n in range(100_000 if language == "it" else 1000)}
        self.figures["un"] = 1
        self.longest = max(len(figure.split()) for figure in self.figures)
        self.spellings = sorted({w for figure in self.figures for w in figure.split()}) if language in ("hi", "id") else []

    def _plain(self, text):
        text = re.sub(r"(?<=\d)[., ](?=\d{3}\b)", "", text.lower().replace("\u00ad", self.joined).replace("-", self.joined))
        return " ".join(re.sub(r"[,.;:!?।]+", " ", text).split())

    def _spelled(self, word):
        """Where the recogniser's spelling is poor, the word of a number that it comes close to: tuju is tujuh."""
        return next(iter(difflib.get_close_matches(word, self.spellings, 1, 0.8)), word)

    def _figures(self, text):
        """The text with numbers below a thousand in figures."""
        spoken, written, i = [self._spelled(word) for word in text.split()], [], 0
        while i < len(spoken):
            for length in range(min(self.longest, len(spoken) - i), 0, -1):
                number = self.figures.get(" ".join(spoken[i : i + length]))
                if number is not None:
                    written.append(str(number))
                    break
            else:
                length = 1
                written.append(spoken[i])
            i += length
        return " ".join(written)

    def __call__(self, text, expected):
        """The amount's value, `expected` itself where the words are those of its reading; None where there is none."""
        minor, said = expected
        if self.hear:
            return self.hear(text)
        text = self._plain(text)
        front = text.removesuffix(self._plain(said))
        if front != text and not re.search(rf"\d|(?<!\w)({self.thousand})(?!\w)", self._figures(front)):
            return minor
        text = re.sub(
            rf"(?:\b(\d+) )?(?<!\w)(?:{self.thousand})(?!\w)(?: (?:and|e))?(?: (\d+))?",
            lambda match: str(int(match[1] or 1) * 1000 + int(match[2] or 0)),
            self._figures(text),
        )
        # 30 y 1: the words of 31, half in figures.
        text = re.sub(r"\b([1-9]0) [ye] ([1-9])\b", lambda match: str(int(match[1]) + int(match[2])), text)
        numbers = [int(number) for number in re.findall(r"\d+", text)]
        if not 1 <= len(numbers) <= 2:
            return None
        if len(numbers) == 1 and re.search(self.minor, text) and not re.search(self.major, text):
            return numbers[0]
        return numbers[0] * 100 + (numbers[1] if len(numbers) > 1 else 0)
