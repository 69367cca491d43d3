"""Icons of the site: strokes on a 24 x 24 box, in the colour of the adjacent text."""

from django.utils.html import format_html
from django.utils.safestring import SafeString

ICONS: dict[str, str] = {
    "check": "M5 12.5l4.5 4.5L19 7.5",
    "amended": "M4 17l4.5 3L20 8.5 16.5 5 5 16.5zM14 7.5l3.5 3.5",
    "alert": "M12 3.5L2.5 20h19zM12 10v4.5M12 17.4v.1",
    "stop": "M8 3h8l5 5v8l-5 5H8l-5-5V8zM9 9l6 6M15 9l-6 6",
    "part": "M12 3a9 9 0 109 9M12 7v5l3.5 2M15.5 3.8a9 9 0 014.7 4.7",
    "unreadable": "M6 3h8l4 4v14H6zM14 3v4h4M10.2 12.2a1.9 1.9 0 113 1.5c-.8.5-1.2.9-1.2 1.8M12 18v.1",
    "clock": "M12 3a9 9 0 100 18 9 9 0 000-18M12 7v5.3l3.5 2.2",
    "seal": "M12 3a6 6 0 100 12 6 6 0 000-12M9.4 9l1.9 1.9L14.8 7.4M8.5 14.2L7 21l5-2.5L17 21l-1.5-6.8",
    "card": "M5 3.5h14v17H5zM8.5 8.5h7M8.5 12.5h7M8.5 16.5h4",
    "tally": "M5.5 5v14M10 5v14M14.5 5v14M19 5v14M3 16L21.5 8",
    "pen": "M4 20l1.2-4.4L16 4.8l3.2 3.2L8.4 18.8zM13.5 7.3l3.2 3.2",
    "scales": "M12 4v16M7 20h10M5 7h14M5 7l-2.5 6h5zM19 7l-2.5 6h5z",
    "note": "M12 3a9 9 0 100 18 9 9 0 000-18M12 11v5.5M12 7.6v.1",
    "upload": "M12 16V5M7.5 9.5L12 5l4.5 4.5M4 19h16",
    "download": "M12 5v11M7.5 11.5L12 16l4.5-4.5M4 19h16",
    "user": "M12 4a4 4 0 100 8 4 4 0 000-8M4.5 20c1-4 4-5.5 7.5-5.5s6.5 1.5 7.5 5.5",
    "search": "M10.5 4a6.5 6.5 0 100 13 6.5 6.5 0 000-13M15.5 15.5L21 21",
    "crown": "M4 17.5h16M4 14.5l-1-8 5 4 4-6 4 6 5-4-1 8z",
    "calendar": "M4 6h16v14H4zM4 10.5h16M8.5 3.5V7M15.5 3.5V7",
    "play": "M7.5 4.5v15l12-7.5z",
    "pause": "M8 5v14M16 5v14",
    "halt": "M6 6h12v12H6z",
    "plus": "M12 5v14M5 12h14",
    "undo": "M9 14L4 9l5-5M4 9h10a6 6 0 010 12h-3",
    "lock": "M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 017 0v3M12 14.5v2",
    "unlock": "M6 11h12v9H6zM8.5 11V7a3.5 3.5 0 016.7-1.4M12 14.5v2",
    "swap": "M4 8h14M14.5 4.5L18 8l-3.5 3.5M20 16H6M9.5 12.5L6 16l3.5 3.5",
    "bell": "M6 17V11a6 6 0 0112 0v6l2 2H4zM10 21.5h4M12 5V3",
    "sound": "M4 9.5v5h3.5l4.5 4v-13l-4.5 4zM15.5 9a4 4 0 010 6M18 6.5a7.5 7.5 0 010 11",
    "bracket": "M4 5h6v6h4M4 17h6v-6M14 11h6",
    "back": "M14.5 5.5L8 12l6.5 6.5",
    "on": "M9.5 5.5L16 12l-6.5 6.5",
    "first": "M18 5.5L11.5 12l6.5 6.5M7 5.5v13",
    "last": "M6 5.5l6.5 6.5L6 18.5M17 5.5v13",
    "up": "M12 19V6M6.5 11.5L12 6l5.5 5.5",
    "down": "M12 5v13M6.5 12.5L12 18l5.5-5.5",
    "grip": "M9 6v.1M15 6v.1M9 12v.1M15 12v.1M9 18v.1M15 18v.1",
    "remove": "M6 6l12 12M18 6L6 18",
    "lots": "M4 4h16v16H4zM8.5 8.5v.1M15.5 8.5v.1M12 12v.1M8.5 15.5v.1M15.5 15.5v.1",
    "tables": "M3 8.5h18M5.5 8.5V19M18.5 8.5V19M3 5.5h18v3H3z",
    "accessible": "M11 3.2a1.6 1.6 0 100 3.2 1.6 1.6 0 000-3.2M11 8v6h5l3 6M11 10.5h4.5M8.6 11.5a5 5 0 106 7",
    "stream": "M3.5 7h11v10h-11zM14.5 11l6-3.5v9l-6-3.5",
    "show": "M2 12C5 7.5 8 5.5 12 5.5s7 2 10 6.5c-3 4.5-6 6.5-10 6.5S5 16.5 2 12M12 9a3 3 0 100 6 3 3 0 000-6",
}


def icon(name: str) -> SafeString:
    """Draw an icon beside words, hidden from screen readers since it adds no meaning."""
    return format_html(
        '<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d="{}"/></svg>',
        ICONS[name],
    )
