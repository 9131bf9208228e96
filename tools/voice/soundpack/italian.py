"""Italian: the voice, its words, and the sentences that number words are cut from."""

from .espeak import Espeak

BLEND = {"if_sara": 0.8, "ef_dora": 0.2}
SPEED = 0.95
LEXICON = "WeChat wˈiʧat  Pay pˈeɪ  Alipay ˌalipˈeɪ  e e  cent ʧent  ventun ventˈun  trentun trentˈun"
SPEECH = Espeak("it", lexicon=LEXICON, weak="a con di da in su per la le non un una degli", joined=True)
EXAMPLES = {
    "amount": "sessantacinque euro",
    "time": "ore dieci e undici",
    "count": "dodici pagamenti",
    "digits": "quattro sette due nove",
    "volume": "dieci",
    "payment": "pagamento ricevuto, sessantacinque euro",
}


def carriers(number):
    intro = "Pagamento ricevuto, "
    # Each sentence gives two numbers. A ch stands behind the second; behind the first the e of euro, as in most amounts.
    for n in range(1, 51):
        hundreds = number(100 * (n % 8 + 2))
        whole = f"[{hundreds}]-[{number(n)}]" if n not in (1, 8) else f"[{number(n)}]"
        rest = f"[{number(n + 50)}] centesimi" if n < 50 else "dieci [centesimi]"
        yield f"{intro}{whole} [euro e] {rest}."
    # Cento before its tens, and where it loses its o.
    for n in (*range(80, 90), 8):
        yield f"{intro}[cent-{number(n)}] [euro]."
    yield f"{intro}[cento]-trentadue euro."
    yield f"{intro}sette-[mille]-[tré] [euro]."
    for tens in range(20, 100, 10):
        for n in (tens + 1, tens + 3):
            word = number(1000 * n).split("-")[0]
            yield f"{intro}[{word}]-[mila] trecento euro."
    yield f"{intro}[cent-ottantun]-mila euro."
    yield f"{intro}[cent-ottantatre]-mila euro."
    yield f"{intro}[mille] euro."
    yield f"{intro}[un milione] [di euro]."
    yield f"{intro}due [milioni] trecento-[mila euro]."
    yield f"{intro}due [milioni] [di euro e] dieci centesimi."
    yield f"{intro}[un miliardo] [di euro]."
    yield f"{intro}due [miliardi] tre milioni di euro."
    yield f"{intro}[un euro e] [un centesimo]."
    yield f"{intro}[un euro]."
    yield f"{intro}[zero] euro."
    yield "Ripeto, [ore] tre [e] tredici, pagamento ricevuto."
    yield "Ripeto, [ore una] e tredici, pagamento ricevuto."
    yield "Ripeto, [ore zero] e tredici, pagamento ricevuto."
    yield "[un pagamento], in totale sessantacinque euro."
    yield "Oggi, dodici [pagamenti], in totale sessantacinque euro."
