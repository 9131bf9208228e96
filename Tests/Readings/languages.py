"""References for the languages whose whole numbers ICU reads, and packs to prove their grammars with.

A plain number is ICU's reading, mended where ICU is wrong or where two ways are right and ours is the other; each
mend says which. An amount puts such a number and the names of the units together from the digits as text. The packs
are made of the grammar's own words, so they need no recordings, and so a part of a word between two substitutions is
found: no clip would say the whole.
"""

import json
import os
import re

import icu

SOFT_HYPHEN = "\u00ad"


def spellout(locale, rule_set):
    formatter = icu.RuleBasedNumberFormat(icu.URBNFRuleSetTag.SPELLOUT, icu.Locale(locale))
    return lambda number: formatter.format(number, rule_set).replace(SOFT_HYPHEN, "")


def amount_of(one, many, minor_one, minor_many, joint, cardinal, minor_cardinal=None, of=None, zero=None):
    """A reference for amounts: `of` is what many becomes behind whole millions; zero is the unit behind 0."""

    def read(digits):
        major, minor = digits[:-2].lstrip("0"), digits[-2:].lstrip("0")
        parts = []
        if major:
            unit = one if major == "1" else of if of and major.endswith("000000") else many
            parts.append(f"{cardinal(int(major))} {unit}")
        if minor:
            unit = minor_one if minor == "1" else minor_many
            parts.append(f"{(minor_cardinal or cardinal)(int(minor))} {unit}")
        return joint.join(parts) or f"{cardinal(0)} {zero or many}"

    return read


def counted(one, many, cardinal, zero=None):
    return lambda number: f"{cardinal(number)} {one if number == 1 else zero or many if number == 0 else many}"


def twelve(hour):
    return (hour + 11) % 12 + 1


# --- British English -------------------------------------------------------------------------------------------------

# ICU has a comma between groups, from 100,000 on: ours leaves out the pause.
_verbose = spellout("en_GB", "%spellout-cardinal-verbose")


def english(number):
    return _verbose(number).replace(",", "")


def english_time(hour, minute):
    minutes = "o'clock" if minute == 0 else ("oh " if minute < 10 else "") + english(minute)
    return f"{english(twelve(hour))} {minutes} {'AM' if hour < 12 else 'PM'}"


# --- Spanish ---------------------------------------------------------------------------------------------------------

spanish = spellout("es", "%spellout-numbering")
spanish_masculine = spellout("es", "%spellout-cardinal-masculine")
_feminine = spellout("es", "%spellout-cardinal-feminine")


def spanish_feminine(number):
    """ICU has "doscientos mil libras": wrong, hundreds agree with the noun through mil (not through millones)."""
    head, million, tail = re.fullmatch("(?:(.*)(mill(?:ón|ones)))?(.*)", _feminine(number)).groups()
    return (head or "") + (million or "") + re.sub("(cient|quinient)os", r"\1as", tail)


def spanish_time(hour, minute):
    part = "noche madrugada mañana día tarde noche".split()[
        (hour >= 1) + (hour >= 6) + (hour >= 12) + (hour >= 13) + (hour >= 19)
    ]
    minutes = {0: "en punto", 15: "y cuarto", 30: "y media"}.get(minute) or "y " + spanish(minute)
    hours = "la una" if twelve(hour) == 1 else "las " + spanish(twelve(hour))
    return f"{hours} {minutes} {'del' if part == 'día' else 'de la'} {part}"


# --- Brazilian Portuguese --------------------------------------------------------------------------------------------

_portuguese = spellout("pt", "%spellout-cardinal-masculine")


def portuguese(number):
    """ICU writes e in front of all that follows milhão and ends in 00: "um milhão e cento e dez mil", "um milhão e dez
    mil e cem". Ours is the grammarians' rule: only in front of the last group, below 100 or a whole hundred."""
    if number < 1_000_000 or number % 100:
        return _portuguese(number)
    groups = [(int(group), place) for place, group in enumerate(reversed(f"{number:,}".split(","))) if int(group)]
    text = ""
    for group, place in reversed(groups):
        if text:
            text += " e " if place == groups[0][1] and (group < 100 or group % 100 == 0) else " "
        text += _portuguese(group * 1000**place)
    return text


def portuguese_time(hour, minute):
    hours = {0: "zero", 1: "uma", 2: "duas", 21: "vinte e uma", 22: "vinte e duas"}.get(hour) or portuguese(hour)
    text = f"{hours} hora{'s' * (hour > 1)}"
    return text + (f" e {portuguese(minute)} minuto{'s' * (minute > 1)}" if minute else "")


# --- French ----------------------------------------------------------------------------------------------------------

_french = spellout("fr", "%spellout-cardinal-masculine")


def french(number):
    """ICU has "deux cent millions" and "quatre-vingt milliards": wrong, these are nouns, unlike mille."""
    counted_hundred = "((?:deux|trois|quatre|cinq|six|sept|huit|neuf) cent|quatre-vingt)"
    return re.sub(f"{counted_hundred}(?= milli(?:on|ard)s)", r"\1s", _french(number))


def french_time(hour, minute):
    hours, minutes = (re.sub(r"\bun$", "une", french(value)) for value in (hour, minute))
    return f"{hours} heure{'s' * (hour > 1)}" + (f" {minutes}" if minute else "")


# --- Italian ---------------------------------------------------------------------------------------------------------

_italian = spellout("it", "%spellout-numbering")


def italian(number):
    text = _italian(number)
    # ICU's mistakes: "milletre" at the end of a word, "centoventitrémila" in the middle of one.
    text = re.sub(r"(?<=\w)tre\b", "tré", text)
    text = text.replace("trémila", "tremila")
    # Both are right, and ICU has both: "ventunmila", but "centoventunomila". Ours is the first, everywhere.
    text = re.sub("(?<=nt)unomila", "unmila", text)
    # Both are right: "ventun milioni" is ICU's, "ventuno milioni" is what most say.
    return re.sub(r"(?<=\w)un (?=mili)", "uno ", text)


def italian_masculine(number):
    """Un only by itself: "un euro", "un milione un euro", and "ventuno euro", where ICU has "ventun"."""
    return re.sub(r"(^|\s)uno$", r"\1un", italian(number))


def italian_time(hour, minute):
    hours = "una" if hour == 1 else italian(hour)
    return f"ore {hours}" + (f" e {italian(minute)}" if minute else "")


# --- Hindi -----------------------------------------------------------------------------------------------------------

_hindi = spellout("hi", "%spellout-cardinal")


def hindi(number):
    """From 10^9 on ICU has अरब and खरब; ours counts crores, as banks do. Both are right."""
    if number < 10**9:
        return _hindi(number)
    crores, rest = str(number)[:-7], int(str(number)[-7:])
    return f"{_hindi(int(crores))} करोड़" + (f" {_hindi(rest)}" if rest else "")


def hindi_time(hour, minute):
    part = "रात सुबह दोपहर शाम रात".split()[(hour >= 4) + (hour >= 12) + (hour >= 16) + (hour >= 20)]
    return f"{part} {hindi(twelve(hour))} " + (f"बजकर {hindi(minute)} मिनट" if minute else "बजे")


# --- Indonesian ------------------------------------------------------------------------------------------------------

_indonesian = spellout("id", "%spellout-cardinal")


def indonesian(number):
    """ICU's zero is kosong, "empty", which is said in telephone numbers; of an amount it is nol."""
    return _indonesian(number) if number else "nol"


def indonesian_time(hour, minute):
    return f"pukul {indonesian(hour)}" + (f" lewat {indonesian(minute)} menit" if minute else "")


# --- The languages ---------------------------------------------------------------------------------------------------


class Language:
    """What a pack of the language names, and the reference of each of its rule sets."""

    def __init__(self, plurals, cardinal, count, time, amounts, six=None):
        self.plurals = {"one": plurals} if plurals else {}
        self.cardinal, self.count, self.time, self.six = cardinal, count, time, six
        self.amounts = amounts  # by currency, the rule set and the reference


LANGUAGES = {
    "en-GB": Language(
        "i = 1 and v = 0",
        english,
        counted("payment", "payments", english),
        english_time,
        {
            "GBP": ("%pounds-pence", amount_of("pound", "pounds", "penny", "pence", " and ", english)),
            "EUR": ("%euros-cents", amount_of("euro", "euros", "cent", "cents", " and ", english)),
            "USD": ("%dollars-cents", amount_of("dollar", "dollars", "cent", "cents", " and ", english)),
        },
    ),
    "es": Language(
        "n = 1",
        spanish,
        counted("pago", "pagos", spanish_masculine),
        spanish_time,
        {
            "MXN": (
                "%pesos-centavos",
                amount_of("peso", "pesos", "centavo", "centavos", " con ", spanish_masculine, of="de pesos"),
            ),
            "EUR": (
                "%euros-cents",
                amount_of("euro", "euros", "céntimo", "céntimos", " con ", spanish_masculine, of="de euros"),
            ),
            "GBP": (
                "%libras-peniques",
                amount_of(
                    "libra", "libras", "penique", "peniques", " con ", spanish_feminine, spanish_masculine, "de libras"
                ),
            ),
        },
    ),
    "pt-BR": Language(
        "i = 0..1",
        portuguese,
        counted("pagamento", "pagamentos", portuguese),
        portuguese_time,
        {
            "BRL": (
                "%reais-centavos",
                amount_of("real", "reais", "centavo", "centavos", " e ", portuguese, of="de reais"),
            )
        },
        six="meia",
    ),
    "fr": Language(
        "i = 0,1",
        french,
        counted("paiement", "paiements", french, zero="paiement"),
        french_time,
        {
            "EUR": (
                "%euros-centimes",
                amount_of("euro", "euros", "centime", "centimes", " et ", french, of="d'euros", zero="euro"),
            )
        },
    ),
    "it": Language(
        "i = 1 and v = 0",
        italian,
        counted("pagamento", "pagamenti", italian_masculine),
        italian_time,
        {
            "EUR": (
                "%euros-centesimi",
                amount_of("euro", "euro", "centesimo", "centesimi", " e ", italian_masculine, of="di euro"),
            )
        },
    ),
    "hi": Language(
        "i = 0 or n = 1",
        hindi,
        counted("भुगतान", "भुगतान", hindi),
        hindi_time,
        {"INR": ("%rupees-paise", amount_of("रुपया", "रुपये", "पैसा", "पैसे", " ", hindi))},
    ),
    "id": Language(
        None,
        indonesian,
        counted("pembayaran", "pembayaran", indonesian),
        indonesian_time,
        {"IDR": ("%rupiah", amount_of("rupiah", "rupiah", "sen", "sen", " ", indonesian))},
    ),
}

LIMIT = 99_999_999_999_999  # 999,999,999,999.99 in minor units
NUMBERS = {"count": "%count", "digits": "%digits", "volume": "%cardinal", "time": "%time"}
PLAIN = "JPY"  # has no minor unit, so that a whole number goes to the rule set as it is


def words_of(grammar):
    """Every word between the substitutions of a grammar."""
    text = re.sub("(?m)^#.*|^%.*", "", grammar)
    text = re.sub(r"(?m)(^|;)\s*[-x\d][^:;\n]*:\s*'?", r"\1", text)
    text = re.sub("<[^<]*<|>>>|>[^>]*>|=[^=]*=", "|", text)
    text = re.sub(r"\$\(cardinal,|\w+\{|\}", "|", text)
    return set(re.findall(rf"[^\s;|,()$\[\]\-{SOFT_HYPHEN}]+", text))


def find(name, tag, packs):
    """A file of a language's pack, or of the language alone where it has no voice yet; None where it is in neither."""
    folders = packs, os.path.join(os.path.dirname(packs), "Languages")
    paths = [os.path.join(folder, tag, name) for folder in folders]
    return next((path for path in paths if os.path.exists(path)), None)


def make_pack(folder, tag, language, packs):
    """Writes a pack of the grammar that is to be proven, with a style for each of its public rule sets."""
    with open(find("grammar.rbnf", tag, packs), encoding="utf-8") as file:
        grammar = file.read()
    sets = {"cardinal": "%cardinal", "count": "%count", "digits": "%digits", "time": "%time"}
    styles = {name: {"unit": "minor", "rules": {PLAIN: rule_set}} for name, rule_set in sets.items()}
    styles["amount"] = {"unit": "minor", "rules": {code: entry[0] for code, entry in language.amounts.items()}}
    keys = """payment payment.generic refund order.book order.takeaway order.report late repeat.at summary
        summary.offline total.today total.none""".split()
    prompts = """started online offline provisioning provisioned volume volume-max volume-min muted unmuted test
        nothing-yet reset-hold reset-done update error""".split()
    manifest = {
        "format": 1,
        "id": tag,
        "version": "1.0.0",
        "language": tag,
        "voice": "none",
        "licence": "Apache-2.0",
        "rate": 24000,
        "plurals": language.plurals,
        "pauses": {"clip": 30, "end": 300},
        "style": "amount",
        "styles": styles,
        "numbers": NUMBERS,
        "phrases": {key: "x" for key in keys + ["prompt." + name for name in prompts]},
        "clips": {word: "x.flac" for word in sorted(words_of(grammar) | {"x"})},
    }
    path = os.path.join(folder, tag)
    os.mkdir(path)
    with open(os.path.join(path, "grammar.rbnf"), "w", encoding="utf-8") as file:
        file.write(grammar)
    with open(os.path.join(path, "pack.json"), "w", encoding="utf-8") as file:
        json.dump(manifest, file, ensure_ascii=False)
    return path


def matches_pack(tag, language, packs):
    """Whether the product's pack.json or texts.json reads numbers by what is proven here."""
    path = find("pack.json", tag, packs) or find("texts.json", tag, packs)
    with open(path, encoding="utf-8") as file:
        manifest = json.load(file)
    style = manifest["styles"][manifest["style"]]
    rules = {code: entry[0] for code, entry in language.amounts.items()}
    return (
        manifest.get("plurals", {}) == language.plurals
        and manifest["numbers"] == NUMBERS
        and style["unit"] == "minor"
        and style["rules"].items() <= rules.items()
    )


def prove(prover, folder, random_minor):
    """Proves the public rule sets of each language; `folder` is for the packs."""
    count = prover.options.count
    for tag, language in LANGUAGES.items():
        pack = make_pack(folder, tag, language, prover.options.packs)
        if not matches_pack(tag, language, prover.options.packs):
            prover.fail(f"{tag}: pack.json has other plurals or styles than those that are proven")

        def plain(style):
            return ["--style", style, "--currency", PLAIN]

        numbers = list(range(1_000_001)) + [random_minor(LIMIT // 100) for _ in range(count // 10)]
        cases = ((str(number), language.cardinal(number)) for number in numbers)
        prover.prove(f"{tag}, plain numbers to 1,000,000 and random ones", pack, plain("cardinal"), cases)

        small = [str(number) for number in range(1_000)] + ["1000", "12345", "999999"]
        prover.prove(f"{tag}, counts", pack, plain("count"), ((n, language.count(int(n))) for n in small))
        digits = ((str(n), language.six if n == 6 and language.six else language.cardinal(n)) for n in range(10))
        prover.prove(f"{tag}, digits", pack, plain("digits"), digits)
        times = ((str(minute), language.time(*divmod(minute, 60))) for minute in range(24 * 60))
        prover.prove(f"{tag}, times of day", pack, plain("time"), times)
        limits = {"cardinal": LIMIT // 100 + 1, "count": 1_000_000, "digits": 10, "time": 24 * 60}
        for style, line in limits.items():
            prover.refuse(f"{tag}, {style} {line}", pack, plain(style), str(line))

        for code, (_, reference) in language.amounts.items():
            millions = [10 ** random_minor(6) * 10**8 * (1 + random_minor(999)) for _ in range(500)]
            minors = list(range(20_000)) + [minor for minor in millions if minor <= LIMIT] + [10**8, LIMIT]
            minors += [random_minor(LIMIT) for _ in range(count // 20)]
            lines = (f"{minor:03}" for minor in minors)
            cases = ((f"{digits[:-2]}.{digits[-2:]}", reference(digits)) for digits in lines)
            prover.prove(f"{tag}, amounts in {code}", pack, ["--currency", code], cases)
            for line in ("1000000000000.00", "1000000000001.00", "2100000000100.50"):
                prover.refuse(f"{tag}, {code} above the limit", pack, ["--currency", code], line)
