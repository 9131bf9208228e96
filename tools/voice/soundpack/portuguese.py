"""Portuguese of Brazil: the voice, its words, and the sentences that number words are cut from."""

from .espeak import Espeak

BLEND = {"pf_dora": 0.8, "ef_dora": 0.2}
SPEED = 0.95
LEXICON = "e i  de ʤi  com koŋ  Pix pˈiks"
SPEECH = Espeak("pt-br", lexicon=LEXICON, weak="a as o no em na um uma para")
EXAMPLES = {
    "amount": "sessenta e cinco reais",
    "time": "dez horas e onze minutos",
    "count": "doze pagamentos",
    "digits": "quatro sete dois nove",
    "volume": "dez",
    "payment": "Pix recebido, sessenta e cinco reais",
}


def carriers(number):
    intro = "Pix recebido, "
    # Each sentence gives two numbers: an r, which is an h here, and an s stand behind them.
    for n in range(1, 51):
        hundred = number(100 * (n % 9 + 1) + 1).removesuffix(" um")
        rest = f" [{number(n + 50)}] centavos" if n < 50 else " dez [centavos]"
        yield f"{intro}[{hundred}] [{number(n)}] [reais e]{rest}."
    for n in range(1, 10):
        yield f"{intro}[{number(100 * n)}] [mil] [{number(100 * (n % 9 + 1))}] [reais]."
    yield f"{intro}[zero] [reais]."
    yield f"{intro}cinco [mil e] três [reais]."
    yield f"{intro}[um milhão] [de reais]."
    yield f"{intro}[um bilhão] [de reais e] dez centavos."
    yield f"{intro}dois [milhões] [de reais e] dez [centavos]."
    yield f"{intro}dois [milhões e] trezentos [mil reais]."
    yield f"{intro}dois [bilhões] trezentos [milhões de reais]."
    yield f"{intro}dois [bilhões e] trezentos milhões de reais."
    yield f"{intro}[um milhão e] três reais."
    yield f"{intro}[um bilhão e] três reais."
    yield f"{intro}[um real e] [um centavo]."
    yield f"{intro}[um real]."
    yield "Código de pareamento, quatro [meia] três."
    for hour in ("zero hora", "uma hora", "duas horas", "vinte e uma horas", "vinte e duas horas"):
        yield f"Aviso atrasado, [{hour}] [e] cinco [minutos], Pix recebido."
    yield "Aviso atrasado, três [horas], Pix recebido."
    yield "Aviso atrasado, três [horas e] [um minuto], Pix recebido."
    yield "[um pagamento], total de sessenta e cinco reais."
    yield "Hoje, doze [pagamentos], total de sessenta e cinco reais."
