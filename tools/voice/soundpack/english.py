"""American English: from words to the model's phonemes, by a fixed table.

Converters get yuan, Alipay and WeChat wrong, and the pack says few words: each is listed.
"""

from .text import spell

LEXICON = """
zero zˈɪɹO  one wˈʌn  two tˈu  three θɹˈi  four fˈɔɹ  five fˈIv  six sˈɪks  seven sˈɛvən  eight ˈAt  nine nˈIn
ten tˈɛn  eleven əlˈɛvən  twelve twˈɛlv  thirteen θˌɜɹtˈin  fourteen fˌɔɹtˈin  fifteen fˌɪftˈin
sixteen sˌɪkstˈin  seventeen sˌɛvəntˈin  eighteen ˌAtˈin  nineteen nˌIntˈin
twenty twˈɛnti  thirty θˈɜɹTi  forty fˈɔɹTi  fifty fˈɪfti  sixty sˈɪksti  seventy sˈɛvənti  eighty ˈATi  ninety nˈInti
hundred hˈʌndɹəd  thousand θˈWzᵊnd  million mˈɪljən  billion bˈɪljən  trillion tɹˈɪljən  and ænd  oh ˈO  o'clock əklˈɑk
AM ˌAˈɛm  PM pˌiˈɛm
yuan juˈɑn  fen fˈɛn  dollar dˈɑləɹ  dollars dˈɑləɹz  cent sˈɛnt  cents sˈɛnts  euro jˈʊɹO  euros jˈʊɹOz
pound pˈWnd  pounds pˈWndz  penny pˈɛni  pence pˈɛns  rupee ɹupˈi  rupees ɹupˈiz  paisa pˈIsə  paise pˈIsA
Hong hˈɔŋ  Kong kˈɔŋ  yen jˈɛn  dinar dinˈɑɹ  dinars dinˈɑɹz  fils fˈɪls
payment pˈAmᵊnt  payments pˈAmᵊnts  received ɹəsˈivd  refund ɹˈifˌʌnd  total tˈOTᵊl
Alipay ˈɑlipˌA  WeChat wˈiʧˌæt  UnionPay jˈunjənpˌA  Pay pˈA  digital dˈɪʤəTᵊl  cash kˈæʃ  card kˈɑɹd
bank bˈæŋk  transfer tɹˈænsfəɹ  you ju  have hæv  a ə  new nˈu  booking bˈʊkɪŋ  takeout tˈAkˌWt  order ˈɔɹdəɹ
report ɹəpˈɔɹt  delayed dəlˈAd  notice nˈOTəs  repeat ɹəpˈit  while wˌIl  offline ˌɔflˈIn  today tədˈA  no nˈO
yet jˈɛt  soundbox sˈWndbˌɑks  started stˈɑɹTᵻd  network nˈɛtwˌɜɹk  connected kənˈɛktᵻd
disconnected dˌɪskənˈɛktᵻd  pairing pˈɛɹɪŋ  code kˈOd  setup sˈɛTˌʌp  complete kəmplˈit  volume vˈɑljum
maximum mˈæksəməm  minimum mˈɪnəməm  sound sˈWnd  on ˈɔn  off ˈɔf  this ðɪs  is ɪz  test tˈɛst
announcement ənˈWnsmənt  keep kˈip  holding hˈOldɪŋ  to tu  restore ɹəstˈɔɹ  restored ɹəstˈɔɹd  factory fˈæktəɹi
settings sˈɛTɪŋz  updating ˈʌpdˌATɪŋ  please plˈiz  do dˈu  not nˌɑt  unplug ˌʌnplˈʌɡ  something sˈʌmθˌɪŋ
wrong ɹˈɔŋ  call kˈɔl  support səpˈɔɹt
"""

WORDS = dict(zip(LEXICON.split()[::2], LEXICON.split()[1::2], strict=True))


def word(said):
    sound = WORDS.get(said) or WORDS.get(said.lower())
    if sound is None:
        raise SystemExit(f"voice: {said}: no phonemes in english.py")
    return sound


def speak(text):
    """-> the phonemes of a text, and for each of its words the phonemes' (first, end)."""
    return spell(text, word)
