"""What a question is about: its content words, without the words that only make it a question.

The lists are short on purpose: articles, pronouns, prepositions, auxiliaries, and what people ask with. Words of
languages in Latin letters collide (German `die` and `war` are English words of content), so one language is chosen
for each question, the one whose words it uses most.
"""

import re
from typing import Final

from verified_gate.retrieval.tokens import tokens

_LATIN_SCRIPT: Final = {
    "en": """a an the this that these those there here it its he she his her him they them their we us our you your i my me
    who whom whose what which when where why how is are was were be been being am do does did done has have had can could
    may might must shall should will would of in on at to for from by with without about into onto over under between
    among after before during through against as than and or but if so such not no also some any all each every much
    many long old far often name named names call called mean means meaning known kind type types sort tell me please
    give list describe explain located come comes came take took takes place get got make made s d ll re ve t""",
    "de": """der die das den dem des ein eine einem einen einer eines er sie es ihr ihre ihrem ihren ihrer sein seine seinem
    seinen seiner wir uns unser ich mir mich du ihm ihn man wer wen wem wessen was welche welcher welches welchem welchen
    wann wo woher wohin womit wodurch wofür worin worauf wovon woran wozu wie wieso weshalb warum wieviel viel viele ist
    sind war waren bin bist wird werden wurde wurden worden sei hat haben habe hatte hatten kann können konnte muss müssen
    soll sollte darf wollen von vom im in ins am an auf aus bei beim bis mit nach nicht zu zum zur über um unter vor für
    durch gegen während ohne zwischen und oder aber als wenn dass ob so sich noch nur auch diese dieser dieses diesem
    jede jeder deren dessen art name namen heißt hieß nennt nannte genannt bedeutet gibt gab befindet liegt lange oft
    bitte""",
    "fr": """le la les l un une des du de d à au aux en et ou où qui que qu quoi quel quelle quels quelles quand comment
    combien pourquoi est sont était étaient fut furent être été a ont avait avoir il elle ils elles on ce cette ces cet c
    se s sa son ses leur leurs je nous vous y ne n pas plus par pour sur dans avec sans sous entre après avant pendant
    comme si nom appelle t signifie""",
    "es": """el la los las lo un una unos unas de del al a en y e o u que qué quién quiénes cuál cuáles cuándo cuánto cuánta
    cuántos cuántas dónde cómo por para con sin sobre entre desde hasta durante después antes según como es son fue fueron
    era eran ser está están ha han había he se su sus le les no si más este esta estos estas ese esa tipo tipos nombre
    llama llamaba llamó llaman cuyo donde cuando quien cual hay tiene tenía hizo hace""",
    "it": """il lo la i gli le l un uno una di del della dei delle dello degli al alla ai da dal dalla in nel nella nei con
    su sul per tra fra e o che chi cosa quale quali quando dove perché come quanto quanta quanti quante è sono era erano
    fu furono essere stato stata ha hanno aveva si suo sua non se più nome chiama""",
    "pt": """o a os as um uma de do da dos das em no na nos nas por pelo pela para com sem sobre entre e ou que quem qual
    quais quando onde porque como quanto quanta quantos quantas é são foi foram era eram ser está tem têm tinha se seu sua
    não mais nome chama""",
    "nl": """de het een van in op te ten ter aan bij met voor door uit over onder naar tot en of maar als dat die dit deze
    wie wat welke welk wanneer waar waarom hoe hoeveel is zijn was waren wordt worden werd werden heeft hebben had kan
    kunnen hij zij ze hun er je niet ook naam heet""",
    "tr": """ne nedir neydi neler nelerdir neyi neye nerede nereye nereden neresi neden niçin niye nasıl kim kime kimi kimin
    kimler kimdir hangi hangisi hangileri kaç kaçıncı kadar zaman mi mı mu mü midir mıdır bir bu şu o ve veya ile için de
    da ki gibi daha en çok olan olarak oldu olur olduğu olduğunu idi var vardı yok tarafından sonra önce arasında adı isim
    ismi denir hakkında göre her""",
}
_OTHER_SCRIPTS: Final = """
    кто кого кому кем что чего чему чем какой какая какое какие каких какого каким какую каком какими каков какова каковы
    когда где куда откуда почему зачем как сколько чей чья чье чьи который которая которое которые которых которого
    которой в во на с со к ко у о об от до из за по под над при про для без через после перед между и а но или не ни же
    ли бы был была было были есть быть является являются он оно она они его её их это этот эта эти этого тот того той тех
    так также называется называют назывался называлась
    ما ماذا متى أين كيف لماذا لما كم هل أي أية من في على إلى عن مع بين بعد قبل عند خلال حول منذ لدى هو هي هم كان كانت
    كانوا يكون تكون تم قد لم لا أن إن الذي التي الذين هذا هذه ذلك تلك و أو ثم اسم يسمى تسمى
    क्या कौन कौनसा कौनसी किस किसे किसने किसका किसकी किसके किन किनके कब कहाँ कहां कैसे क्यों कितना कितनी कितने कैसा कैसी
    का के की को से में पर ने तक और या है हैं था थे थी हो गया गई गए हुआ हुई हुए होता होती होते कर करने करता करते करना
    किया लिए साथ द्वारा बाद पहले जो जब वह यह वे ये उस इस इन उन एक भी ही तो नहीं नाम जाता जाती रहा रहे दिया
"""
_FURNITURE: Final = {lang: frozenset(tokens(words)) for lang, words in _LATIN_SCRIPT.items()}
_FURNITURE_ELSEWHERE: Final = frozenset(tokens(_OTHER_SCRIPTS))
_CHINESE_FURNITURE: Final = frozenset("的是了在和有与及或于对为以由从被把将其这那哪谁什么何多少几怎样如吗呢之个")
_PHRASES: Final = re.compile(  # Japanese and Thai: taken out before the text is cut into pairs
    "何ですか|ですか|ますか|でしょうか|いつ|どこ|だれ|誰|なぜ|どのように|どうして|いくつ|いくら|どの|どんな"
    "|คืออะไร|อะไร|เท่าไร|เท่าไหร่|ที่ไหน|เมื่อไร|เมื่อไหร่|ทำไม|อย่างไร|ใคร|หรือไม่|ไหม|กี่"
)

_MEET_ON: Final = 5
"""Words meet where their first five letters do: `return` and `returned`, `Vertrag` and `Vertrages`."""

_ARABIC_PREFIX: Final = re.compile("(?:[وفبكل]?ال|لل|[وفبل](?=.{4}))(?=.{2})")
_ARABIC_SUFFIX: Final = re.compile("(?<=.{3})(?:ها|هم|ات|ون|ين|ان|ية|ة|ه|ي)$")

MAX_WORDS: Final = 64
"""Content words looked at; a longer question is judged by its first ones."""


def meeting_form(token: str) -> str:
    """What two forms of a word share, roughly: its start; in Arabic its middle. Numbers and codes stay whole."""
    if token.isascii() and token.isalpha():
        return token[:_MEET_ON]
    if any(character.isdigit() for character in token):
        return token
    if "\u0600" <= token[0] <= "\u06ff":
        prefix = _ARABIC_PREFIX.match(token)
        stem = token[prefix.end() :] if prefix else token
        return _ARABIC_SUFFIX.sub("", stem)[: _MEET_ON - 1]
    return token[:_MEET_ON]


def meeting_forms(text: str) -> list[str]:
    """The meeting form of each token of `text`, in order."""
    return [meeting_form(token) for token in tokens(text)]


def language_of(question: str) -> str:
    """The language in Latin letters whose question words `question` uses most; English where it uses none."""
    used = tokens(question)
    return max(_FURNITURE, key=lambda lang: sum(token in _FURNITURE[lang] for token in used))


def content_words(question: str) -> list[str]:
    """Meeting forms of what the question is about, in order, once each, at most `MAX_WORDS`; may be empty."""
    furniture = _FURNITURE[language_of(question)] | _FURNITURE_ELSEWHERE
    used = tokens(_PHRASES.sub(" ", question))
    words = (token for token in used if token not in furniture and _CHINESE_FURNITURE.isdisjoint(token))
    return list(dict.fromkeys(meeting_form(word) for word in words))[:MAX_WORDS]


def names_in(question: str) -> frozenset[str]:
    """Meeting forms of words that look like names or numbers: written with a capital, but for the first word, or
    with a digit.
    """
    names: list[str] = []
    for position, word in enumerate(question.split()):
        bare = word.lstrip("\"'“„«»(¿¡").partition("'")[0].partition("\u2019")[0]
        if position and bare[:1].isupper():
            names += meeting_forms(bare)
        else:
            names += (token for token in tokens(word) if any(character.isdigit() for character in token))
    return frozenset(names)


def names_are_marked(question: str) -> bool:
    """Do capitals tell names from other words here? Not in German, nor where most words have one."""
    words = question.split()
    capitals = sum(word.lstrip("\"'“„«»(¿¡")[:1].isupper() for word in words)
    return language_of(question) != "de" and 2 * capitals <= len(words) + 1
