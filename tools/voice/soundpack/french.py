"""French: the voice, its words, and the sentences that number words are cut from."""

from .espeak import Espeak

BLEND = {"ff_siwis": 0.8, "af_heart": 0.2}
SPEED = 0.95
LEXICON = """
Alipay alipˈɛ  WeChat witʃˈat  Pay pˈɛ  huit ɥˈit  six sˈis  dix dˈis  vingts vˈɛ̃  quatre kˈatʁ
"""
# Vowels that a final consonant is tied to, and consonants before which six, huit and dix lose theirs.
VOWEL = {"euro", "euros", "heure", "heures"}
CONSONANT = "cent cents mille million millions milliard milliards centime centimes paiement paiements".split()
TIED = {"un": "ˈœ̃n", "deux": "dˈøz", "trois": "tʁwˈaz", "six": "sˈiz", "dix": "dˈiz", "vingt": "vˈɛ̃t", "vingts": "vˈɛ̃z",
        "cent": "sˈɑ̃t", "cents": "sˈɑ̃z"}  # fmt: skip
SHORT = {"six": "sˈi", "huit": "ɥˈi", "dix": "dˈi"}
ONES = "et deux trois quatre cinq six sept huit neuf".split()


def bound(word, following):
    """The phonemes of a word that the next one changes; None of any other."""
    if following in VOWEL:
        return {"neuf": "nˈœv"}.get(word) if word == "neuf" and "heure" in following else TIED.get(word)
    if following in CONSONANT:
        return SHORT.get(word)
    if word == "vingt" and following in ONES:
        return "vˈɛ̃t"
    return None


SPEECH = Espeak(
    "fr-fr", lexicon=LEXICON, weak="à au avez d' de en et le les la l' ne pas par pour sur un une", bound=bound
)
EXAMPLES = {
    "amount": "soixante-cinq euros",
    "time": "dix heures onze",
    "count": "douze paiements",
    "digits": "quatre sept deux neuf",
    "volume": "dix",
    "payment": "paiement reçu, soixante-cinq euros",
}


def carriers(number):
    intro = "Paiement reçu, "
    tens = ("trente", "quarante", "cinquante", "soixante", "quatre-vingt")
    # Numbers that sound alike before everything, two a sentence. The others are tied to the word behind them.
    plain = [n for n in range(1, 20) if n != 10] + [*range(22, 30)]
    plain += [10 * t + d for t in (3, 4, 5, 6, 8) for d in (4, 5, 7, 9)]
    plain += [21, 31, 41, 51, 61, 71, 81]
    half = (len(plain) + 1) // 2
    for low, high in zip(plain[:half], [*plain[half:], 9]):
        yield f"{intro}mille [{number(low)}] [euros et] [{number(high)}] [centimes]."
    for i, ten in enumerate(tens):
        yield f"{intro}mille [{ten}]-quatre [euros et] [{tens[i - 1]}]-cinq centimes."
    # What euros is tied to.
    for n in (2, 3, 6, 10, 20, 22, 23, 26, 21, 31, 41, 51, 61, 81, 80, 100, 600, 800):
        yield f"{intro}[{number(n)} euros] [et] trente [centimes]."
    yield f"{intro}deux [cents euros]."
    yield f"{intro}mille [un euros]."
    yield f"{intro}[un euro]."
    yield f"{intro}[un euro et] [un centime]."
    # Hundreds, and what six, huit and dix lose their end before.
    for n in range(1, 10):
        yield f"{intro}quatre [mille] [{number(100 * n + 1).removesuffix(' un')}] trente-cinq [euros]."
    for word in ("six", "huit", "dix", "vingt-six", "vingt-huit"):
        yield f"{intro}[{word} mille] trois cents euros et [{word} centimes]."
    for word in ("six", "huit", "dix"):
        yield f"{intro}[{word} millions] trois [mille euros]."
        yield f"{intro}[{word} milliards] trois millions d'euros."
        yield f"Aujourd'hui, [{word} paiements], au total trente-cinq euros."
    yield f"{intro}[six cents] millions d'euros."
    yield f"{intro}[huit cents] millions d'euros."
    yield f"{intro}trois [cents] [millions] [d'euros]."
    yield f"{intro}trente [milliards] trois cents [millions d'euros]."
    yield f"{intro}[un million] [d'euros et] trente centimes."
    yield f"{intro}[un milliard] trois mille euros."
    yield f"{intro}[vingt] mille [quatre-vingts] centimes."
    yield f"{intro}trente et [dix]."
    yield f"{intro}[zéro] [euro]."
    for n in (0, 1, 2, 3, 6, 9, 10, 19, 20, 21, 22, 23):
        feminine = number(n, "%%feminine") if n else "zéro"
        yield f"Je répète, à [{feminine} {'heures' if n > 1 else 'heure'}] trente, paiement reçu."
    yield "Je répète, à quinze [heures] trente, paiement reçu."
    for n in (1, 21, 31, 41, 51):
        yield f"Je répète, à quinze heures [{number(n, '%%feminine')}], paiement reçu."
    yield "[un paiement], au total trente-cinq euros."
    yield "Aujourd'hui, zéro [paiement], au total trente-cinq euros."
    yield "Aujourd'hui, trente [paiements], au total trente-cinq euros."
