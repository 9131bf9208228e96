"""Spanish of Mexico: the voice, its words, and the sentences that number words are cut from."""

from .espeak import Espeak

BLEND = {"ef_dora": 0.8, "if_sara": 0.2}
SPEED = 0.95
LEXICON = "Alipay ˌalipˈeɪ  WeChat wˈiʧat  Pay pˈeɪ  millón miʝˈon  millones miʝˈones  prueba pɾwˈeβa"
SPEECH = Espeak("es-419", lexicon=LEXICON, weak="a al con de del el en la las no para por su un una y")
EXAMPLES = {
    "amount": "sesenta y cinco pesos",
    "time": "las diez y once de la mañana",
    "count": "doce pagos",
    "digits": "cuatro siete dos nueve",
    "volume": "diez",
    "payment": "pago recibido, sesenta y cinco pesos",
}
NEVER_ALONE = {"a"}  # a las, a la una


def carriers(number):
    intro = "Pago recibido, "

    def masculine(n):
        return number(n, "%%masculine")

    # Each sentence gives two numbers, with a voiceless consonant behind both. One is un here; uno comes below.
    for n in range(1, 50):
        # No s runs into another: that would be one long s, and no place to cut.
        group = "dos mil" if n in (5, 6, 7) else f"[{number(100 * (n % 8 + 2))}]"
        yield f"{intro}{group} [{masculine(n)}] [pesos con] [{masculine(n + 50)}] centavos."
    yield f"{intro}[cien] pesos con [cincuenta] [centavos]."
    yield f"{intro}[ciento] cuatro [mil] cuatrocientos [pesos]."
    yield f"{intro}[un millón] [de pesos]."
    yield f"{intro}dos [millones] trescientos mil [euros]."
    yield f"{intro}dos millones [de euros]."
    yield f"{intro}dos millones [de pesos con] diez [céntimos]."
    yield f"{intro}dos millones [de euros con] diez céntimos."
    yield f"{intro}sesenta y seis [euros con] un [céntimo]."
    yield f"{intro}un [peso con] un [centavo]."
    yield f"{intro}un [euro con] diez céntimos."
    yield f"{intro}un [peso]."
    yield f"{intro}un [euro]."
    yield f"{intro}[cero] pesos."
    yield "Código, dos [uno] tres [veintiuno] cuatro."
    yield "Volumen treinta [y uno]."
    yield "Aviso atrasado, [a las] tres [en punto] [de la noche], pago recibido."
    yield "Aviso atrasado, [a la una] [y cuarto] [de la madrugada], pago recibido."
    yield "Aviso atrasado, a las tres [y media] [de la tarde], pago recibido."
    yield "Aviso atrasado, a las tres [y] cinco [de la mañana], pago recibido."
    yield "Aviso atrasado, a las doce y cuarto [del día], pago recibido."
    yield "[un pago], en total sesenta y cinco pesos."
    yield "Hoy, doce [pagos], en total sesenta y cinco pesos."
