"""Legibility: which text cannot be read, and why; what is read is English in plain characters.

Whatever passes through here unflagged is taken for English by everything after it: a German
negation, a Chinese date, `1O0` or `１００` would be lost without a word.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from functools import lru_cache

from groundrules.models.encoder import FOLDER

#: The most words of a statement that are read as one sentence.
LONGEST_SENTENCE = 400


def unreadable(text: str, around: str = "") -> str:
    """Return why a statement cannot be read, in words for a report, empty if it can.

    `around` is the language of the text about it, as `language` returns it: a line too short to
    tell anything is taken to be in that language.
    """
    if not text.isascii():
        why = _disguised(text) or _script(text) or _characters(text)
        if why:
            return why
    elif _CONTROL.search(text):
        return "a control character within a word"
    return _figures(text) or _noise(text) or _tongue(text, around)


def language(text: str) -> str:
    """Return the language of a text or paragraph where it clearly is not English, else ""."""
    return (_script(text) if not text.isascii() else "") or _tongue(text, whole=True)


# --- scripts ----------------------------------------------------------------------------------

#: First code point of each range of letters and the script it belongs to; "" is Latin or none.
_SCRIPTS: tuple[tuple[int, str], ...] = (
    (0x0000, ""),
    (0x0370, "Greek script"),
    (0x0400, "Cyrillic script"),
    (0x0530, "Armenian script"),
    (0x0590, "Hebrew script"),
    (0x0600, "Arabic script"),
    (0x0700, "Syriac script"),
    (0x0750, "Arabic script"),
    (0x0780, "Thaana script"),
    (0x07C0, "another script"),
    (0x0860, "Syriac script"),
    (0x0870, "Arabic script"),
    (0x0900, "Devanagari script"),
    (0x0980, "Bengali script"),
    (0x0A00, "Gurmukhi script"),
    (0x0A80, "Gujarati script"),
    (0x0B00, "Odia script"),
    (0x0B80, "Tamil script"),
    (0x0C00, "Telugu script"),
    (0x0C80, "Kannada script"),
    (0x0D00, "Malayalam script"),
    (0x0D80, "Sinhala script"),
    (0x0E00, "Thai script"),
    (0x0E80, "Lao script"),
    (0x0F00, "Tibetan script"),
    (0x1000, "Burmese script"),
    (0x10A0, "Georgian script"),
    (0x1100, "Korean script"),
    (0x1200, "Ethiopic script"),
    (0x13A0, "Cherokee script"),
    (0x1400, "another script"),
    (0x1780, "Khmer script"),
    (0x1800, "Mongolian script"),
    (0x1900, "another script"),
    (0x1C80, "Cyrillic script"),
    (0x1C90, "Georgian script"),
    (0x1CC0, "another script"),
    (0x1D00, ""),
    (0x1F00, "Greek script"),
    (0x2000, ""),
    (0x2C00, "another script"),
    (0x2C60, ""),
    (0x2C80, "another script"),
    (0x2DE0, "Cyrillic script"),
    (0x2E00, ""),
    (0x2E80, "Chinese script"),
    (0x3000, ""),
    (0x3005, "Chinese script"),
    (0x3008, ""),
    (0x3031, "Japanese script"),
    (0x3036, ""),
    (0x3041, "Japanese script"),
    (0x3100, "Chinese script"),
    (0x3130, "Korean script"),
    (0x3190, "Chinese script"),
    (0x31F0, "Japanese script"),
    (0x3200, ""),
    (0x3400, "Chinese script"),
    (0xA000, "another script"),
    (0xA640, "Cyrillic script"),
    (0xA6A0, "another script"),
    (0xA700, ""),
    (0xA800, "another script"),
    (0xA960, "Korean script"),
    (0xA980, "another script"),
    (0xAB30, ""),
    (0xAB70, "Cherokee script"),
    (0xABC0, "another script"),
    (0xAC00, "Korean script"),
    (0xD800, ""),
    (0xF900, "Chinese script"),
    (0xFB00, ""),
    (0xFB13, "Armenian script"),
    (0xFB1D, "Hebrew script"),
    (0xFB50, "Arabic script"),
    (0xFE00, ""),
    (0xFE70, "Arabic script"),
    (0xFEFF, ""),
    (0xFF66, "Japanese script"),
    (0xFFA0, "Korean script"),
    (0xFFDD, ""),
    (0x10000, "another script"),
    (0x1B000, "Japanese script"),
    (0x1B170, "another script"),
    (0x1D000, ""),
    (0x1E000, "another script"),
    (0x1F000, ""),
    (0x20000, "Chinese script"),
    (0x323B0, ""),
)
_STARTS = [start for start, _ in _SCRIPTS]
#: A sign of these scripts says as much as some letters of an alphabet.
_WEIGHTS = {"Chinese script": 3, "Japanese script": 2, "Korean script": 2}
#: The largest share of foreign letters that a readable statement has, and with what it quotes.
_SHARE, _SHARE_QUOTED = 0.2, 0.6
_BEYOND_LATIN = re.compile(r"[\u0370-\u1cff\u1f00-\u1fff\u2c00-\ua6ff\ua800-\U00032fff]")
_LETTERS = re.compile(r"[^\W\d_]+")
_QUOTED = re.compile(
    r"\([^()]{0,400}(?:\)|\Z)|\[[^][]{0,400}\]|\"[^\"]{0,400}\"|“[^“”]{0,400}”|«[^«»]{0,400}»"
    r"|‘[^‘’]{0,400}’|「[^「」]{0,400}」"
)


def _script(text: str) -> str:
    """Return the foreign script that a text is written in for more than a small share."""
    if not _BEYOND_LATIN.search(text):
        return ""
    script = _main_script(text, _SHARE_QUOTED)
    return script or _main_script(_QUOTED.sub(" ", text), _SHARE)


def _main_script(text: str, share: float) -> str:
    counts: dict[str, int] = {}
    for word in _LETTERS.findall(text):
        if word.isascii():
            counts[""] = counts.get("", 0) + len(word)
            continue
        scripts = [_SCRIPTS[bisect_right(_STARTS, ord(letter)) - 1][1] for letter in word]
        if scripts == ["Greek script"]:
            continue  # the sign of a quantity, an angle, a letter of a formula
        for script in scripts:
            counts[script] = counts.get(script, 0) + _WEIGHTS.get(script, 1)
    total = sum(counts.values())
    foreign = total - counts.pop("", 0)
    if not foreign or foreign <= share * total:
        return ""
    # Japanese is written in Chinese signs and its own
    if counts.get("Japanese script", 0) * 5 > foreign:
        return "Japanese script"
    return max(counts, key=lambda script: counts[script])


# --- characters -------------------------------------------------------------------------------

# what is shown as nothing (Cf, fillers, variation selectors), but for the soft hyphen
_INVISIBLE = (
    "\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\ufeff\ufff9-\ufffb\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"
    "\ufe00-\ufe0f\U000110bd\U000110cd\U00013430-\U0001345f\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_PLAIN = "0-9A-Za-z\u00c0-\u024f"
_MARKS = "\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f"
_ALIKE = "асеорхуіјѕһԁԛԝӏАВЕЅІЈКМНОРСТХУҮԚԜЗ"
_CONTROL = re.compile(rf"(?<=[{_PLAIN}])[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f](?=[{_PLAIN}])")

#: What a character or its place says; the first that is found is the reason.
_REASONS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (reason, re.compile(pattern))
    for reason, pattern in (
        ("a replacement character in place of a letter", r"(?<!\A)\ufffd|\A\ufffd(?!\s)"),
        (
            "a character of private use",  # at the very beginning it is a bullet of Wingdings
            r"(?<!\A)[\ue000-\uf8ff\U000f0000-\U0010fffd]"
            r"|\A[\ue000-\uf8ff\U000f0000-\U0010fffd](?!\s)",
        ),
        ("digits of another script", r"[^\D0-9]"),
        # 1️⃣ is a list number
        (
            "an invisible character within a number",
            rf"\d(?!\ufe0f\u20e3)[{_INVISIBLE}]|[{_INVISIBLE}]\d|\d\u00ad+\d",
        ),
        ("a character that turns the direction of writing", r"[\u202d\u202e]"),
        (
            "an invisible character within a word",
            rf"[{_PLAIN}](?!\ufe0f\u20e3)[{_INVISIBLE}]+[{_PLAIN}{_MARKS}]",
        ),
        (
            "an invisible character beside a word",
            rf"[{_PLAIN}](?!\ufe0f)[{_INVISIBLE}]|[{_INVISIBLE}][{_PLAIN}]"
            # a hidden message in tag characters; a flag is one too, behind its emoji
            r"|(?<![\U0001f3f4\U000e0020-\U000e007f])[\U000e0020-\U000e007f]",
        ),
        (
            "letters of two scripts within a word",
            # Greek stands beside Latin letters in science (TNFα, κB, μm), yet hardly within a word
            r"[A-Za-z\u00c0-\u024f0-9][\u0400-\u052f\u0531-\u058a\u10a0-\u10ff\u13a0-\u13ff]"
            r"|[\u0400-\u052f\u0531-\u058a\u10a0-\u10ff\u13a0-\u13ff][A-Za-z\u00c0-\u024f0-9]"
            r"|[a-z][αγεηικνορτυω][a-z]|[A-Za-z]{2}[ΑΒΕΖΗΙΚΜΝΟΡΤΥΧοιν]"
            r"|[ΑΒΕΖΗΙΚΜΝΟΡΤΥΧο][A-Za-z]{2}|\d[ΟοΙι]|[ΟοΙι]\d",
        ),
        ("full-width letters", r"[Ａ-Ｚａ-ｚ](?:[Ａ-Ｚａ-ｚ]|\w)|\w[Ａ-Ｚａ-ｚ]"),
        (
            "a sign of another script beside a number",
            r"\d[！-／：-＠￠-￦٪٫٬]|[！-／：-＠￠-￦٪٫٬]\d",
        ),
        (
            "letters of mathematical notation",
            r"[\U0001d400-\U0001d7cb][\U0001d400-\U0001d7cb\w]|[A-Za-z][\U0001d400-\U0001d7cb]",
        ),
        (
            "letters in circles or squares",
            r"[\u249c-\u24e9\U0001f110-\U0001f189]{2}|\w[\u24b6-\u24e9]|[\u24b6-\u24e9]\w",
        ),
        (
            "digits in circles",
            r"[\u2460-\u249b\u24ea-\u24ff\u2776-\u2793]{2}"
            r"|\d[\u2460-\u249b\u24ea-\u24ff\u2776-\u2793]"
            r"|[\u2460-\u249b\u24ea-\u24ff\u2776-\u2793]\d",
        ),
        ("Roman numerals within a word", r"[a-z][\u2160-\u2188]|[\u2160-\u2188][a-z]"),
        ("small or raised letters", r"[ᴀ-ᴣꜰꜱʀɪʏɴʟʜʙɢ]{4}|[\u1d2c-\u1d6aʰ-ʸˡ-ˣⁿᶜᶠᵗ]{4}"),
        ("raised or lowered digits within a number", r"\d[⁰¹²³⁴-⁹₀-₉]+[.,]?[0-9]"),
        (
            "a power in raised digits",  # 10¹ and 10² may be a number and the mark of a footnote
            r"[×x·*]\s?10[⁻⁰¹²³⁴-⁹]|(?<![\d.,])10(?:[⁻⁺][⁰¹²³⁴-⁹]|[³⁴-⁹](?![\w,]))",
        ),
        ("a ligature within a number", r"\b[Tt]?[Ww]?[a-z]{0,6}-?(?:ﬁ(?:ve|fth|ft|rst)|ﬂfty)"),
        ("letters struck through", r"\w[\u0334-\u0338\u20d2\u20d3\u20d8-\u20da\u20e5\u20e6]"),
        ("combining marks in excess", rf"[{_MARKS}]{{3}}"),
        ("a control character within a word", _CONTROL.pattern),
        (
            "letters of a wrong encoding",  # UTF-8 read as Windows-1252
            r"â€[™œ\x9d“”˜¢¦\x9c\x98\x99\x93\x94]|Ã[©¨¼¶¤±³¡ªº\xad§]|Â[£§°±·»«\xa0]|ï¿½|ï»¿",
        ),
    )
)
# one look tells most texts from those with a reason: quotes, dashes, accents, currencies are plain
_SUSPECT = re.compile(
    rf"[{_INVISIBLE}\u00ad\ufffd\ue000-\uf8ff{_MARKS}\u0370-\u1fff⁰-₉\u2070-\u2094¹²³"
    r"\u2160-\u2188\u2460-\u24ff\u2776-\u2793\ua600-\uffff\U00010000-\U0010ffff"
    r"ʀɪʏɴʟʜʙɢʰ-ʸˡ-ˣâÃÂï\x80-\x9f]|[^\D0-9]"
)
_MIXED = re.compile(rf"[{_PLAIN}][\u0400-\u052f]|[\u0400-\u052f][{_PLAIN}]")
_CYRILLIC_SMALL = re.compile(r"[\u0430-\u045f\u0461-\u052f]")  # NATO may be СССР
_CYRILLIC_OWN = re.compile(rf"(?![{_ALIKE}])[\u0400-\u052f]")


def _characters(text: str) -> str:
    """Return which character of a text is not what it seems, or is lost."""
    if not _SUSPECT.search(text):
        return ""
    for reason, pattern in _REASONS:
        if pattern.search(text):
            return reason
    return ""


def _disguised(text: str) -> str:
    """Return that words of a text are Cyrillic and look as Latin ones do.

    A Russian phrase has a letter that Latin lacks, "рау а" among English words has none.
    """
    if _CYRILLIC_SMALL.search(text) and not _CYRILLIC_OWN.search(text):
        found = _MIXED.search(text)
        return "" if found else "letters of two scripts that look alike"
    return ""


# --- figures ----------------------------------------------------------------------------------

# a chain of figures such as 1O0, 1,8O0, 12/O5/2024 that nothing but figures is joined to
_FIGURES = re.compile(
    r"(?<![\w@#&?=\\+\-/.])(?<![0-9OoIlSBZ][,:])(?P<money>[$£€¥]\s?)?"
    r"(?P<chain>(?=[0-9OoIlSBZ])(?=[0-9OoIlSBZ.,:/\-]{0,100}[OoIlSBZ])(?=[OoIlSBZ.,:/\-]{0,100}[0-9]|(?<=[$£€¥])[OlI]{2})"
    r"[0-9OoIlSBZ]{1,100}(?:[.,:/\-][0-9OoIlSBZ]{1,100}){0,20})"
    r"(?P<unit>mg|kg|km|cm|mm|ml|am|pm|bn|mn|th|st|nd|rd|k|m|(?=[\s.,;:!?)\]%'’\"”–—]|\Z))"
    r"(?![\w@=\\])(?!\.\w)"
)
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b"
)
_COUNTED = re.compile(
    rf"\s?(?:%|percent\b|per cent\b|(?:(?:calendar|business|working)\s)?(?:day|week|month|year|hour"
    rf"|minute)s?\b|dollars?\b|euros?\b|pounds?\b|thousand\b|million\b|billion\b|{_MONTH})",
    re.IGNORECASE,
)
_AFTER_MONTH = re.compile(rf"\b{_MONTH}\.?\s\Z", re.IGNORECASE)
_OXYGEN = re.compile(r"[1-9]O[23]")
_CHEMISTRY = re.compile(r"[→⟶⇌+=]|->|oxygen|oxid|reactive", re.IGNORECASE)
_NAMES = {"O": "the letter O", "o": "the letter O", "I": "the letter I", "l": "the letter l",
          "S": "the letter S", "B": "the letter B", "Z": "the letter Z"}  # fmt: skip


def _figures(text: str) -> str:
    """Return which letter stands among digits where only a number can be meant.

    O, I and l between digits or O behind them; before them, and S, B and Z anywhere, only in money,
    percentages, dates and what is counted: B6, S2, A10, 5S, 10K, H2O, I95 are names and codes.
    """
    for found in _FIGURES.finditer(text):
        chain = found["chain"]
        if _OXYGEN.fullmatch(chain) and _CHEMISTRY.search(text):
            continue
        sure = bool(
            found["money"]
            or _COUNTED.match(text, found.end("chain"))
            or _AFTER_MONTH.search(text, max(0, found.start() - 12), found.start())
            or re.search(r"\d,[0-9OoIlSBZ]{3}(?!\w)|[0-9OIl]:[0-9OIl]{2}(?!\w)|/.*/", chain)
        )
        for part in re.split(r"[.,:/\-]", chain):
            letter = _misplaced(part, sure, len(part) < len(chain))
            if letter:
                return f"{_NAMES[letter]} among digits"
    return ""


def _misplaced(part: str, sure: bool, joined: bool) -> str:
    """Return the letter that stands for a digit; `sure` says that the part must be a number."""
    if part.isdigit() or (not joined and not sure and part.isalpha()):
        return ""
    if re.fullmatch(r"0o[0-7]+", part):
        return ""  # an octal number of a programming language
    patterns = [r"\d([OoIl])[OoIl]*\d", r"\d[OoIl]*(O)[Oo]*\Z", r"\A(l)[OoIl\d]{2}\Z"]
    if sure:
        patterns += [r"\d([SBZ])[OoIlSBZ]*\d", r"\A([OIlSBZ])[OoIlSBZ]*\d", r"\d(o)\Z",
                     r"\d([Il])\Z", r"\A([OIl])[OIl]*\Z"]  # fmt: skip
    for pattern in patterns:
        found = re.search(pattern, part)
        if found:
            return found[1]
    return ""


# --- noise ------------------------------------------------------------------------------------

_GLYPHS = re.compile(r"\(cid:\d{1,6}\)")
_LOST = re.compile(r"(?:(?<=\s)|\A)\?{2,}(?=\s|\Z)[^?]{0,40}(?<=\s)\?{2,}(?=[\s.,]|\Z)|[□▯]{3}")
_STOP = re.compile(r"[.?!][\"'”’)\]]{0,2}\s")
_SIGN = re.compile(r"[^\w\s]")


def _noise(text: str) -> str:
    """Return what stands where words are expected."""
    if _GLYPHS.search(text):
        return "numbers of glyphs in place of letters"
    if _LOST.search(text):
        return "question marks in place of letters"
    if len(text) > 2 * LONGEST_SENTENCE:  # a word and a blank are two characters at least
        length = max(len(part.split()) for part in _STOP.split(text))
        if length > LONGEST_SENTENCE:
            return f"a sentence of {length} words"
    signs = len(_SIGN.findall(text))
    # a rule, dots of a table of contents or a row of dashes are few signs many times
    if signs >= 16 and len(set(_SIGN.findall(text))) >= 8:
        letters = len(text) - signs - sum(map(text.count, " \t\r\n_"))
        if letters * 4 < signs:
            return "signs in place of letters"
    return ""


# --- languages --------------------------------------------------------------------------------

#: Words that English prose has everywhere and no other language has.
_ENGLISH = frozenset(
    """
    the of and to that is was for it with as his be by at are this have from or had not but what
    were when there an your which their said if each she how will up other about out many then
    them these some her would like him into has look two more could see than been who its now
    my made did down only may after before between under over through during against without
    within upon shall must should might cannot any all both neither nor either such same own
    where why whose whom while because although though until unless whether since also very just
    you they we our us he i me on in a no so do does done being having he's it's don doesn isn wasn
    first second third one three four five six seven eight nine ten new other another every most
    """.split()
)
#: By language: what only it has, also capitalised at the beginning; what English or a name has
#: too; words that tell a language though they are no function words; its own letters.
_TONGUES: dict[str, tuple[str, str, str, str]] = {
    "German": (
        """
        nicht ist wird werden wurde wurden worden dass daß eine einer einem einen eines für
        mit auf sich auch nach bei oder aus zum zur vom beim kein keine keiner keinen keinem
        keines haben sind durch über unter bis nur wenn aber wie sein seine seiner seinen
        seinem ihre ihrer ihren ihrem wir sie ihr ihm ihn uns mich dich diese dieser dieses
        diesem diesen jede jeder jedes jedem jeden welche welcher welches können kann konnte
        konnten müssen muss muß musste soll sollen sollte darf dürfen durfte wollen möchte
        hatte hatten waren wäre hätte würde würden gegen ohne zwischen während wegen seit
        noch schon sehr mehr immer nie niemals weil damit sowie sondern jedoch bereits
        spätestens mindestens höchstens innerhalb gemäß etwa zwei drei vier fünf sechs
        sieben acht neun zehn bist seid ich nichts etwas dort dann denn doch daher dabei
        danach davon dazu hierzu soweit sofern ob wo wer wem wen deren dessen denen beträgt
        gilt erhält zahlt zahlen erfolgt liegt steht gibt geht macht kommt bleibt endet
        beginnt haftet verpflichtet berechtigt gehört nimmt lässt
        """,
        """
        der die das den dem des und ein zu im in an am was so war also hat man es von als
        will hier um bin du er falls
        """,
        """
        mieter mieterin vermieter vermieterin miete mietvertrag vertrag kündigung kaution
        tage tagen monat monate monaten jahr jahre jahren gesellschaft firma kosten uhr euro
        prozent januar februar märz mai juni juli oktober dezember montag dienstag mittwoch
        donnerstag freitag samstag sonntag verboten monatlich jährlich schriftlich
        """,
        "äöüß",
    ),
    "French": (
        """
        est une dans que qui pas sont avec ce cette ces mais ont été être avoir fait leur
        leurs nous vous ils elles elle je tu nos vos ses mes ou où donc ni ne sans sous
        entre depuis pendant avant après chez vers très aussi alors comme plusieurs tous
        tout toute toutes même si lorsque quand puis ainsi cela ceci quel quelle aucun
        aucune jamais rien moins peut peuvent doit doivent sera seront était étaient avait
        avaient auront soit fut celui celle ceux afin lors selon contre jusqu deux trois
        quatre cinq sept huit neuf dix aujourd qu ayant étant paie payer paye
        """,
        """
        de la le il du et en au a à par sur un on se son l d s c j m n lui me moi toi les des
        pour aux sa dont plus aura y
        """,
        """
        bailleur locataire loyer contrat jours mois ans année années janvier février mars
        avril juin juillet août septembre octobre novembre décembre lundi mardi mercredi
        jeudi vendredi samedi dimanche société interdit garantie mensuel préavis
        """,
        "àâçèéêëîïôùûœ",
    ),
    "Spanish": (
        """
        una que por para como más pero sus fue este esta estos estas ese esa eso esto está
        están ser han había muy sobre entre hasta desde cuando donde quien porque cual
        también nos unos unas todo todos toda todas otro otra otros otras ni él ella ellos
        ellas sí puede pueden debe deben deberá deberán será serán tiene tienen hay hace
        según durante contra antes después cada dos tres cuatro cinco seis siete ocho nueve
        diez nunca siempre nada algo mientras aunque así si ningún ninguna ninguno fueron
        sido siendo estaba eran cuyo cuya dicho dicha paga pagar pagará
        """,
        """
        de la el en y a un es se con del no me te mi tu o e solo sea los las son ha sin ya
        le les lo al su era
        """,
        """
        arrendador arrendatario inquilino alquiler renta contrato días mes meses año años
        enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre
        diciembre lunes martes miércoles jueves viernes sábado domingo empresa sociedad
        mensual
        """,
        "áéíóúñ¿¡",
    ),
    "Italian": (
        """
        il che dello degli nel nella nelle nei negli dal dalla dalle dai alla alle allo agli
        sul sulla sulle sui una uno gli è sono anche più questo questa questi queste quello
        quella essere stato stata stati hanno aveva avere perché quando dove chi cui suo sua
        suoi loro ogni tutti tutto tutta tutte altro altri altra dopo prima tra fra senza
        sotto sopra contro durante secondo entro fino ancora già sempre mai molto deve
        devono può possono sarà saranno viene vengono erano fu quattro cinque sei sette otto
        nove dieci nessun nessuna nessuno qualora oppure dell nell dall sull paga pagare
        """,
        """
        di la lo i e a un in con per su da del al se si le o ne ci della delle dei non
        come ha ma solo era due ed
        """,
        """
        locatore conduttore inquilino affitto canone contratto giorni mese mesi anno anni
        gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre
        dicembre lunedì martedì mercoledì giovedì venerdì sabato domenica euro società
        mensile
        """,
        "àèéìòù",
    ),
    "Portuguese": (
        """
        não uma que para mais mas foi são está estão ser ter tem têm às aos pelo pela pelos
        pelas seu sua seus suas este esta estes estas esse essa isso isto ele ela eles elas
        quando onde quem porque também já sem sobre entre até desde muito muitos nos nas num
        numa dum duma das ao os outro outra outros outras todo toda todos todas pode podem
        deve devem deverá será serão havia tinha segundo durante contra antes depois cada
        dois duas três quatro cinco sete oito nove dez nunca sempre nada nem você nós nenhum
        nenhuma qualquer foram sido sendo eram cujo cuja ou paga pagar
        """,
        "de a o e em do da dos no na um se as é por eu me te com à era",
        """
        locador locatário inquilino aluguel arrendamento contrato dias mês meses ano anos
        janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro
        dezembro sábado domingo empresa sociedade mensal
        """,
        "ãõáâàçéêíóôú",
    ),
    "Dutch": (
        """
        het een niet zijn wordt worden werd werden voor aan bij uit naar ook maar hij zij
        wij jullie hun haar deze dit dat geen kan kunnen moet moeten zal zullen zou zouden
        mag mogen heeft hebben wanneer indien omdat dus toch nog wel zeer meer veel alle
        alleen tegen tussen onder tijdens zonder binnen tot vanaf sinds wie wat waar hoe
        twee drie vier vijf zes zeven acht negen tien nooit altijd iets niets iemand niemand
        elke ieder iedere welke wiens ervan hiervan daarvan waarbij echter volgens tenzij
        dient betaalt betalen bedraagt geldt
        """,
        """
        de van en in is op te ten ter er door om of als over dan den der u je ik me hem was
        die met want
        """,
        """
        huurder verhuurder huur huurovereenkomst overeenkomst dagen maand maanden jaar jaren
        januari februari maart juni juli augustus oktober maandag dinsdag woensdag donderdag
        vrijdag zaterdag zondag euro vennootschap maandelijks schriftelijk
        """,
        "ëï",
    ),
    "Polish": (
        """
        nie jest się że przez dla jak był była było były są będzie będą oraz lub czy który
        która które którzy którego której tej tego tych tym jego jej ich przed nad przy bez
        może mogą musi muszą powinien być został została zostało zostały tylko już także
        również więc jeśli jeżeli gdy kiedy gdzie bardzo wszystkie wszystkich każdy każda
        żaden żadnej nigdy zawsze dwa trzy cztery pięć sześć siedem osiem dziewięć dziesięć
        mnie jako wynosi płaci zgodnie według między podczas
        """,
        "i w z na do o to a po od za co ma we ze u ale pod",
        """
        najemca wynajmujący czynsz umowa umowy dni miesiąc miesięcy rok roku lat stycznia
        lutego marca kwietnia maja czerwca lipca sierpnia września października listopada
        grudnia złotych spółka
        """,
        "ąćęłńśźż",
    ),
    "Swedish": (
        """
        och att det som är på inte för med har ett kan skall ska från eller vid efter inom
        mellan utan över också ej alla denna detta dessa när där här hur vad vem vilken
        vilket vilka sitt sina hans hennes deras blir blev bli vara varit hade kunde skulle
        måste får fick mycket mot genom enligt tre fyra fem sju åtta nio tio aldrig alltid
        ingen inget inga något någon några bara jag ni han hon dem uppgår betalar betala
        gäller
        """,
        "en i de den om var man sig så vi du ut upp av till men sin",
        """
        hyresgästen hyresvärden hyran hyra avtalet avtal dagar månad månader år januari
        februari mars maj juni juli augusti oktober kronor måndag tisdag onsdag torsdag
        fredag lördag söndag bolaget
        """,
        "åäö",
    ),
    "Danish": (
        """
        og det som ikke til med på har kan skal eller ved efter inden mellem uden også alle
        denne dette disse når hvor hvad hvem hvilken hvilket hvilke sine hans hendes deres
        bliver blev blive være været havde kunne skulle må fik meget gennem ifølge hver
        hvert fem seks syv otte ni ti aldrig altid ingen intet noget nogen nogle jeg han hun
        dem udgør betaler betale gælder
        """,
        "en et i de den at for om var man sig så vi du fra under af er sin sit mere mod fire kun",
        """
        lejeren udlejeren lejer udlejer lejen husleje aftalen aftale dage måned måneder år
        januar februar marts maj juni juli august oktober kroner mandag tirsdag onsdag
        torsdag fredag lørdag søndag selskabet
        """,
        "åæø",
    ),
    "Norwegian": (
        """
        og det som ikke til med på har kan skal eller ved etter innen mellom uten også alle
        denne dette disse når hvor hva hvem hvilken hvilket hvilke sitt sine hans hennes
        deres blir ble bli være vært hadde kunne skulle må fikk mye mot gjennom ifølge hver
        hvert fem seks sju åtte ni ti aldri alltid ingen noe noen jeg han hun dem utgjør
        betaler betale gjelder
        """,
        "en et i de den at for om var man seg så vi du fra under av ei er sin fire bare",
        """
        leietaker leietakeren utleier utleieren husleie leien avtalen avtale dager måned
        måneder år januar februar mars mai juni juli august oktober desember kroner mandag
        tirsdag onsdag torsdag fredag lørdag søndag selskapet
        """,
        "åæø",
    ),
    "Finnish": (
        """
        ja ei että oli ovat olivat hän mutta tai kuin jos niin myös sekä mukaan joka jotka
        jonka joita tämä tämän tässä sen ne niiden hänen kanssa ennen jälkeen aikana ilman
        välillä vielä nyt koska voi voivat täytyy pitää saa saavat eivät ollut olla olisi
        sitä siitä kaikki kolme neljä viisi kuusi seitsemän kahdeksan yhdeksän kymmenen minä
        sinä mitä kuka missä koko vuonna maksaa
        """,
        "on se ole he me te kun vain",
        """
        vuokralainen vuokranantaja vuokra vuokran sopimus sopimuksen päivää päivän kuukausi
        kuukauden kuukautta vuosi vuoden vuotta euroa tammikuuta helmikuuta maaliskuuta
        huhtikuuta toukokuuta kesäkuuta heinäkuuta elokuuta syyskuuta lokakuuta marraskuuta
        joulukuuta
        """,
        "äö",
    ),
    "Turkish": (
        """
        bir için ile olarak olan değil değildir çok daha sonra önce kadar gibi ancak veya
        ama fakat eğer hem bütün tüm bazı hiç hiçbir nasıl neden bunu bunun onun onlar siz
        var yok vardır yoktur olduğu olduğunu edilir edildi etmek etti eder edemez olur oldu
        olacak tarafından göre karşı üzerinde altında arasında içinde iki üç dört beş altı
        yedi sekiz dokuz şu şey ödenir öder ödemek
        """,
        "bu da de en o on mi ki her ne ve kim biz",
        """
        kiracı kiralayan kira bedeli sözleşme sözleşmesi gün ay yıl yılında ocak şubat mart
        nisan mayıs haziran temmuz ağustos eylül ekim kasım aralık lira şirket
        """,
        "çğıöşü",
    ),
    "Czech": (
        """
        je že není jsou byl byla bylo byly být který která které kteří jeho její jejich nebo
        také jako když kde kdy jak při před mezi během podle bez nad může mohou musí nesmí
        bude budou tento tato toto této tohoto už jen pouze velmi více všechny všech každý
        každá žádný žádná nikdy vždy dva dvě tři čtyři pět šest sedm osm devět deset jsem
        jsme však aby protože pokud již činí platí
        """,
        "a i v z s k o u na do to po od za se si ve ze by ne co pro ale pod proto",
        """
        nájemce pronajímatel nájemné nájem smlouva smlouvy dny dnů měsíc měsíce měsíců rok
        roku ledna února března dubna května června července srpna září října listopadu
        prosince korun společnost
        """,
        "áčďéěíňóřšťúůýž",
    ),
    "Romanian": (
        """
        și şi nu este sunt din pentru mai fost sau dar când unde cum avea avut lui lor său
        prin până după înainte între fără asupra despre dintre acest această aceste acestui
        acestei acea toate toți tot foarte poate trebuie va vor fiind două trei patru cinci
        șase șapte nouă zece niciodată întotdeauna nimic ceva dacă deci însă numai doar
        orice fiecare unei unui unor într dintr plătește plăti
        """,
        "de la a în pe cu un o al ai se ce ca că e ei el ea le care fi au sub doi opt ale",
        """
        chiriaș chiriașul proprietar proprietarul chiria chirie contractul zile lună luni
        ani ianuarie februarie martie aprilie iunie iulie septembrie octombrie noiembrie
        decembrie lei societatea
        """,
        "ăâîșțşţ",
    ),
    "Hungarian": (
        """
        és nem hogy egy volt ez azt ezt csak már még vagy lesz kell lehet minden több után
        előtt között alatt miatt szerint nélkül által mert így úgy ami aki amely amelyek
        akkor amikor ahol nincs vannak voltak volna fogja neki nekik ő ők én kettő három
        négy öt hét nyolc kilenc tíz soha mindig semmi valami köteles fizet
        """,
        "a az is de ha meg el be ki fel le sem van mint fog",
        """
        bérlő bérbeadó bérleti díj szerződés nap napon napos hónap hónapon év évben forint
        társaság
        """,
        "áéíóöőúüű",
    ),
    "Latin": (
        """
        quod quae quam cum sed enim autem sunt esse fuit erat eius ejus ipse ipsa ille haec
        nunc tamen igitur ergo sicut atque neque nec aut vel ubi unde omnis omnes omnia quid
        quis quibus cuius quoque etiam apud sine propter ante semper nihil nisi erit potest
        debet dolor amet elit labore dolore magna aliqua eiusmod tempor consectetur
        adipiscing incididunt minim veniam
        """,
        "et in est non ut ad ex per qui si ab de pro se a e sit ipsum lorem illa hoc",
        "",
        "",
    ),
    "Indonesian": (
        """
        yang dan tidak untuk dengan dari pada dalam adalah akan telah oleh atau juga karena
        dapat tersebut kepada sebagai bahwa bagi lebih harus bukan belum sudah sejak antara
        setelah sebelum saat namun serta jika maka saya kami mereka ialah mempunyai kerana
        """,
        "di ini itu ke dia ada tak",
        """
        penyewa sewa perjanjian hari bulan tahun rupiah januari februari maret mei juni juli
        agustus
        """,
        "",
    ),
    "Catalan": (
        """
        amb dels més però també són és els una aquest aquesta aquests aquestes pel pels fins
        entre sobre quan perquè seva seu seus seves molt tot tots totes poden cal cada dos
        tres quatre cinc sis vuit nou deu mai sempre ni això
        """,
        "de la el i a en un del al per les es va no que ha com hi sense",
        "arrendatari lloguer contracte mes mesos anys gener febrer març",
        "àçèéíïòóúü",
    ),
    "Vietnamese": (
        """
        và của là được không trong cho các một những này với người có đã sẽ tại từ đến khi
        về năm ngày tháng phải hoặc nếu để vào ra trên dưới theo
        """,
        "",
        "",
        "ăâđêôơưạảấầẩẫậắằẳẵặẹẻẽếềểễệỉịọỏốồổỗộớờởỡợụủứừửữựỳỵỷỹ",
    ),
    "Croatian or Serbian": (
        """
        nije koji koja koje kojih bila bilo bili biti će ili kao sve svih samo još već može
        mogu mora moraju nakon prije između tijekom tokom prema bez kod iz što gdje gde kada
        kako ovaj ova ovo taj njegov njegova njihov nema dva tri četiri šest sedam osam
        devet deset nikad uvijek uvek jer ako dok također takođe
        """,
        "i u na je da se za od s o do sa a to te ne su bio ali pet",
        "najmoprimac najmodavac zakupac ugovor ugovora dana mjeseca mjesec meseca godine godina",
        "čćđšž",
    ),
}
#: What a word says that only a language has, and one that English or a name has too.
_SURE, _UNSURE = 2, 1


def _by_word(which: slice) -> dict[str, dict[str, int]]:
    """Return for each word how much it says for which languages."""
    table: dict[str, dict[str, int]] = {}
    for name, columns in _TONGUES.items():
        for column in range(3)[which]:
            for word in columns[column].split():
                table.setdefault(word, {})[name] = _UNSURE if column else _SURE
    return table


_FOREIGN = _by_word(slice(None, None, -1))
#: What counts though it is capitalised within a sentence, as every German noun is.
_TOPICS = _by_word(slice(2, None))
_OWN = frozenset(_by_word(slice(1)))
_SHARED = frozenset(_by_word(slice(1, 2))) - _OWN
_PLAINLY_ENGLISH = _ENGLISH - set(_FOREIGN)
#: Words of English that are written with foreign letters.
_LOANS = frozenset(
    """
    café cafés naïve naïvely naïveté résumé résumés façade façades fiancé fiancée cliché clichés
    clichéd entrée entrées protégé protégée protégés über déjà voilà crème brûlée sautéed sauté
    touché exposé décor début débuts détente précis régime rôle soirée tête élan élite émigré
    émigrés attaché attachés soufflé communiqué piñata jalapeño jalapeños señor señora mañana
    coöperate coöperation naïf château châteaux crêpe crêpes purée pâté rosé café-bar blasé passé
    matinée née né outré risqué fête fêtes à la smörgåsbord doppelgänger jäger führer ångström
    vis-à-vis maté açaí são el niño niña
    """.split()
)
#: Words of Latin and French that lawyers and scholars use in English.
_LATIN_TERMS = frozenset(
    """
    alia mutatis mutandis pari passu bona fide fides fidei res ipsa loquitur judicata ex parte pro
    rata annum capita diem se prima facie quid quo ultra vires vis major majeure habeas corpus mens
    rea actus reus nemo dat quod habet caveat emptor stare decisis obiter dictum dicta ratio
    decidendi sui juris generis locus standi amicus curiae certiorari mandamus nunc tunc lex loci
    fori contractus ab initio ad hoc litem hominem valorem absurdum infinitum nauseam de facto jure
    novo minimis bonis non rem personam camera situ vivo vitro silico absentia loco parentis
    terrorem forma bono tempore tanto hac vice versa et al seq cetera sine qua die post mortem ante
    nolo contendere nolle prosequi nisi per curiam stirpes ibid supra infra viz ipso ejusdem
    noscitur sociis expressio unius exclusio alterius contra proferentem pacta sunt servanda volenti
    fit injuria audi alteram partem uberrima uberrimae delicto inter vivos mortis causa terra
    nullius quantum meruit scienter sub judice poena rosa mala malum prohibitum damnum absque novus
    interveniens restitutio integrum rebus sic stantibus jus cogens erga omnes opinio lis pendens
    alibi forum conveniens culpa modus operandi vivendi magna carta cum laude aequo bono idem ibidem
    passim sic vide versus circa verbatim seriatim arguendo dehors voir dire cy pres laches estoppel
    profit prendre feme sole oyer terminer venire facias fieri quo warranto quantum ne exeat
    allegata probata ignorantia legis neminem excusat habere possessionem cestui que trust autre vie
    bene esse
    """.split()
)
_BORROWED = _ENGLISH | _LATIN_TERMS
_SHAPES = {name: frozenset(letters) for name, (*_, letters) in _TONGUES.items() if letters}
_ADDRESS = re.compile(r"[@/\\_]|\w[.:=]\w")
_STOPPED = re.compile(r"[.?!…][\"'”’»)]{0,2}\s*\Z")
#: The least a text must score: one that ends as a sentence does; another, a title may be; and the
#: part of an English sentence between two English function words.
_ENOUGH_STOPPED, _ENOUGH, _ENOUGH_WITHIN = 3, 4, 8
#: The least it must score a word, and for each English function word.
_A_WORD, _AN_ENGLISH_WORD = 0.3, 6
OTHER = "a language other than English"


def _tongue(text: str, around: str = "", *, whole: bool = False) -> str:
    """Return the other language that a text is in, "" if it is English or nothing tells.

    Its function words must be many and the English ones few: English has names, titles, terms of
    Latin and quotations with some of the former, but among its own.
    """
    words = _LETTERS.findall(text)
    if not words:
        return ""
    shouted = text.isupper()
    said = [word.lower() for word in words] if shouted else [words[0].lower(), *words[1:]]
    if _OWN.isdisjoint(said) and not _PLAINLY_ENGLISH.isdisjoint(said):
        return ""
    points, sure, _ = _scores(said)
    stopped = _STOPPED.search(text) is not None
    for name in sorted(points, key=lambda name: -points[name]):
        if points[name] < max(_ENOUGH_STOPPED, _A_WORD * len(words)):
            continue
        english = _english(said, name)
        least = _ENOUGH_STOPPED if stopped and not english else _ENOUGH
        known = 3 if whole or name == "Latin" else 2 if english else 1
        if (
            points[name] >= max(least, _AN_ENGLISH_WORD * english)
            and len(sure.get(name, ())) >= known
        ):
            return name
    if not whole:
        for name, own in sure.items():
            if len(own) >= 3 and _within(said, name):
                return name
    if points.get(around, 0) > 2 * _english(said, around):
        return around
    if around and _ENGLISH.isdisjoint(said) and max(map(len, words)) > 1:
        return around
    return "" if shouted else _unknown(text, said, stopped)


def _unknown(text: str, said: list[str], stopped: bool) -> str:
    """Return the language of a text, or that it is none we know, where its words are not English.

    What English and legal Latin have too is no evidence here.
    """
    points, sure, strange = _scores([word for word in said if word not in _BORROWED])
    points.pop("Latin", None)
    name = max(points, key=lambda name: points[name]) if points else ""
    english = _english(said, name)
    if english > len(said) // 8:
        return ""
    content, ours = _vocabulary_share(text)
    evidence = max(points[name] if name else 0, strange)
    listed = text.count(",") * 3 > content  # names of drugs, of plants
    if (
        # a title or a name of two or three words that no dictionary has may well be in English
        (stopped and evidence >= 2 and content >= 2 and 3 * ours <= content and not english)
        or (evidence >= 1 and content >= 4 and 4 * ours <= content and not listed)
        or (stopped and content >= 6 and 5 * ours <= content and not listed)
    ):
        return name if sure.get(name) else OTHER
    return ""


def _english(said: list[str], name: str) -> int:
    """Return how many words are function words of English and not of another language."""
    return sum(word in _ENGLISH and name not in _FOREIGN.get(word, ()) for word in said)


def _scores(said: list[str]) -> tuple[dict[str, int], dict[str, set[str]], int]:
    """Return what words score by language, which only that language has, and how many are strange.

    Strange is a word with a letter that English lacks.
    """
    points: dict[str, int] = {}
    sure: dict[str, set[str]] = {}
    strange = 0
    for word, times in Counter(said).items():
        odd = not word.isascii() and word.islower() and max(word) < "\u1f00" and word not in _LOANS
        odd = odd and not _BEYOND_LATIN.search(word)
        strange += odd * times
        says = _FOREIGN.get(word) or _TOPICS.get(word.lower())
        if says is not None:
            for name, worth in says.items():
                points[name] = points.get(name, 0) + worth * times
                if worth == _SURE:
                    sure.setdefault(name, set()).add(word)
        elif odd:
            letters = {letter for letter in word if letter > "\x7f"}
            for name, own in _SHAPES.items():
                if letters <= own:
                    points[name] = points.get(name, 0) + _UNSURE * times
    return points, sure, strange


def _within(said: list[str], name: str) -> bool:
    """Return whether a language has a whole clause between two English function words."""
    score = 0
    for word in said:
        worth = _FOREIGN.get(word, {}).get(name, 0)
        if not worth and word in _ENGLISH:
            score = 0
        score += worth
        if score >= _ENOUGH_WITHIN:
            return True
    return False


def _vocabulary_share(text: str) -> tuple[int, int]:
    """Return how many words of a text tell by their sense, and how many of them are English.

    Capitalised words are names, words of two letters are anything, addresses are no words.
    """
    content = {
        word.lower()
        for place, chunk in enumerate(text.split())
        if not _ADDRESS.search(chunk)
        for word in _LETTERS.findall(chunk)
        if len(word) > 2 and (not place or word.islower())
    }
    content -= {word for word in content if word in _ENGLISH or word in _SHARED}
    return len(content), sum(_is_english(word) for word in content)


_ENDINGS = (
    ("s", ""), ("es", ""), ("d", ""), ("ed", ""), ("ing", ""), ("ing", "e"), ("ly", ""),
    ("er", ""), ("ies", "y"), ("ied", "y"), ("ness", ""), ("able", ""), ("ment", ""), ("less", ""),
    ("ful", ""), ("ation", "e"), ("al", ""),
)  # fmt: skip
_BEGINNINGS = ("un", "re", "non", "pre", "in", "over", "sub", "co", "dis", "mis", "inter", "under",
               "out", "anti", "multi", "micro", "bio")  # fmt: skip


def _is_english(word: str) -> bool:
    if word in _LOANS or word in _LATIN_TERMS:
        return True
    if word in _FOREIGN:
        return False
    known = _vocabulary()
    if word in known:
        return True
    if any(
        word.endswith(ending)
        and len(word) > len(ending) + 2
        and word[: -len(ending)] + instead in known
        for ending, instead in _ENDINGS
    ):
        return True
    return any(word.startswith(begin) and word[len(begin) :] in known for begin in _BEGINNINGS)


@lru_cache(maxsize=1)
def _vocabulary() -> frozenset[str]:
    """Return the whole words of the embedded model's vocabulary: the common words of English."""
    lines = (FOLDER / "vocab.txt").read_text("utf-8").split("\n")
    return frozenset(line for line in lines if len(line) > 2 and line.isascii() and line.isalpha())
