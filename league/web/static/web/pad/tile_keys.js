/* Keys of the tiles, and the halves drawn on them and at the open ends. Tiles with pips have 28 keys, which come with the
   page and never move. Uno Dominoes has 81 tiles: a key for each kind of half, and then the tiles with that half. */
const edition = new URL(import.meta.url).search;
const [{ filled }, { letter }] = await Promise.all(
  ["pad_face", "tile_rules"].map((part) => import(`./${part}.js${edition}`)),
);
const SVG = "http://www.w3.org/2000/svg";

function drawn(name, attributes, ...children) {
  const one = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) one.setAttribute(key, value);
  one.append(...children);
  return one;
}

const faceOf = (colours, half) => (colours.names.includes(half) ? ["", half] : colours.faces[half]);

function mark(colours, words, half, y) {
  const [kind, colour] = faceOf(colours, half);
  const text = drawn("text", { y: 0.17 });
  text.textContent = words.printed[kind] ?? kind;
  return drawn("g", { class: `face ${colour}`, transform: `translate(0 ${y})` }, drawn("use", { href: `#c${colour || "none"}` }), text);
}

/* An open end. */
export function drawnHalf({ colours }, words, half) {
  const rect = () => drawn("rect", { class: "laid-face", x: -0.46, y: -0.46, width: 0.92, height: 0.92, rx: 0.14 });
  const inside = colours ? mark(colours, words, half, 0) : drawn("use", { href: `#h${half}` });
  return drawn("svg", { viewBox: "-.5 -.5 1 1", "aria-hidden": "true" }, rect(), inside);
}

export function spokenHalf({ colours }, words, half) {
  if (!colours) return half;
  const [kind, colour] = faceOf(colours, half);
  const what = words.kinds[kind] ?? kind;
  return colour ? filled(words.half, { colour: words.colours[colour], kind: what }).trim() : what;
}

/* The keys in `place`, whose touch is `act`. */
export class TileKeys {
  constructor(place, act, rules, words) {
    Object.assign(this, { place, act, rules, words, kind: "", kinds: new Map() });
    if (rules.colours) this.sort();
  }

  /* The tiles of each kind, written with that half first. */
  sort() {
    for (const tile of this.rules.tiles) {
      const [one, other] = tile.split("-");
      for (const way of new Set([tile, `${other}-${one}`])) {
        const kind = this.rules.colours.faces[way.split("-")[0]][0];
        this.kinds.set(kind, [...(this.kinds.get(kind) ?? []), way]);
      }
    }
  }

  press(kind) {
    this.kind = kind;
  }

  /* `gone`, `dim` and `pressed` of a tile; `owner`: the seat that has it left, undefined where none has. */
  paint({ gone, dim, pressed, owner }) {
    if (this.rules.colours) this.paintKinds(gone, dim);
    for (const key of this.place.querySelectorAll(`[data-do=${this.act}]`)) {
      const tile = key.dataset.value;
      const seat = owner(tile);
      key.classList.toggle("gone", gone(tile));
      key.classList.toggle("dim", !gone(tile) && dim(tile));
      key.setAttribute("aria-pressed", String(pressed(tile)));
      key.dataset.owner = seat === undefined ? "" : letter(seat);
    }
  }

  paintKinds(gone, dim) {
    for (const key of this.place.querySelectorAll("[data-do=kind]")) {
      const { value } = key.dataset;
      key.setAttribute("aria-pressed", String(value === this.kind));
      key.classList.toggle("dim", this.kinds.get(value).every((tile) => gone(tile) || dim(tile)));
    }
    const keys = this.place.querySelector("[data-keys]");
    if (keys.dataset.kind === this.kind) return;
    keys.dataset.kind = this.kind;
    keys.replaceChildren(...(this.kinds.get(this.kind) ?? []).map((tile) => this.key(tile)));
  }

  key(tile) {
    const { colours } = this.rules;
    const button = document.createElement("button");
    const halves = tile.split("-");
    Object.assign(button.dataset, { do: this.act, value: tile });
    button.type = "button";
    button.className = "tp-key";
    button.setAttribute("aria-label", halves.map((half) => spokenHalf(this.rules, this.words, half)).join(", "));
    const drawing = halves.map((half, place) => mark(colours, this.words, half, place - 0.5));
    button.append(drawn("svg", { viewBox: "-.5 -1 1 2", "aria-hidden": "true" }, drawn("use", { href: "#tile" }), ...drawing));
    return button;
  }
}
