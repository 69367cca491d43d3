/* The search box: while somebody types, the first names that fit stand below it, to be taken with the arrows and Enter or a
   tap (the combobox pattern of ARIA). Without JavaScript it is a form. */
const PAUSE = 180;
const FEWEST = 2;

function option(row, number, id) {
  const item = document.createElement("li");
  item.id = `${id}-${number}`;
  item.setAttribute("role", "option");
  item.dataset.url = row.url;
  const name = document.createElement("bdi");
  name.textContent = row.name;
  const more = document.createElement("small");
  more.textContent = [row.kind, row.more].filter(Boolean).join(" · ");
  item.append(name, " ", more);
  return item;
}

function suggest(box) {
  const list = document.createElement("ul");
  list.id = `${box.id}-suggestions`;
  list.className = "suggestions";
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", box.labels[0].textContent);
  list.hidden = true;
  const said = document.createElement("span");
  said.className = "hidden";
  said.setAttribute("role", "status");
  box.after(list, said);
  for (const [name, value] of [["role", "combobox"], ["aria-autocomplete", "list"], ["aria-controls", list.id]]) {
    box.setAttribute(name, value);
  }
  let at = -1;
  let asked = "";
  let timer = 0;

  function show(open) {
    list.hidden = !open;
    box.setAttribute("aria-expanded", String(open));
    if (!open) choose(-1);
  }

  function choose(number) {
    at = number;
    [...list.children].forEach((one, place) => one.setAttribute("aria-selected", String(place === at)));
    if (at < 0) return box.removeAttribute("aria-activedescendant");
    box.setAttribute("aria-activedescendant", list.children[at].id);
    list.children[at].scrollIntoView({ block: "nearest" });
  }

  function fill(rows) {
    list.replaceChildren(...rows.map((row, number) => option(row, number, list.id)));
    const words = rows.length === 1 ? box.dataset.one : box.dataset.many.replace("#", rows.length);
    said.textContent = rows.length ? words : box.dataset.none;
    show(rows.length > 0);
  }

  async function ask() {
    const wanted = box.value.trim();
    if (wanted === asked) return;
    asked = wanted;
    if (wanted.length < FEWEST) return show(false);
    try {
      const answer = await fetch(`${box.dataset.suggest}?q=${encodeURIComponent(wanted)}`);
      const { found } = await answer.json();
      if (asked === wanted && document.activeElement === box) fill(found);
    } catch {
      show(false); /* The network is away; the form still works once it is back. */
    }
  }

  box.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(ask, PAUSE);
  });
  box.addEventListener("keydown", (event) => {
    const count = list.children.length;
    if ((event.key === "ArrowDown" || event.key === "ArrowUp") && count) {
      event.preventDefault();
      if (list.hidden) show(true);
      choose(event.key === "ArrowDown" ? (at + 1) % count : (at < 1 ? count : at) - 1);
    } else if (event.key === "Enter" && at >= 0 && !list.hidden) {
      event.preventDefault();
      location.assign(list.children[at].dataset.url);
    } else if (event.key === "Escape" && !list.hidden) {
      event.preventDefault();
      show(false);
    }
  });
  box.addEventListener("blur", () => show(false));
  list.addEventListener("pointerdown", (event) => event.preventDefault());
  list.addEventListener("click", (event) => {
    const row = event.target.closest("[data-url]");
    if (row) location.assign(row.dataset.url);
  });
  show(false);
}

document.querySelectorAll("[data-suggest]").forEach(suggest);
