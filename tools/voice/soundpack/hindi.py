"""Hindi: the voice, its words, and the sentences that number words are cut from."""

from .espeak import Espeak

BLEND = {"hf_alpha": 0.8, "hm_omega": 0.2}
SPEED = 0.95
SPEECH = Espeak("hi", table={"r.": "ɽ"}, lexicon="यूपीआई jˌuːpiːˈaːi  पेटीएम pˌeːʈiːˈɛːm", weak="से पर है को के न")
EXAMPLES = {
    "amount": "पैंसठ रुपये",
    "time": "सुबह दस बजे",
    "count": "बारह भुगतान",
    "digits": "चार सात दो नौ",
    "volume": "दस",
    "payment": "भुगतान मिला, पैंसठ रुपये",
}


def carriers(number):
    intro = "भुगतान मिला, "
    # Each sentence gives two numbers; a stop stands behind the second.
    for n in range(1, 51):
        rest = f"[{number(n + 50)}] पैसे" if n < 50 else "दस [पैसे]"
        yield f"{intro}[{number(100 * (n % 9 + 1))}] [{number(n)}] [रुपये] {rest}."
    for n in range(1, 10, 2):
        yield f"{intro}[{number(n)}] [हज़ार] [{number(100 * n)}] [रुपये]."
    yield f"{intro}तीन [लाख] पाँच [हज़ार रुपये]."
    yield f"{intro}तीन [करोड़] पाँच [लाख रुपये]."
    yield f"{intro}तीन [करोड़ रुपये]."
    yield f"{intro}[एक रुपया] [एक पैसा]."
    yield f"{intro}[एक रुपया] तीस पैसे."
    yield f"{intro}[शून्य] रुपये."
    for part in ("रात", "सुबह", "दोपहर", "शाम"):
        yield f"देर से मिली सूचना, [{part}] तीन [बजकर] पाँच [मिनट], भुगतान मिला."
    yield "देर से मिली सूचना, सुबह दस [बजे], भुगतान मिला."
    yield "आज, बारह [भुगतान], कुल पैंसठ रुपये."
