/* Seeds by hand: dragged by a handle, moved by the arrow keys on it or by the buttons, or placed by a typed number. All of it
   happens on the page and is stored by one press; without JavaScript each button is a form of its own. */
const form = document.querySelector("[data-seeding]");
const list = form?.querySelector("[data-seeds]");
const EDGE = 70; // px from the edge of the window, where it begins to roll

if (list) begin();

function begin() {
  const keep = form.querySelector("[data-keep]");
  const told = form.querySelector("[data-told]");
  const first = Number(list.querySelector("input.seed")?.value ?? 1);
  let dirty = "dirty" in form.dataset;
  let held = null;

  const rows = () => [...list.children];
  const rowOf = (node) => node.closest("[data-seeds] > li");

  function number() {
    rows().forEach((row, place) => {
      row.querySelector("input.seed").value = first + place;
      const lone = (name, off) => {
        row.querySelector(`[name="${name}"]`).disabled = off;
      };
      lone("up", place === 0);
      lone("down", place === list.children.length - 1);
    });
  }

  function changed(row) {
    number();
    dirty = true;
    keep.hidden = false;
    told.textContent = form.dataset.said
      .replace("{name}", row.dataset.name)
      .replace("{place}", first + rows().indexOf(row))
      .replace("{count}", first + list.children.length - 1);
  }

  /* To the place `to`, from 0; the focus stays where it was. */
  function put(row, to) {
    const all = rows();
    const from = all.indexOf(row);
    const place = Math.max(0, Math.min(to, all.length - 1));
    if (place === from) return;
    const focus = document.activeElement;
    const before = place < from ? all[place] : all[place].nextSibling;
    list.insertBefore(row, before);
    changed(row);
    if (row.contains(focus)) (focus.disabled ? row.querySelector("[data-grip]") : focus).focus({ preventScroll: false });
  }

  // --- Keys and buttons ---

  list.addEventListener("keydown", (event) => {
    if (!event.target.closest("[data-grip]")) {
      if (event.key === "Enter" && event.target.matches("input.seed")) {
        event.preventDefault();
        place(event.target);
      }
      return;
    }
    const row = rowOf(event.target);
    const at = rows().indexOf(row);
    const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: rows().length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    put(row, to);
  });

  list.addEventListener("click", (event) => {
    const way = event.target.closest('[name="up"], [name="down"]');
    if (!way) return;
    event.preventDefault();
    const row = rowOf(way);
    put(row, rows().indexOf(row) + (way.name === "up" ? -1 : 1));
  });

  /* A number that the page does not have is left to the form, which stores it. */
  function place(field) {
    const wanted = Number(field.value);
    const there = Number.isInteger(wanted) && wanted >= first && wanted < first + list.children.length;
    if (there) put(rowOf(field), wanted - first);
  }

  list.addEventListener("change", (event) => {
    if (event.target.matches("input.seed")) place(event.target);
  });

  // --- Dragging ---

  list.addEventListener("pointerdown", (event) => {
    const grip = event.target.closest("[data-grip]");
    if (!grip || event.button !== 0) return;
    const row = rowOf(grip);
    held = { row, grip, next: row.nextSibling, moved: false };
    grip.setPointerCapture(event.pointerId);
    row.classList.add("held");
  });

  list.addEventListener("pointermove", (event) => {
    if (!held) return;
    roll(event.clientY);
    const over = document
      .elementsFromPoint(event.clientX, event.clientY)
      .map((node) => node.closest?.("[data-seeds] > li"))
      .find((row) => row && row !== held.row);
    if (!over) return;
    const box = over.getBoundingClientRect();
    const before = event.clientY < box.top + box.height / 2;
    const next = before ? over : over.nextSibling;
    if (next === held.row || held.row.nextSibling === next) return;
    list.insertBefore(held.row, next);
    held.moved = true;
  });

  function roll(y) {
    if (y < EDGE) scrollBy(0, -EDGE / 3);
    else if (y > innerHeight - EDGE) scrollBy(0, EDGE / 3);
  }

  function drop(back) {
    if (!held) return;
    const { row, next, moved, grip } = held;
    held = null;
    row.classList.remove("held");
    if (back) list.insertBefore(row, next);
    else if (moved) changed(row);
    grip.focus({ preventScroll: true });
  }

  list.addEventListener("pointerup", () => drop(false));
  list.addEventListener("pointercancel", () => drop(true));
  addEventListener("keydown", (event) => {
    if (event.key === "Escape") drop(true);
  });

  // --- Storing ---

  form.addEventListener("submit", () => {
    dirty = false;
  });
  addEventListener("beforeunload", (event) => {
    if (dirty) event.preventDefault();
  });
  form.querySelector("[data-leave]").addEventListener("click", () => {
    dirty = false;
    location.assign(form.querySelector('[name="back"]') ? form.getAttribute("action") : location.pathname);
  });

  for (const one of document.querySelectorAll("[data-grip], [data-grips]")) one.hidden = false;
  keep.hidden = !dirty;
}
