"""The site's icons: strokes on a 24 x 24 box, drawn with the colour of the text beside them."""

ICONS: dict[str, str] = {
    "check": "M5 12.5l4.5 4.5L19 7.5",
    "amended": "M4 17l4.5 3L20 8.5 16.5 5 5 16.5zM14 7.5l3.5 3.5",
    "alert": "M12 3.5L2.5 20h19zM12 10v4.5M12 17.4v.1",
    "stop": "M8 3h8l5 5v8l-5 5H8l-5-5V8zM9 9l6 6M15 9l-6 6",
    "part": "M12 3a9 9 0 109 9M12 7v5l3.5 2M15.5 3.8a9 9 0 014.7 4.7",
    "unreadable": "M6 3h8l4 4v14H6zM14 3v4h4M10.2 12.2a1.9 1.9 0 113 1.5c-.8.5-1.2.9-1.2 1.8M12 18v.1",
    "clock": "M12 3a9 9 0 100 18 9 9 0 000-18M12 7v5.3l3.5 2.2",
    "seal": "M12 3a6 6 0 100 12 6 6 0 000-12M9.4 9l1.9 1.9L14.8 7.4M8.5 14.2L7 21l5-2.5L17 21l-1.5-6.8",
    "scales": "M12 4v16M7 20h10M5 7h14M5 7l-2.5 6h5zM19 7l-2.5 6h5z",
    "note": "M12 3a9 9 0 100 18 9 9 0 000-18M12 11v5.5M12 7.6v.1",
    "upload": "M12 16V5M7.5 9.5L12 5l4.5 4.5M4 19h16",
    "download": "M12 5v11M7.5 11.5L12 16l4.5-4.5M4 19h16",
    "user": "M12 4a4 4 0 100 8 4 4 0 000-8M4.5 20c1-4 4-5.5 7.5-5.5s6.5 1.5 7.5 5.5",
    "search": "M10.5 4a6.5 6.5 0 100 13 6.5 6.5 0 000-13M15.5 15.5L21 21",
    "crown": "M4 17.5h16M4 14.5l-1-8 5 4 4-6 4 6 5-4-1 8z",
    "calendar": "M4 6h16v14H4zM4 10.5h16M8.5 3.5V7M15.5 3.5V7",
    "bracket": "M4 5h6v6h4M4 17h6v-6M14 11h6",
    "back": "M14.5 5.5L8 12l6.5 6.5",
}
