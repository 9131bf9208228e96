"""British English: the voice, its words, and the sentences that number words are cut from."""

from .espeak import Espeak

BLEND = {"bm_george": 0.75, "am_michael": 0.25}
SPEED = 0.95
TABLE = {
    "a^ɪ": "I", "a^ʊ": "W", "e^ɪ": "A", "ɔ^ɪ": "Y", "ə^ʊ": "Q", "i^ə": "ɪə", "e^ə": "ɛː", "ʊ^ə": "ʊə", "ɐ": "ə",
}  # fmt: skip
LEXICON = """
a ə  one wˈʌn  thirteen θˌɜːtˈiːn  fourteen fˌɔːtˈiːn  fifteen fˌɪftˈiːn  sixteen sˌɪkstˈiːn  seventeen sˌɛvəntˈiːn
eighteen ˌAtˈiːn  nineteen nˌIntˈiːn  million mˈɪljən  billion bˈɪljən  AM ˌAˈɛm  PM pˌiːˈɛm  oh ˈQ
Alipay ˈalipˌA  WeChat wˈiːʧˌat  refund ɹˈiːfʌnd  transfer tɹˈansfɜː  card kˈɑːd  soundbox sˈWndbˌɒks
offline ˌɒflˈIn  takeaway tˈAkəwˌA  setup sˈɛtʌp  updating ˌʌpdˈAtɪŋ  on ˈɒn  has haz  gone ɡˈɒn  do dˈuː  not nˌɒt
"""
SPEECH = Espeak("en-gb", TABLE, LEXICON, weak="and is the this to")

EXAMPLES = {
    "amount": "sixty-five pounds",
    "time": "ten eleven AM",
    "count": "twelve payments",
    "digits": "four seven two nine",
    "volume": "ten",
    "payment": "cash received, sixty-five pounds",
}


def carriers(number):
    intro = "Cash received, "
    # Each sentence gives two numbers, with a voiceless consonant behind both.
    for n in range(1, 50):
        hundred = number(100 * ((n + 1) % 9 + 1))
        yield f"{intro}[{hundred} and] [{number(n)}] [pounds and] [{number(n + 50)}] pence."
    yield f"{intro}two hundred and [fifty] pounds and ten [pence]."
    for n in range(1, 10, 2):
        yield f"{intro}[{number(100 * n)}] thousand [{number(100 * (n % 9 + 1))}] pounds."
    yield f"{intro}[zero] [pounds]."
    yield f"{intro}eight [billion] six [million] two thousand pounds."
    # A shorter sentence has no breath in front of this and.
    yield f"{intro}two [thousand and] forty pounds."
    yield f"{intro}eight [million and] forty [dollars]."
    yield f"{intro}eight [billion and] forty [euros]."
    yield f"{intro}sixty-eight [thousand] two hundred pounds."
    yield f"{intro}sixty-eight [euros and] twenty [cents]."
    yield f"{intro}sixty-eight [dollars and] twenty cents."
    yield f"{intro}one [pound and] one [penny]."
    yield f"{intro}one [euro and] one [cent]."
    yield f"{intro}one [dollar and] ten cents."
    for unit in ("pound", "euro", "dollar"):
        yield f"{intro}one [{unit}]."
    yield "Delayed notice, ten [oh] five [AM], cash received."
    yield "Delayed notice, ten [o'clock] AM, cash received."
    yield "Delayed notice, ten eleven [PM], cash received."
    yield "[one payment], total sixty-five pounds."
    yield "Today, twelve [payments], total sixty-five pounds."
