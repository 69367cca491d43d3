/* The bracket by mouse, finger and keyboard: zoom, pan, a small map, the path of a player, and a way from match to match
   that is heard. The drawing comes from the server; what is drawn is marked with classes only (bracket.css). */
const MOST = 3;
const STEP = 1.25;
const MAP_FROM = 32; // matches: more than 32 players
const DRAG = 5; // pixels from a click to a drag
const viewer = document.querySelector("[data-bracket]");
const frame = viewer.querySelector(".scroll");
const drawing = frame.querySelector("svg");
const tools = viewer.querySelector(".viewer-tools");
const said = viewer.querySelector("[data-heard]");
const field = document.getElementById("player");
const boxes = [...drawing.querySelectorAll(".box")];
const edges = [...drawing.querySelectorAll(".edge")];
const bySlot = new Map(boxes.map((box) => [box.dataset.slot, box]));
const [wide, high] = ["width", "height"].map((side) => parseFloat(drawing.getAttribute(side)));
const calm = matchMedia("(prefers-reduced-motion: reduce)");
let scale = 1;
let here = null;
let pinned = viewer.dataset.followed;

/* ------------------------------------------------------------------ size */
function least() {
  const one = parseFloat(getComputedStyle(drawing).fontSize);
  return Math.min(1, frame.clientWidth / (wide * one), frame.clientHeight / (high * one));
}

/* `at`: the point of the frame that stays where it is, in pixels from its corner. */
function zoom(to, at = [frame.clientWidth / 2, frame.clientHeight / 2]) {
  const next = Math.min(Math.max(to, least()), MOST);
  const held = [(frame.scrollLeft + at[0]) / scale, (frame.scrollTop + at[1]) / scale];
  scale = next;
  drawing.setAttribute("width", `${wide * scale}em`);
  drawing.setAttribute("height", `${high * scale}em`);
  frame.scrollTo({ left: held[0] * scale - at[0], top: held[1] * scale - at[1], behavior: "instant" });
  tools.querySelector("[data-percent]").textContent = Math.round(scale * 100);
  tools.querySelector("[data-zoom=out]").disabled = scale <= least() + 0.001;
  tools.querySelector("[data-zoom=in]").disabled = scale >= MOST;
  look();
}

const sizes = { in: () => scale * STEP, out: () => scale / STEP, fit: least, one: () => 1 };
tools.hidden = false;
tools.addEventListener("click", (event) => {
  const button = event.target.closest("[data-zoom]");
  if (button) zoom(sizes[button.dataset.zoom]());
});

function within(event) {
  const box = frame.getBoundingClientRect();
  return [event.clientX - box.left, event.clientY - box.top];
}

/* The wheel alone scrolls the page, until somebody works in the drawing. */
frame.addEventListener(
  "wheel",
  (event) => {
    if (!event.ctrlKey && !event.metaKey && document.activeElement !== frame) return;
    event.preventDefault();
    zoom(scale * Math.exp(-event.deltaY / 400), within(event));
  },
  { passive: false },
);

let pinch = null;
const apart = ([one, two]) => Math.hypot(one.clientX - two.clientX, one.clientY - two.clientY);
frame.addEventListener("touchstart", (event) => {
  pinch = event.touches.length === 2 ? { apart: apart(event.touches), scale } : null;
});
frame.addEventListener(
  "touchmove",
  (event) => {
    if (!pinch || event.touches.length !== 2) return;
    event.preventDefault();
    const [one, two] = event.touches;
    const middle = { clientX: (one.clientX + two.clientX) / 2, clientY: (one.clientY + two.clientY) / 2 };
    zoom((pinch.scale * apart(event.touches)) / pinch.apart, within(middle));
  },
  { passive: false },
);

/* ------------------------------------------------------------------ moving it by mouse; a finger scrolls by itself */
let drag = null;
let dragged = false;
let touched = false;
frame.addEventListener("dragstart", (event) => event.preventDefault());
frame.addEventListener("pointerdown", (event) => {
  touched = event.pointerType !== "mouse";
  dragged = false;
  if (touched || event.button) return;
  drag = { x: event.clientX, y: event.clientY, left: frame.scrollLeft, top: frame.scrollTop };
});
addEventListener("pointermove", (event) => {
  if (!drag) return;
  const [x, y] = [event.clientX - drag.x, event.clientY - drag.y];
  dragged = dragged || Math.hypot(x, y) > DRAG;
  if (!dragged) return;
  frame.classList.add("dragged");
  frame.scrollTo({ left: drag.left - x, top: drag.top - y, behavior: "instant" });
});
for (const end of ["pointerup", "pointercancel"]) {
  addEventListener(end, () => {
    drag = null;
    frame.classList.remove("dragged");
  });
}

/* ------------------------------------------------------------------ the small map */
let map = null;

function shape(name, facts) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(facts)) made.setAttribute(key, value);
  return made;
}

function chart() {
  map = shape("svg", { class: "minimap", viewBox: drawing.getAttribute("viewBox"), "aria-hidden": "true" });
  for (const box of boxes) {
    const from = box.querySelector("rect");
    const facts = ["x", "y", "width", "height"].map((key) => [key, from.getAttribute(key)]);
    map.append(shape("rect", { ...Object.fromEntries(facts), "data-of": box.dataset.slot }));
  }
  map.append(shape("rect", { class: "window" }));
  viewer.append(map);
  const go = (event) => {
    const box = map.getBoundingClientRect();
    const part = [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
    frame.scrollTo({
      left: part[0] * frame.scrollWidth - frame.clientWidth / 2,
      top: part[1] * frame.scrollHeight - frame.clientHeight / 2,
      behavior: "instant",
    });
  };
  map.addEventListener("pointerdown", (event) => {
    map.setPointerCapture(event.pointerId);
    go(event);
  });
  map.addEventListener("pointermove", (event) => event.buttons && go(event));
}

/* Where the frame is on the map; there is none while all of the drawing is to be seen. */
function look() {
  if (!map) return;
  const { width, height } = drawing.viewBox.baseVal;
  const drawn = drawing.getBoundingClientRect();
  const part = [width / drawn.width, height / drawn.height];
  const hidden = Math.max(frame.scrollWidth - frame.clientWidth, frame.scrollHeight - frame.clientHeight);
  map.classList.toggle("all", hidden <= 1);
  const facts = {
    x: frame.scrollLeft * part[0],
    y: frame.scrollTop * part[1],
    width: Math.min(frame.clientWidth * part[0], width),
    height: Math.min(frame.clientHeight * part[1], height),
  };
  for (const [key, value] of Object.entries(facts)) map.querySelector(".window").setAttribute(key, value);
}

frame.addEventListener("scroll", look, { passive: true });
addEventListener("resize", () => zoom(scale));

/* ------------------------------------------------------------------ the path of a player */
const isBye = (box) => box.classList.contains("bye");
const namesOf = (box) => [...box.querySelectorAll(".name[data-code]")];
const stands = (box, code) => namesOf(box).some((name) => name.dataset.code === code);

function tonesOf(code) {
  const own = boxes.filter((box) => stands(box, code));
  const tones = new Map();
  if (!code || !own.length) return tones;
  for (const box of boxes) tones.set(box.dataset.slot, own.includes(box) ? "on" : "off");
  let at = own[own.length - 1];
  const won = at.querySelector(".name.won"); // not official yet, else the way would lead on from a later match
  if (!(at.hasAttribute("data-open") || isBye(at)) || (won && won.dataset.code !== code)) return tones;
  while ((at = bySlot.get(at.dataset.after)) && tones.get(at.dataset.slot) === "off") {
    tones.set(at.dataset.slot, "future");
  }
  return tones;
}

/* A player who lost a match and went on below stands at both of its ends: only who came by an edge has it strong. */
function edgeTone({ from, to, row }, tones, code) {
  const name = bySlot.get(to).querySelectorAll(".name")[row];
  if (name.dataset.code) return name.dataset.code === code ? "on" : "off";
  return tones.get(to) === "future" && tones.get(from) !== "off" ? "future" : "off";
}

function show(code) {
  const tones = tonesOf(code);
  const paint = (one, tone) => {
    one.classList.remove("on", "off", "future");
    if (tone) one.classList.add(tone);
  };
  for (const box of boxes) paint(box, tones.get(box.dataset.slot));
  for (const name of drawing.querySelectorAll(".name")) name.classList.toggle("followed", name.dataset.code === code);
  for (const edge of edges) paint(edge, tones.size && edgeTone(edge.dataset, tones, code));
  for (const mark of map ? map.querySelectorAll("[data-of]") : []) paint(mark, tones.get(mark.dataset.of));
}

/* Kept, said and in the address, so that it can be sent on; "" for nobody. */
function pin(code, name = "") {
  pinned = code;
  show(code);
  const address = new URL(location.href);
  if (code) address.searchParams.set("player", code);
  else address.searchParams.delete("player");
  history.replaceState(history.state, "", address);
  if (field && field.tagName === "SELECT") field.value = code;
  say(code ? viewer.dataset.path.replace("{name}", name) : viewer.dataset.noPath);
}

function say(text) {
  said.textContent = text;
}

/* The name that is pointed at: the upper or the lower half of its box. */
function nameAt(event) {
  const box = event.target.closest && event.target.closest(".box");
  if (!box || event.target.closest(".where, .sign")) return null;
  const middle = box.querySelector(".middle"); // a bye has one row
  const row = !middle || event.clientY < middle.getBoundingClientRect().top ? 0 : 1;
  return box.querySelectorAll(".name")[row] || null;
}

frame.addEventListener("pointermove", (event) => {
  if (event.pointerType !== "mouse" || drag) return;
  const name = nameAt(event);
  show((name && name.dataset.code) || pinned);
});
frame.addEventListener("pointerleave", () => show(pinned));
frame.addEventListener("click", (event) => {
  if (dragged) {
    event.preventDefault();
    return;
  }
  const name = nameAt(event);
  if (!name || !name.dataset.code) return;
  const link = name.closest("a");
  // A finger cannot point: its first tap shows the path, the next one opens the match.
  if (link && (!touched || pinned === name.dataset.code)) return;
  event.preventDefault();
  stand(name.closest(".box"), { quiet: true });
  pin(pinned === name.dataset.code ? "" : name.dataset.code, name.dataset.name);
});
if (field && field.tagName === "SELECT") {
  field.addEventListener("change", () => {
    const own = boxes.filter((box) => stands(box, field.value));
    if (field.value && !own.length) return; // in another part: the button asks for it
    pin(field.value, field.selectedOptions[0].textContent);
    if (own.length) stand(own[own.length - 1], { quiet: true });
  });
}

/* ------------------------------------------------------------------ the keyboard: one stop, then from match to match */
const place = (box) => ["x", "y"].map((key) => Number(box.querySelector("rect").getAttribute(key)));
const matches = boxes.filter((box) => !isBye(box));
const before = (box) => matches.filter((one) => one.dataset.after === box.dataset.slot);
const column = (box) => matches.filter((one) => place(one)[0] === place(box)[0]);

function stand(box, { quiet = false, instant = false } = {}) {
  if (!box) return;
  if (here) here.classList.remove("here");
  here = box;
  here.classList.add("here");
  const [outer, inner] = [frame.getBoundingClientRect(), box.getBoundingClientRect()];
  const middle = [inner.left - outer.left + inner.width / 2, inner.top - outer.top + inner.height / 2];
  const left = frame.scrollLeft + middle[0] - frame.clientWidth / 2;
  const top = frame.scrollTop + middle[1] - frame.clientHeight / 2;
  frame.scrollTo({ left, top, behavior: instant || calm.matches ? "instant" : "smooth" });
  if (!quiet) say(box.dataset.said);
}

function beside(step) {
  const all = column(here).sort((one, two) => place(one)[1] - place(two)[1]);
  return all[all.indexOf(here) + step];
}

function nextPath() {
  const names = namesOf(here);
  const following = names[names.findIndex((name) => name.dataset.code === pinned) + 1];
  if (following) pin(following.dataset.code, following.dataset.name);
  else pin("");
}

function last() {
  const end = Math.max(...boxes.map((box) => place(box)[0]));
  return boxes.find((box) => place(box)[0] === end);
}

const keys = {
  ArrowRight: () => stand(bySlot.get(here.dataset.after)),
  ArrowLeft: () => stand(before(here)[0]),
  ArrowUp: () => stand(beside(-1)),
  ArrowDown: () => stand(beside(1)),
  Home: () => stand(last()),
  Enter: () => here.closest("a") && (location.href = here.closest("a").getAttribute("href")),
  " ": nextPath,
  Escape: () => pin(""),
  "+": () => zoom(scale * STEP),
  "=": () => zoom(scale * STEP),
  "-": () => zoom(scale / STEP),
  0: () => zoom(least()),
  "/": () => field?.focus(),
};

frame.addEventListener("keydown", (event) => {
  const act = keys[event.key];
  if (!act || event.ctrlKey || event.metaKey || event.altKey || !here) return;
  event.preventDefault();
  act();
});
frame.addEventListener("focus", () => {
  if (!here || !frame.matches(":focus-visible")) return;
  say(here.dataset.said);
  here.classList.add("here");
});

/* ------------------------------------------------------------------ begin */
viewer.classList.add("live");
frame.setAttribute("role", "application");
if (boxes.length >= MAP_FROM) chart();
const own = pinned ? boxes.filter((box) => stands(box, pinned)) : [];
here = own[own.length - 1] || boxes.find((box) => box.hasAttribute("data-open")) || matches[0];
zoom(1);
show(pinned);
if (own.length) stand(here, { quiet: true, instant: true });
