"""What each pack is made of: the voice, and the sentences that number words are cut from.

Phrases are not here: they live in the pack's pack.json, and their fixed parts become clips by themselves.
`[…]` keeps the words of one clip; `$` in it makes the clip one for the end of an announcement.
"""

import functools
import re
from dataclasses import dataclass
from typing import Callable

from . import british, english, mandarin, reading, spanish
from .grammar import Grammar

REFERENCE = (880, 2650, 12345, 100065, 358240, 1702309)  # amounts, in fen


@dataclass
class Inventory:
    blend: dict  # voice file: weight
    speed: float
    speak: Callable  # text -> phonemes and the span of each word in them
    carriers: list  # sentences with the kept words in brackets
    examples: dict  # what stands for a placeholder while a phrase is spoken
    stop: str  # what ends a sentence
    reference: list  # announcements that the pack's loudness is measured on
    never_alone: frozenset = frozenset()  # fixed parts of phrases that only longer clips say


def _apart(kept, usual, instead):
    """The usual neighbour of the kept words, or another where it says a word of theirs: no sentence repeats itself."""
    return instead if set(kept) & set(usual) - set("十百千") else usual


def _mandarin():
    intro = "支付宝到账，"
    # What follows the kept words begins with a voiceless consonant wherever it can: that makes the cleanest cut.
    carriers = [f"[{d}千]{_apart(d, '八百', '三百')}七十六点八元" for d in "一两三四五六七八九"]
    carriers += [f"七千[{d}百]八十六点八元" for d in "一两三四五六七八九"]
    carriers += [f"[{reading.mandarin_integer(n)}]点八元" for n in range(10, 20)]
    for n in range(10, 100):
        tens = ("一" if n < 20 else "") + reading.mandarin_integer(n)
        carriers.append(f"四千{_apart(tens, '三百', '六百')}[{tens}]点八元")
    for d in "一二三四五六七八九":
        carriers.append(_apart(d, "六千七百八十", "一千四百二十") + f"[{d}]点{_apart(d, '三', '五')}元")
    carriers += ["三百[零]八元", "[两]角八分", "三百六十七[点]八元", "[零点]八元", "三十七[万]七千元", "五[亿]七千万元"]
    carriers += [f"[{d}{unit}]三千六百元" for d in "一两" for unit in "万亿"]
    carriers += ["[零元$]", "[两元$]", "三百六十七[元$]", "三十七[万元$]", "五[亿元$]", "三百六十七[元]八角五分", "[两元]八角"]
    carriers += ["三百六十七元六[角]八分", "三百六十七元六[角$]", "三百六十七元[一角]八分", "[两角]八分"]
    carriers += [f"三百六十七元零[{d}分$]" for d in "一二两三四五六七八九"]
    carriers = [f"{intro}{carrier}。" for carrier in carriers]
    carriers += ["补播，十点十一[分]，支付宝到账，三百六十五点八元。", "补播，十点[整]，支付宝到账，三百六十五点八元。"]
    carriers += ["今日收款[一笔]，共三百六十五点八元。"]
    return Inventory(
        blend={"zf_xiaoxiao": 0.5, "zf_xiaoyi": 0.5},
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
        reference=[intro + reading.mandarin_yuan(fen) for fen in REFERENCE],
    )


def _english():
    intro = "Alipay received, "
    words = reading.english_integer
    carriers = [f"four hundred [{words(n)}] pounds" for n in range(1, 100)]
    carriers += ["[zero] pounds"]
    carriers += [f"[{words(n)} hundred] sixty-five yuan" for n in range(1, 10)]
    # The closed t of eight keeps apart what it stands before; the v of five does not.
    for scale, rest in (("thousand", "forty"), ("million", "two thousand"), ("billion", "two million")):
        carriers.append(f"sixty-eight [{scale}] {rest} yuan")
    carriers.append("sixty-eight [trillion] two billion yuan")
    majors = ["yuan", "dollars", "euros", "pounds", "rupees", "Hong Kong dollars", "dinars"]
    ones = ["dollar", "euro", "pound", "rupee", "Hong Kong dollar", "dinar"]
    carriers += [f"sixty-eight [{unit} and] twenty cents" for unit in majors]
    carriers += [f"one [{unit} and] twenty cents" for unit in ones]
    finals = [*majors, "yen", "fen", "cents", "pence", "paise", "fils"]
    carriers += [f"three hundred sixty-eight [{unit}]" for unit in finals]
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
            "amount": "three hundred sixty-five yuan",
            "time": "ten eleven AM",
            "count": "twelve payments",
            "digits": "four seven two nine",
            "volume": "ten",
            "payment": "Alipay received, three hundred sixty-five yuan",
        },
        stop=".",
        reference=[intro + reading.english_money(fen, "CNY") for fen in REFERENCE],
    )


def _by_grammar(language, folder, described):
    """A language whose module has its sentences, with numbers in words from the pack's own grammar."""
    grammar = Grammar(folder, described.get("plurals", {}))
    rules = described["styles"][described["style"]]["rules"]
    money = next(iter(rules.values()))
    paid = [phrase for key, phrase in described["phrases"].items() if re.match(r"(payment|refund)\b(?!.generic)", key)]
    return Inventory(
        blend=language.BLEND,
        speed=language.SPEED,
        speak=language.SPEECH.speak,
        carriers=list(language.carriers(lambda n, rule_set="%cardinal": grammar.read(rule_set, n))),
        examples=language.EXAMPLES,
        stop=".",
        reference=[phrase.replace("{amount}", grammar.read(money, n)) for phrase in paid for n in REFERENCE],
        never_alone=getattr(language, "NEVER_ALONE", frozenset()),
    )


PACKS = {
    "zh-CN": lambda *_: _mandarin(),
    "en": lambda *_: _english(),
    "en-GB": functools.partial(_by_grammar, british),
    "es": functools.partial(_by_grammar, spanish),
}


def inventory(pack, folder, described):
    """What the pack named `pack`, with this folder and pack.json, is made of."""
    return PACKS[pack](folder, described)
