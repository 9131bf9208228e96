"""Numbers in words, written without regard to the packs' grammars: to speak examples, and to check the packs."""

DIGITS = "零一二三四五六七八九"

SMALL = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen"
).split()
TENS = "- - twenty thirty forty fifty sixty seventy eighty ninety".split()
# By currency: one and many of the major unit, then of the minor unit, and how many minor units make a major one.
MONEY = {
    "CNY": ("yuan", "yuan", "fen", "fen", 100),
    "USD": ("dollar", "dollars", "cent", "cents", 100),
    "EUR": ("euro", "euros", "cent", "cents", 100),
    "GBP": ("pound", "pounds", "penny", "pence", 100),
    "INR": ("rupee", "rupees", "paisa", "paise", 100),
    "HKD": ("Hong Kong dollar", "Hong Kong dollars", "cent", "cents", 100),
    "JPY": ("yen", "yen", "", "", 1),
    "KWD": ("dinar", "dinars", "fils", "fils", 1000),
}


def _mandarin_group(n):
    """1...9999, with 一十 in full."""
    text = ""
    for scale, unit in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit = n // scale % 10
        if digit:
            text += "两" if digit == 2 and scale >= 100 else DIGITS[digit]
            text += unit
        elif text and n % scale and not text.endswith("零"):
            text += "零"
    return text


def mandarin_integer(n):
    """An integer below 10^12 as a careful speaker reads it."""
    if n == 0:
        return "零"
    text = ""
    for scale, unit in ((10**8, "亿"), (10**4, "万"), (1, "")):
        group = n // scale % 10000
        if not group:
            continue
        gap = text and (group < 1000 or n // scale // 10000 % 10000 == 0)
        text += "零" if gap else ""
        text += ("两" if group == 2 and unit else _mandarin_group(group)) + unit
    return text.removeprefix("一") if text.startswith("一十") else text


def mandarin_yuan(fen):
    """Style `decimal`: 一百点零五元."""
    yuan, rest = divmod(fen, 100)
    if fen == 200:
        return "两元"
    decimals = f"{rest:02}".rstrip("0")
    return mandarin_integer(yuan) + ("点" + "".join(DIGITS[int(d)] for d in decimals) if decimals else "") + "元"


def mandarin_jiaofen(amount):
    """Style `jiaofen`: 一百元零五分."""
    yuan, jiao, fen = amount // 100, amount // 10 % 10, amount % 10
    if amount == 0:
        return "零元"
    text = ("两" if yuan == 2 else mandarin_integer(yuan)) + "元" if yuan else ""
    if jiao:
        text += ("两" if jiao == 2 and not yuan else DIGITS[jiao]) + "角"
    elif yuan and fen:
        text += "零"
    if fen:
        text += ("两" if fen == 2 and not yuan and not jiao else DIGITS[fen]) + "分"
    return text


def mandarin_time(minutes):
    hour, minute = divmod(minutes, 60)
    text = ("两" if hour == 2 else mandarin_integer(hour)) + "点"
    if not minute:
        return text + "整"
    return text + ("零" if minute < 10 else "") + mandarin_integer(minute) + "分"


def english_integer(n):
    if n < 20:
        return SMALL[n]
    if n < 100:
        return TENS[n // 10] + ("-" + SMALL[n % 10] if n % 10 else "")
    for scale, name in (
        (10**12, "trillion"), (10**9, "billion"), (10**6, "million"), (1000, "thousand"), (100, "hundred"),
    ):  # fmt: skip
        if n >= scale:
            rest = " " + english_integer(n % scale) if n % scale else ""
            return f"{english_integer(n // scale)} {name}{rest}"
    raise ValueError(n)


def english_money(minor, currency):
    """one hundred five yuan and sixty-five fen"""
    one, many, minor_one, minor_many, scale = MONEY[currency]
    major, rest = divmod(minor, scale)
    parts = []
    if major or not rest:
        parts.append(f"{english_integer(major)} {one if major == 1 else many}")
    if rest:
        parts.append(f"{english_integer(rest)} {minor_one if rest == 1 else minor_many}")
    return " and ".join(parts)


def english_time(minutes):
    hour, minute = divmod(minutes, 60)
    middle = "o'clock" if not minute else ("oh " if minute < 10 else "") + english_integer(minute)
    return f"{english_integer((hour + 11) % 12 + 1)} {middle} {'AM' if hour < 12 else 'PM'}"
