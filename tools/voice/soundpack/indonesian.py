"""Indonesian: the voice, its words, and the sentences that number words are cut from."""

from .espeak import Espeak

BLEND = {"if_sara": 0.6, "ef_dora": 0.4}
SPEED = 0.95
LEXICON = "QRIS krˈis  GoPay ɡˈopeɪ  OVO ˈovo  DANA dˈana  bank bˈaŋk"
SPEECH = Espeak("id", lexicon=LEXICON, weak="ada untuk")
EXAMPLES = {
    "amount": "lima ribu rupiah",
    "time": "pukul sepuluh",
    "count": "dua belas pembayaran",
    "digits": "empat tujuh dua sembilan",
    "volume": "sepuluh",
    "payment": "pembayaran diterima, lima ribu rupiah",
}
DIGITS = "satu dua tiga empat lima enam tujuh delapan sembilan".split()


def carriers(number):
    intro = "Pembayaran diterima, "
    # Tens with their ones are one breath; each sentence has one in front of ribu and one in front of rupiah.
    numbers = [n for n in range(11, 100) if n % 10]
    for low, high in zip(numbers[:41], [*numbers[41:], 11]):
        hundred = DIGITS[low % 8 + 1]
        yield f"{intro}[{number(high)}] [ribu] [{hundred} ratus] [{number(low)}] rupiah."
    for n, digit in enumerate(DIGITS):
        tens = "[sepuluh]" if n == 0 else f"[{digit} puluh]"
        yield f"{intro}{tens} ribu [seratus] [{DIGITS[(n + 3) % 9]}] [rupiah]."
        yield f"{intro}[{digit}] ribu lima ratus rupiah."
    yield f"{intro}dua [juta] [seribu] tiga ratus rupiah."
    yield f"{intro}dua [miliar] tiga puluh [juta rupiah]."
    yield f"{intro}tiga puluh [ribu rupiah]."
    yield f"{intro}[nol] rupiah lima [sen]."
    yield "Diulang, [pukul] tiga [lewat] tiga puluh [menit], pembayaran diterima."
    yield "Hari ini, dua belas [pembayaran], total tiga puluh ribu rupiah."
