"""How English asks for the rows and columns of a table."""

from __future__ import annotations

from groundrules.claims.english import NOT

#: What a question begins with that asks whether something is so.
WHETHER = frozenset("is are was were did does do has have had".split())
#: What a list is asked for by.
LISTING = frozenset("which what list name show give".split())
#: Words of a question that say nothing of what is asked.
SILENT = frozenset(
    "a an the of in at on by is are was were be been being do does did has have had there that "
    "which who whose please me us still currently now also and".split()
)
#: Words of grammar that change what is asked, and that no column is on.
TURNING = NOT | frozenset(
    "or no all only every each both any but except without than more less most between".split()
)
#: Words that stand for what was named elsewhere.
STANDING = frozenset("it they them he him she her this these those its their".split())
#: Forms of verbs that do not show what noun they make: "keeper", "publication".
VERB_FORMS = {
    "kept": "keep", "paid": "pay", "sent": "send", "taught": "teach", "wrote": "write",
    **dict.fromkeys(("publish", "publishes", "published"), "publication"),
}  # fmt: skip
#: What may link a name to what has it without another word: "the lighthouses in Calder".
BARE_LINKS = frozenset("in of at".split())
#: Words of a column's name that a question may leave out, or say without meaning another column.
OF_COLUMNS = frozenset("date year day name time".split())
#: Columns that say where something is.
PLACES = frozenset(
    "place location address site town city village county country region state province district "
    "office headquarters seat port harbour harbor island continent room building street".split()
)
#: What stands before a date, and what that is to the day of a column.
OF_DAYS = {
    **dict.fromkeys(("in", "on", "during"), "="),
    **dict.fromkeys(("before", "prior to", "earlier than"), "<"),
    **dict.fromkeys(("after", "later than"), ">"),
    **dict.fromkeys(("since", "from"), ">="),
    "by": "<=",
}  # fmt: skip
#: The same of an amount.
OF_AMOUNTS = {
    **dict.fromkeys(("more than", "over", "above", "exceeding", "greater than"), ">"),
    **dict.fromkeys(("less than", "fewer than", "under", "below"), "<"),
    **dict.fromkeys(("at least", "no less than", "no fewer than"), ">="),
    **dict.fromkeys(("at most", "up to", "no more than"), "<="),
    "exactly": "=",
}  # fmt: skip
#: The columns that an adjective measures.
MEASURED = {
    "tall": "height", "high": "height elevation altitude", "long": "length duration",
    "wide": "width", "broad": "width", "deep": "depth", "heavy": "weight mass",
    "large": "area size", "big": "area size", "expensive": "price cost", "fast": "speed",
    "old": "age", "far": "distance", "light": "weight mass", "short": "height length",
    "small": "area size", "cheap": "price cost", "slow": "speed", "shallow": "depth",
    "narrow": "width",
}  # fmt: skip
#: The adjectives of these that ask for the least.
LEAST = frozenset("light short small cheap slow shallow narrow".split())
#: What asks for the greatest or the least value of a column that is named beside it.
EXTREMES = {
    **dict.fromkeys("highest greatest largest biggest most latest last longest".split(), "most"),
    **dict.fromkeys("lowest least smallest fewest earliest first shortest".split(), "least"),
}
#: Before a class, in a question whether all of it is so and behind what asks for a list.
ALL_OF = r"(?:all(?: of)?(?: the)?|every|each)"
#: Units of columns and questions: what they measure, and how much of one unit of that they are.
UNITS = {
    **dict.fromkeys(("m", "metre", "metres", "meter", "meters"), ("length", 1.0)),
    **dict.fromkeys(("km", "kilometres", "kilometers", "kilometre"), ("length", 1000.0)),
    **dict.fromkeys(("cm", "centimetres", "centimeters"), ("length", 0.01)),
    **dict.fromkeys(("mm", "millimetres", "millimeters"), ("length", 0.001)),
    **dict.fromkeys(("ft", "feet", "foot"), ("length", 0.3048)),
    **dict.fromkeys(("inches",), ("length", 0.0254)),
    **dict.fromkeys(("yd", "yards"), ("length", 0.9144)),
    **dict.fromkeys(("mi", "miles"), ("length", 1609.344)),
    **dict.fromkeys(("m2", "square metres", "square meters"), ("area", 1.0)),
    **dict.fromkeys(("km2", "square kilometres", "square kilometers"), ("area", 1e6)),
    **dict.fromkeys(("square miles",), ("area", 1609.344**2)),
    **dict.fromkeys(("square feet",), ("area", 0.3048**2)),
    **dict.fromkeys(("ha", "hectares"), ("area", 1e4)),
    **dict.fromkeys(("acres",), ("area", 4046.8564224)),
    **dict.fromkeys(("g", "grams"), ("mass", 0.001)),
    **dict.fromkeys(("kg", "kilograms", "kilos"), ("mass", 1.0)),
    **dict.fromkeys(("tonnes",), ("mass", 1000.0)),
    **dict.fromkeys(("lb", "pounds"), ("mass", 0.45359237)),
    **dict.fromkeys(("seconds",), ("duration", 1.0)),
    **dict.fromkeys(("min", "minutes"), ("duration", 60.0)),
    **dict.fromkeys(("hours",), ("duration", 3600.0)),
}
