"""Mandarin: from Han characters to the model's phonemes, by a fixed table.

A converter guesses; it gets 一千, 一万 and 调到 wrong. The pack says few words, so each is listed with its pinyin.
"""

import re

from .text import is_word, pieces

LEXICON = """
零 ling2  一 yi1  二 er4  两 liang3  三 san1  四 si4  五 wu3  六 liu4  七 qi1  八 ba1  九 jiu3
十 shi2  百 bai3  千 qian1  万 wan4  亿 yi4  点 dian3  元 yuan2  角 jiao3  分 fen1  笔 bi3  整 zheng3
支付宝 zhi1 fu4 bao3  微信 wei1 xin4  云闪付 yun2 shan3 fu4  数字 shu4 zi4  人民币 ren2 min2 bi4  现金 xian4 jin1
刷卡 shua1 ka3  银行 yin2 hang2  转账 zhuan3 zhang4  到账 dao4 zhang4  收款 shou1 kuan3  退款 tui4 kuan3
成功 cheng2 gong1  您 nin2  有 you3  新 xin1  的 de5  预订 yu4 ding4  外卖 wai4 mai4  订单 ding4 dan1
报告 bao4 gao4  补播 bu3 bo1  重播 chong2 bo1  共 gong4  离线 li2 xian4  期间 qi1 jian1  今日 jin1 ri4
暂无 zan4 wu2  音箱 yin1 xiang1  已 yi3  启动 qi3 dong4  网络 wang3 luo4  连接 lian2 jie1  断开 duan4 kai1
配对码 pei4 dui4 ma3  绑定 bang3 ding4  音量 yin1 liang4  调到 tiao2 dao4  最大 zui4 da4  最小 zui4 xiao3
静音 jing4 yin1  取消 qu3 xiao1  这是 zhe4 shi4  一条 yi4 tiao2  测试 ce4 shi4  语音 yu3 yin1  记录 ji4 lu4
继续 ji4 xu4  按住 an4 zhu4  恢复 hui1 fu4  出厂 chu1 chang3  设置 she4 zhi4  设备 she4 bei4  正在 zheng4 zai4
更新 geng1 xin1  请勿 qing3 wu4  断电 duan4 dian4  出错 chu1 cuo4  请 qing3  联系 lian2 xi4  客服 ke4 fu2
"""

# 一 is yí before a fourth tone and yì before the others, but yī as a bare number (十一, 零一, 点一, 一点五, 一元).
YI = {"百": "yi4", "千": "yi4", "万": "yi2", "亿": "yi2", "角": "yi4", "分": "yi4", "笔": "yi4"}

# Number words that are one breath: the model reads a space as a boundary between words.
GROUP = re.compile("[一二两三四五六七八九][千百]|[一二三四五六七八九]?十[一二三四五六七八九]?")

INITIALS = {
    "b": "p", "p": "pʰ", "m": "m", "f": "f", "d": "t", "t": "tʰ", "n": "n", "l": "l", "g": "k", "k": "kʰ", "h": "x",
    "j": "ʨ", "q": "ʨʰ", "x": "ɕ", "zh": "ꭧ", "ch": "ꭧʰ", "sh": "ʂ", "r": "ɻ", "z": "ʦ", "c": "ʦʰ", "s": "s",
    "": "",
}  # fmt: skip

# Finals as they are spelt behind an initial; `*` is the place of the tone mark.
FINALS = {
    "a": "a*", "o": "wo*", "e": "ɤ*", "ai": "ai*", "ei": "ei*", "ao": "au*", "ou": "ou*", "an": "a*n", "en": "ə*n",
    "ang": "a*ŋ", "eng": "ə*ŋ", "ong": "ʊ*ŋ", "i": "i*", "ie": "je*", "iao": "jau*", "iu": "jou*", "ian": "jɛ*n",
    "in": "i*n", "iang": "ja*ŋ", "ing": "i*ŋ", "iong": "jʊ*ŋ", "u": "u*", "ua": "wa*", "uo": "wo*", "uai": "wai*",
    "ui": "wei*", "uan": "wa*n", "un": "wə*n", "uang": "wa*ŋ", "ü": "y*", "üe": "ɥe*", "üan": "ɥɛ*n", "ün": "y*n",
}  # fmt: skip

# Syllables without an initial, which pinyin spells with y and w.
WHOLE = {
    "yi": "i*", "wu": "u*", "yu": "y*", "er": "ɚ*", "ye": "je*", "yin": "i*n", "ying": "i*ŋ", "yue": "ɥe*",
    "yuan": "ɥɛ*n", "yun": "y*n", "you": "jou*", "yan": "jɛ*n", "yong": "jʊ*ŋ", "ya": "ja*", "yao": "jau*",
    "yang": "ja*ŋ", "wa": "wa*", "wo": "wo*", "wai": "wai*", "wei": "wei*", "wan": "wa*n", "wen": "wə*n",
    "wang": "wa*ŋ",
}  # fmt: skip

TONES = {"1": "→", "2": "↗", "3": "↓", "4": "↘", "5": ""}
MARKS = {"，": ", ", "。": "."}


def _read_lexicon():
    lexicon, word = {}, None
    for item in LEXICON.split():
        if item.isascii():
            lexicon[word].append(item)
        else:
            word = item
            lexicon[word] = []
    return lexicon


WORDS = _read_lexicon()


def syllable(pinyin):
    """The phonemes of one syllable, `zhang4`."""
    base, tone = pinyin[:-1], TONES[pinyin[-1]]
    if base in WHOLE:
        return WHOLE[base].replace("*", tone)
    initial = next(base[:n] for n in (2, 1, 0) if base[:n] in INITIALS)
    final = base[len(initial) :]
    if initial in ("j", "q", "x") and final.startswith("u"):
        final = "ü" + final[1:]
    if final == "i" and initial in ("zh", "ch", "sh", "r", "z", "c", "s"):
        return INITIALS[initial] + "ɨ" + tone
    return INITIALS[initial] + FINALS[final].replace("*", tone)


def segment(run):
    """A run of Han characters -> its words."""
    words, i = [], 0
    while i < len(run):
        group = GROUP.match(run, i)
        length = len(group[0]) if group else next((n for n in (3, 2, 1) if run[i : i + n] in WORDS), 0)
        if not length:
            raise SystemExit(f"voice: {run[i]} in {run}: no pinyin in mandarin.py")
        words.append(run[i : i + length])
        i += length
    return words


def read(run, i):
    """The pinyin of a character that is a word of its own, or part of a number."""
    if run[i] == "一" and run[i - 1 : i] != "十":
        return YI.get(run[i + 1 : i + 2], "yi1")
    return WORDS[run[i]][0]


def readings(run):
    """A run of Han characters -> [the pinyin of each character] of each of its words."""
    words, at = [], 0
    for word in segment(run):
        words.append(WORDS[word] if len(word) > 1 and word in WORDS else [read(run, at + k) for k in range(len(word))])
        at += len(word)
    return words


def pinyin(run):
    return [reading for word in readings(run) for reading in word]


def speak(text):
    """-> the phonemes of a text, and for each of its words (Han characters) the phonemes' (first, end)."""
    phonemes, spans, run = "", [], ""
    for piece in [*pieces(text), ""]:
        if piece and is_word(piece):
            run += piece
            continue
        for k, word in enumerate(readings(run)):
            phonemes += " " if k else ""
            for sound in map(syllable, word):
                spans.append((len(phonemes), len(phonemes) + len(sound)))
                phonemes += sound
        phonemes += MARKS[piece] if piece else ""
        run = ""
    return phonemes, spans
