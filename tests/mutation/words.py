"""Word lists of the mutation bank and its judge: negations, limits, stop words, units, in the languages of the data."""

NEGATIONS = {
    "en": ("not", "no", "never", "neither", "nor", "none", "without", "cannot"),
    "de": ("nicht", "kein", "keine", "keinen", "keiner", "keinem", "nie", "niemals", "ohne"),
    "es": ("no", "nunca", "ni", "sin", "ningún", "ninguna", "tampoco"),
    "ru": ("не", "нет", "ни", "никогда", "без"),
    "tr": ("değil", "değildir", "yok", "hiçbir", "olmadan"),
    "ar": ("لا", "لم", "لن", "ليس", "ليست", "غير", "دون"),
    "hi": ("नहीं", "न", "ना", "बिना", "मत"),
    "zh": ("不", "没", "未", "无", "非"),
}
LIMITERS = {
    "en": ("only", "unless", "except", "if", "provided", "solely", "until", "but", "however", "may", "subject"),
    "de": ("nur", "wenn", "falls", "außer", "sofern", "jedoch", "aber", "bis"),
    "es": ("solo", "sólo", "si", "excepto", "salvo", "pero", "hasta", "solamente"),
    "ru": ("только", "если", "кроме", "но", "лишь"),
    "tr": ("yalnızca", "sadece", "ancak", "ama", "fakat", "eğer", "hariç"),
    "ar": ("فقط", "إلا", "إذا", "لكن", "ما لم"),
    "hi": ("केवल", "यदि", "अगर", "लेकिन", "सिवाय", "सिर्फ"),
    "zh": ("只", "仅", "除", "但", "如果"),
}
HIDING = {
    "en": ("not", "no", "never", "without", "cannot", "unless", "except", "only", "if", "neither", "nor", "provided"),
    "de": ("nicht", "kein", "keine", "nie", "ohne", "nur", "wenn", "außer", "sofern"),
    "es": ("no", "nunca", "sin", "solo", "si", "excepto", "salvo"),
    "ru": ("не", "нет", "без", "только", "если", "кроме"),
    "tr": ("değil", "değildir", "yalnızca", "sadece", "ancak", "eğer"),
    "ar": ("لا", "لم", "لن", "ليس", "غير", "إلا", "إذا", "فقط"),
    "hi": ("नहीं", "बिना", "केवल", "यदि", "अगर"),
    "zh": ("不", "没", "未", "除", "只", "如果"),
}
"""Words an elision must never hide: the plain negations, exceptions and conditions of each language."""

LIMITS = frozenset(
    word for table in (NEGATIONS, LIMITERS, HIDING) for lang, words in table.items() if lang != "zh" for word in words
)
LIMITS_SPACELESS = tuple(sorted({*NEGATIONS["zh"], *LIMITERS["zh"], *HIDING["zh"]}))

NEGATE_AFTER = {
    "en": (
        ("is", "are", "was", "were", "shall", "will", "may", "must", "should", "can", "has", "have", "could"),
        "not",
    ),
    "de": (("ist", "sind", "war", "waren", "wird", "werden", "wurde", "wurden", "kann", "muss", "hat"), "nicht"),
    "hi": (("में", "से", "को"), "नहीं"),
    "tr": (("bir", "ve", "bu"), "değil"),
}
NEGATE_BEFORE = {
    "es": (("es", "son", "fue", "fueron", "era", "está", "puede", "se", "ha", "han", "había"), "no"),
    "ru": (("был", "была", "были", "является", "может", "было", "стал", "имеет", "в"), "не"),
    "ar": (("كان", "كانت", "يمكن", "يكون", "تم", "في"), "لا"),
    "zh": (("是", "有", "能", "会", "可以", "为"), "不"),
}

UNITS = {
    "mg": "g", "kg": "lb", "g": "mg", "km": "miles", "miles": "km", "mi": "km", "m": "km", "cm": "mm", "ft": "m",
    "days": "months", "day": "month", "months": "years", "month": "year", "years": "months", "year": "month",
    "hours": "days", "minutes": "hours", "seconds": "minutes", "weeks": "days", "week": "day",
    "million": "billion", "billion": "million", "thousand": "million", "percent": "per mille", "degrees": "radians",
    "feet": "metres", "inches": "feet", "acres": "hectares", "pounds": "kilograms", "tons": "pounds", "°F": "°C",
    "Jahre": "Monate", "Jahren": "Monaten", "Tage": "Wochen", "Tagen": "Wochen", "Millionen": "Milliarden",
    "Prozent": "Promille", "Meter": "Kilometer", "Kilometer": "Meter", "Stunden": "Tage", "Euro": "Dollar",
    "años": "meses", "días": "semanas", "millones": "miles", "metros": "kilómetros", "kilómetros": "metros",
    "лет": "дней", "года": "месяца", "году": "месяце", "км": "м", "м": "км", "миллионов": "миллиардов",
    "yıl": "ay", "milyon": "milyar", "metre": "kilometre", "yılında": "ayında",
    "वर्ष": "महीने", "साल": "महीने", "लाख": "करोड़", "मील": "किलोमीटर", "मिलियन": "बिलियन",
    "عام": "شهر", "مليون": "مليار", "كم": "م", "سنة": "شهر",
    "%": "‰", "年": "月", "月": "日", "公里": "米", "亿": "万",
}  # fmt: skip

CURRENCIES = {
    "$": "€", "€": "$", "£": "$", "¥": "$", "US$": "A$", "USD": "EUR", "EUR": "USD", "dollars": "euros",
    "Dollars": "Pounds", "euros": "dollars", "pounds": "dollars", "Dollar": "Euro", "Euro": "Dollar",
    "dólares": "euros", "долларов": "евро", "美元": "欧元", "دولار": "يورو", "डॉलर": "यूरो", "dolar": "avro",
}  # fmt: skip

OPERATORS = {
    "≥": "≤", "≤": "≥", ">": "<", "<": ">", "=": "≠", "≠": "=", "±": "+", "×": "+", "+": "-", "·": "+", "÷": "×",
    "~": "=", "≈": "=", "/": "-", "&": "or", "*": "+", "^": "",
}  # fmt: skip

COMPARATORS = {
    "more": "less", "less": "more", "least": "most", "most": "least", "before": "after", "after": "before",
    "above": "below", "below": "above", "shall": "may", "may": "shall", "must": "may", "will": "may", "and": "or",
    "or": "and", "all": "some", "some": "all", "any": "each", "maximum": "minimum", "minimum": "maximum",
    "mehr": "weniger", "weniger": "mehr", "vor": "nach", "nach": "vor", "und": "oder", "oder": "und",
    "más": "menos", "menos": "más", "antes": "después", "y": "o", "более": "менее", "менее": "более", "и": "или",
    "daha": "en", "ve": "veya", "और": "या", "أكثر": "أقل", "أقل": "أكثر", "قبل": "بعد", "多": "少", "大": "小", "前": "后",
}  # fmt: skip

INVENTED = {
    "en": "This applies without any exception.", "de": "Dies gilt ohne jede Ausnahme.",
    "es": "Esto se aplica sin excepción.", "ru": "Это действует без исключений.", "tr": "Bu istisnasız geçerlidir.",
    "ar": "وينطبق هذا دون استثناء.", "hi": "यह बिना किसी अपवाद के लागू होता है।", "zh": "此规定没有任何例外。",
}  # fmt: skip

ADDED = {
    "en": ("fully", "other", "always", "written", "also"), "de": ("immer", "auch", "andere", "völlig"),
    "es": ("siempre", "también", "otro"), "ru": ("всегда", "также", "другой"), "tr": ("her", "zaman", "daima"),
    "ar": ("أيضا", "دائما"), "hi": ("हमेशा", "भी"), "zh": ("总", "也", "全"),
}  # fmt: skip

STOP_WORDS = frozenset(
    "a an the of to in on at by for from with as is are was were be been it its this that these those and or but he she "
    "they we you i his her their our not no so if than then there here which who whom what when where how do does did has "
    "have had will would shall may can could should must into onto such any all each upon under over "
    "der die das den dem des ein eine einen einem einer und oder aber ist sind war waren in im an am auf aus bei mit nach von "
    "vom zu zum zur es er sie wir ihr ich nicht als auch für dass sich wird werden hat haben "
    "el la los las un una unos unas de del al y o en con por para que se es son fue su sus lo no como más "
    "и в во на с со к ко по из за от до для не что как это он она они его её их был была были а но у о об "
    "ve veya bir bu şu o de da ile için gibi en çok olan olarak "
    "في من إلى على عن مع هذا هذه التي الذي أن كان كانت و أو ما لا "
    "का की के को में से पर है हैं था थे थी और या यह वह इस उस ने भी एक कि".split()
)
