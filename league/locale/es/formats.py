"""How dates are written in Spanish: "22 de noviembre de 2026", "22 nov 2026".

Templates write a date in the order of English, `date:"j F Y"`. Django looks a format up by its own text in the module
of the language, so each one that names a month is here under that text, and no template asks for the language.
"""

_DAYS = ("j", "D j", "l j", "l, j")
_HOURS = ("", ", H:i", ", H:i:s")

for _day in _DAYS:
    for _hour in _HOURS:
        globals()[f"{_day} F{_hour}"] = rf"{_day} \d\e F{_hour}"
        globals()[f"{_day} F Y{_hour}"] = rf"{_day} \d\e F \d\e Y{_hour}"
        # M gives a short month a capital in every language, b leaves it as its language has it.
        globals()[f"{_day} M{_hour}"] = f"{_day} b{_hour}"
        globals()[f"{_day} M Y{_hour}"] = f"{_day} b Y{_hour}"
