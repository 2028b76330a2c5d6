"""Short word lists of the gate: words too common to single anything out, and words that negate or limit."""

_STOP = """
a an and are as at be been but by can could did do does for from had has have he her his i if in into is it its may
might must my no not of on or our shall she should so such than that the their them then there these they this to was
we were what when which who will with would you your
aber als am an auch auf aus bei bin bis das dass dem den der des die dies dir du ein eine einem einen einer eines er es
für hat haben ich ihr im in ist ja kann mit nach nicht noch nur oder sein sich sie sind so über um und uns unter vom von
vor war was wenn wer wie wir wird zu zum zur
au aux avec ce ces cette dans de des du elle en est et il ils je la le les leur lui mais ne nous on ou par pas pour que
qui sa se ses son sont sur un une vous y à
al como con de del el ella en entre era es esta este fue ha la las lo los más no o para pero por que se si sin su sus un
una y ya
che da di e gli il lo ma non nel per più sono una uno è
dat de een en het hij ik is met niet of op te van voor zijn
ao as com da das do dos e em mais na no nos não o os ou para por que um uma à é
ama bir bu da daha de gibi için ile ise ki mi ne o olan olarak ve veya ya
а в во да для до его и из или их к как ко на не но о об от по с со так то у что это
إلى أن إن التي الذي بعد على عن في قد كان لا لم ما من هذا هذه هو هي و
और एक का कि की के को था थे थी में से है हैं पर यह वह तो ने भी हो
"""
STOP_WORDS: frozenset[str] = frozenset(_STOP.split())

_NEGATORS = {
    "en": "no not none never nor neither cannot without unless except excepting excluding only if until till but however"
    " provided subject may might could should would barely hardly scarcely rarely seldom nothing nobody nowhere lack"
    " lacks fail fails failed deny denies denied refuse refuses refused prohibited forbidden void least most more less"
    " than under over exceed exceeds exceeding notwithstanding save whether when where while unlikely alleged allegedly"
    " reportedly false untrue some partly partially merely limited unable illegal nearly almost about approximately case"
    " cases event events condition conditions conditional conditionally once twice after before prior upon within during"
    " up down non un prohibit prohibits prevent prevents prevented forbid forbids bar bars barred ban bans banned cease"
    " ceases ceased stop stops stopped avoid avoids avoided lose loses lost instead rather assuming supposing pending"
    " absent absence zero ex former formerly ought doesnt dont didnt isnt arent wasnt wont cant cannt aint free exempt unwilling extent permitted pursuant fee discretion approval long whenever given lieu place failing theory seemingly purportedly supposedly part usually"
    " generally typically sometimes often normally initially temporarily now first latest maximum minimum apart aside equal"
    " regardless despite although though still yet anymore longer lest else lacking minus writing consent permission request"
    " nil pretend pretends claim claims seem seems try tries hope hopes want wants wish wishes intend intends threaten"
    " threatens decline declines forget forgets omit omits neglect neglects half quarter double supposed intended against contrary otherwise",
    "de": "nicht kein keine keinem keinen keiner keines nie niemals niemand nichts weder ohne außer ausgenommen nur wenn"
    " falls sofern soweit solange bis aber jedoch sondern vorbehaltlich kaum selten mindestens höchstens mehr weniger als"
    " unter über kann könnte dürfte sollte teilweise angeblich fast etwa ungefähr lediglich ausschließlich verboten"
    " unzulässig allenfalls fall falle fälle bedingung bedingungen vor nach bei binnen innerhalb während einmal zweimal"
    " verhindert verhindern verbietet verbieten untersagt untersagen antrag zustimmung anstelle obwohl trotz gelegentlich meist regel normalerweise ungeachtet unmöglich"
    " unfähig nimmermehr keinesfalls mitnichten abgesehen bloß wenigstens maximal minimal zumindest vorläufig derzeit"
    " ehemals früher sobald gegebenenfalls eventuell möglicherweise vermutlich keineswegs sei denn statt anstatt gegen sonst un",
    "fr": "ne n pas non aucun aucune jamais rien personne ni sans sauf hormis excepté seulement si jusque mais toutefois"
    " cependant sous peut pourrait moins plus que guère peu presque environ uniquement interdit partiellement quand cas condition conditions avant après pendant lors dans fois interdit interdire"
    " parfois généralement lieu malgré quoique demande accord éventuellement maximum lorsque refuse refusent"
    " nullement empêche contre sinon",
    "es": "no ni nunca jamás nada nadie ningún ninguna ninguno sin salvo excepto solo sólo solamente si hasta pero sino"
    " siempre cuando puede podría menos más que apenas casi aproximadamente únicamente prohibido parcialmente tampoco caso condición condiciones antes después durante dentro vez prohíbe impide"
    " tras veces generalmente lugar aunque previa previo permiso quizás quizá máximo mientras niega niegan"
    " contra",
    "it": "non né mai nulla niente nessun nessuna nessuno senza salvo eccetto tranne solo soltanto se finché ma però"
    " quando può potrebbe meno più che quasi circa unicamente vietato parzialmente neanche caso condizione condizioni prima dopo durante entro volta vieta impedisce contro"
    " talvolta generalmente luogo benché richiesta consenso eventualmente massimo mentre rifiuta rifiutano",
    "nl": "niet geen nooit niets niemand noch zonder behalve tenzij alleen slechts als indien mits tot maar echter kan"
    " zou minder meer dan bijna ongeveer uitsluitend verboden gedeeltelijk wanneer geval voorwaarde voorwaarden voor na tijdens binnen keer verbiedt verhindert"
    " soms meestal plaats hoewel verzoek toestemming eventueel maximaal terwijl weigert weigeren"
    " tegen anders bij",
    "pt": "não nem nunca jamais nada ninguém nenhum nenhuma sem salvo exceto só somente apenas se até mas porém quando"
    " pode poderia menos mais que quase aproximadamente unicamente proibido parcialmente caso condição condições antes depois após durante dentro vez proíbe impede"
    " vezes geralmente lugar embora pedido consentimento talvez máximo enquanto recusa recusam"
    " contra",
}
NEGATORS: dict[str, frozenset[str]] = {lang: frozenset(words.split()) for lang, words in _NEGATORS.items()}
"""Words that negate, limit, compare or make a statement conditional, by language. No list, no elision."""

ALL_NEGATORS: frozenset[str] = frozenset().union(*NEGATORS.values())
"""Evidence may say the wrong language of itself: what is left out is looked up in every list."""

NEGATING_PREFIXES: dict[str, tuple[str, ...]] = {
    "en": ("un", "non", "dis", "mis", "anti", "contra", "danger", "harm"),
    "de": ("un", "nicht", "miss", "gefährlich", "schädlich"),
    "fr": ("dés", "mal", "anti", "contre", "danger", "nuisible", "inap", "inc", "int", "inv"),
    "es": ("des", "anti", "contra", "pelig", "inap", "inc", "int", "inv"),
    "it": ("dis", "anti", "contro", "pericol", "inad", "inc", "int", "inv"),
    "nl": ("on", "anti", "gevaar", "schadelijk"),
    "pt": ("des", "anti", "contra", "perig", "inad", "inc", "int", "inv"),
}
"""Beginnings of words that may turn a statement; a word left out that begins so refuses the elision."""
