"""What each pack is made of: the voice, and the sentences that number words are cut from.

Phrases are not here: they live in the pack's pack.json, and their fixed parts become clips by themselves.
`[…]` keeps the words of one clip; `$` in it makes the clip one for the end of an announcement.
"""

import functools
from dataclasses import dataclass
from typing import Callable

from . import british, english, french, hindi, indonesian, italian, mandarin, portuguese, reading, spanish
from .grammar import Grammar

@dataclass
class Inventory:
    blend: dict  # voice file: weight
    speed: float
    speak: Callable  # text -> phonemes and the span of each word in them
    carriers: list  # sentences with the kept words in brackets
    examples: dict  # what stands for a placeholder while a phrase is spoken
    stop: str  # what ends a sentence
    money: dict  # currency: minor units -> the amount in words, in the pack's own style
    never_alone: frozenset = frozenset()  # fixed parts of phrases that only longer clips say


def _digits(*texts):
    return {c for text in texts for c in text if c in reading.DIGITS + "两"}


def _free(scale, turn, *said):
    """A thousand or a hundred with a digit that the sentence does not say yet, another each turn."""
    digits = [d for d in "一两三四五六七八九" if d not in _digits(*said)]
    return digits[turn % len(digits)] + scale


def _mandarin(blend):
    intro = "支付宝到账，"
    number = reading.mandarin_integer
    tails = [f"{n:02}".rstrip("0") for n in range(1, 100)]
    tails = ["点" + "".join(reading.DIGITS[int(d)] for d in tail) + "元" for tail in tails]
    tails = [tail if "零" in tail else f"[{tail}$]" for tail in tails]
    carriers = []
    # Each two-digit end of a number, with a thousand and a hundred in front and one of the 99 fractions behind.
    for n in range(10, 100):
        end = ("一" if n < 20 else "") + number(n)
        thousand = _free("千", n, end)
        hundred = _free("百", n // 3, end, thousand)
        # 一十五 is put together from 一 and 十五, and 点零五 from 点, 零五 and 元: a pack has no room for all.
        end = f"[{end}]" if n > 19 else end
        carriers.append(f"[{thousand}][{hundred}]{end}{tails[n - 10]}")
    fractions = iter([*tails[90:], *tails[:90]])
    carriers += [f"[{number(n)}]{next(fractions)}" for n in range(10, 20)]
    for d in "一二三四五六七八九":
        carriers.append(f"[{d}]{next(fractions)}")
        carriers.append(f"{_free('千', 4, d)}[零{d}]{next(fractions)}")
    # 五 sounds otherwise before 元 than before 点: a third tone rises before another.
    carriers += [f"[{'两' if d == '二' else d}元$]" for d in "一二三四五六七八九"]
    carriers += [f"{_free('百', n, number(n))}[{number(n)}元$]" for n in range(15, 100, 10)]
    carriers += [f"[{d}{unit}]三千六百元" for d in "一两" for unit in "万亿"]
    carriers += ["三百[零]八元", "三千[零]六十点八元", "[两]角八分", "三百六十七[点]八元", "[零点]八元"]
    carriers += ["三十七[万]七千元", "五[亿]七千万元", "[零元$]", "三百六十七[元$]", "四百二十一[元$]", "六百八十[元$]"]
    carriers += ["三十七[万元$]", "五[亿元$]", "三百六十七[元]八角五分", "[两元]八角", "三百六十七元六[角]八分"]
    carriers += ["三百六十七元六[角$]", "三百六十七元[一角]八分", "[两角]八分"]
    carriers += [f"三百六十七元零[{d}分$]" for d in "一二两三四五六七八九"]
    carriers = [f"{intro}{carrier}。" for carrier in carriers]
    carriers += ["补播，十点十一[分]，支付宝到账，三百六十五点八元。", "补播，十点[整]，支付宝到账，三百六十五点八元。"]
    carriers += ["今日收款[一笔]，共三百六十五点八元。"]
    return Inventory(
        blend=blend,
        speed=0.9,
        speak=mandarin.speak,
        carriers=carriers,
        examples={
            "amount": "三百六十五点八元",
            "time": "十点十一分",
            "count": "十二",
            "digits": "四七二九",
            "volume": "三十",
            "payment": "支付宝到账，三百六十五点八元",
        },
        stop="。",
        money={"CNY": reading.mandarin_yuan},
    )


def _english():
    intro = "Alipay received, "
    words = reading.english_integer
    carriers = []
    # Each sentence gives two numbers, with a stop or an s behind both.
    for n in range(1, 51):
        unit = "pounds" if n % 2 else "dollars"
        rest = f" [{words(n + 50)}] cents" if n < 50 else " twenty cents"
        carriers.append(f"[{words(100 * (n % 9 + 1))}] [{words(n)}] [{unit} and]{rest}")
    carriers += ["[zero] pounds"]
    # The closed t of eight keeps apart what it stands before; the v of five does not.
    for scale, rest in (("thousand", "forty"), ("million", "two thousand"), ("billion", "two million")):
        carriers.append(f"sixty-eight [{scale}] {rest} yuan")
    carriers.append("sixty-eight [trillion] two billion yuan")
    majors = ["yuan", "dollars", "euros", "pounds", "rupees", "Hong Kong dollars", "dinars"]
    ones = ["dollar", "euro", "pound", "rupee", "Hong Kong dollar", "dinar"]
    carriers += [f"sixty-eight [{unit} and] twenty cents" for unit in majors if unit not in ("dollars", "pounds")]
    carriers += [f"one [{unit} and] twenty cents" for unit in ones]
    finals = [*majors, "yen", "fen", "cents", "pence", "paise", "fils"]
    carriers += [f"sixty-eight [{unit}]" for unit in finals]
    carriers += [f"one [{unit}]" for unit in [*ones, "cent", "penny", "paisa"]]
    carriers = [f"{intro}{carrier}." for carrier in carriers]
    late = f"{intro}sixty-five yuan."
    carriers += [f"Delayed notice, ten eleven [{half}], {late}" for half in ("AM", "PM")]
    carriers += [f"Delayed notice, ten [o'clock] AM, {late}", f"Delayed notice, ten [oh] five AM, {late}"]
    carriers += ["[one payment], total sixty-five yuan.", "Today, twelve [payments], total sixty-five yuan."]
    return Inventory(
        blend={"af_heart": 0.5, "af_bella": 0.5},
        speed=0.95,
        speak=english.speak,
        carriers=carriers,
        examples={
            "amount": "sixty-five yuan",
            "time": "ten eleven AM",
            "count": "twelve payments",
            "digits": "four seven two nine",
            "volume": "ten",
            "payment": "Alipay received, sixty-five yuan",
        },
        stop=".",
        money={code: functools.partial(reading.english_money, currency=code) for code in reading.MONEY},
    )


def _by_grammar(language, folder, described):
    """A language whose module has its sentences, with numbers in words from the pack's own grammar."""
    grammar = Grammar(folder, described.get("plurals", {}))
    rules = described["styles"][described["style"]]["rules"]
    return Inventory(
        blend=language.BLEND,
        speed=language.SPEED,
        speak=language.SPEECH.speak,
        carriers=list(language.carriers(lambda n, rule_set="%cardinal": grammar.read(rule_set, n))),
        examples=language.EXAMPLES,
        stop=".",
        money={code: functools.partial(grammar.read, rule) for code, rule in rules.items()},
        never_alone=getattr(language, "NEVER_ALONE", frozenset()),
    )


PACKS = {
    "zh-CN": lambda *_: _mandarin({"zf_xiaoxiao": 0.5, "zf_xiaoyi": 0.5}),
    "en": lambda *_: _english(),
    "en-GB": functools.partial(_by_grammar, british),
    "es": functools.partial(_by_grammar, spanish),
    "fr": functools.partial(_by_grammar, french),
    "hi": functools.partial(_by_grammar, hindi),
    "id": functools.partial(_by_grammar, indonesian),
    "it": functools.partial(_by_grammar, italian),
    "pt-BR": functools.partial(_by_grammar, portuguese),
}


def inventory(pack, folder, described):
    """What the pack named `pack`, with this folder and pack.json, is made of."""
    return PACKS[pack](folder, described)
