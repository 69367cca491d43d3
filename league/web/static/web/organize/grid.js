/* The desk's grid with the keyboard alone. A row is saved in the background by Enter; what could not be sent stays
   marked, is kept in this browser and is sent again. The page follows the desk's stream: rows that others changed are
   brought up to date; what is being typed is never touched. */
import { read } from "../base/busy.js";
import { follow } from "../base/follow.js";

const POLL = 5000;
const AGAIN = [1000, 2000, 5000, 10000];
const CARD = /\/t\/([0-9A-Za-z]{12})\//;
const root = document.querySelector("[data-grid]");
const form = root.querySelector("[data-form]");
const words = root.dataset;
const pending = new Map(); // game → the fields as they are sent
let tries = 0;
let sending = false;
let timer = 0;

const rows = () => [...form.querySelectorAll("[data-game]")];
const rowOf = (node) => node.closest?.("[data-game]");
const points = (row) => [...row.querySelectorAll("[data-points]")];
const isOpen = (row) => row.hasAttribute("data-open") && !pending.has(row.dataset.game);
const typedIn = (row) => points(row).some((one) => one.value.trim());
const say = (text) => { root.querySelector("[data-said]").textContent = text; };
const filled = (text, facts) => text.replace(/%\((\w+)\)s/g, (_all, key) => facts[key]);

/* --- In words, at once --- */

function inWords(row) {
  const typed = points(row).map((one) => one.value.trim());
  if (typed.length !== 2 || !typed.every((one) => /^\d{1,6}$/.test(one))) return "";
  const [first, second] = typed.map(Number);
  const names = points(row).map((one) => one.dataset.name);
  const chosen = Number(row.querySelector("[data-winner]")?.value) || 0;
  const winner = chosen || (first > second ? 1 : second > first ? 2 : 0);
  if (!winner) return filled(words.level, { first: names[0], second: names[1], won: first, lost: second });
  const [won, lost] = winner === 1 ? [0, 1] : [1, 0];
  const both = [first, second];
  return filled(words.beats, { winner: names[won], loser: names[lost], won: both[won], lost: both[lost] });
}

function tell(row, text, tone = "") {
  const told = row.querySelector("[data-told]");
  const line = document.createElement("p");
  if (tone) line.className = tone;
  line.textContent = text;
  told.replaceChildren(...(text ? [line] : []));
}

function tellWinner(row) {
  row.classList.remove("wrong");
  points(row).forEach((one) => one.removeAttribute("aria-invalid"));
  tell(row, inWords(row), "words");
  const level = points(row).length === 2 && points(row).every((one) => one.value.trim()) &&
    points(row)[0].value.trim() === points(row)[1].value.trim();
  if (level) row.querySelector(".row-more")?.setAttribute("open", "");
}

/* --- Saving --- */

function fieldsOf(row, insist) {
  const data = new URLSearchParams();
  data.set("act", insist ? `save:${row.dataset.game}` : "save");
  for (const one of row.querySelectorAll("input[name], select[name]")) {
    if (one.type !== "checkbox" || one.checked) data.append(one.name, one.value);
  }
  return data.toString();
}

function keep() {
  try {
    if (pending.size) localStorage.setItem(words.unsent, JSON.stringify([...pending]));
    else localStorage.removeItem(words.unsent);
  } catch { /* A browser without storage keeps it while the page is open. */ }
}

function save(row, insist = false) {
  pending.set(row.dataset.game, fieldsOf(row, insist));
  row.classList.add("unsent");
  row.dataset.words = inWords(row);
  tell(row, `${row.dataset.words} · ${words.waiting}`, "words");
  keep();
  send();
}

async function send() {
  if (sending) return;
  sending = true;
  clearTimeout(timer);
  while (pending.size) {
    const [game, fields] = pending.entries().next().value;
    let answer, body;
    try {
      const token = form.querySelector("[name=csrfmiddlewaretoken]").value;
      answer = await fetch(location.pathname, {
        method: "POST",
        headers: { Accept: "application/json", "X-CSRFToken": token, "Content-Type": "application/x-www-form-urlencoded" },
        body: fields,
      });
      if (answer.status !== 200 && answer.status !== 422) throw new Error(answer.status);
      body = await answer.json();
    } catch {
      for (const one of pending.keys()) {
        const row = document.getElementById(`game-${one}`);
        if (row) tell(row, `${row.dataset.words ?? ""} · ${words.failed}`, "error");
      }
      say(words.failed);
      timer = setTimeout(send, AGAIN[Math.min(tries++, AGAIN.length - 1)]);
      sending = false;
      return;
    }
    tries = 0;
    // Typed anew while it was under way: that is sent next.
    if (pending.get(game) === fields) pending.delete(game);
    keep();
    settle(document.getElementById(`game-${game}`), body);
  }
  sending = false;
  look();
}

function settle(row, body) {
  if (!row) return say(body.error || body.said);
  row.classList.remove("unsent");
  const where = row.querySelector(".where strong").textContent;
  if (!body.error) {
    points(row).forEach((one) => { one.value = ""; one.defaultValue = ""; });
    row.removeAttribute("data-open");
    row.dataset.version = ""; // the next look replaces the row, even if an earlier one has seen the result
    tell(row, `${body.said}: ${words.saved}`, "words");
    return say(`${where}: ${body.said}, ${words.saved}`);
  }
  row.classList.add("wrong");
  if (body.code === "stale-entry") row.dataset.stale = "yes";
  tell(row, body.error, "error");
  points(row).forEach((one) => one.setAttribute("aria-invalid", "true"));
  say(`${where}: ${body.error}`);
  if (body.code === "who-won") row.querySelector(".row-more")?.setAttribute("open", "");
  if (body.insist) {
    const button = form.querySelector("template[data-insist]").content.firstElementChild.cloneNode(true);
    button.addEventListener("click", (event) => { event.preventDefault(); save(row, true); next(row); });
    row.querySelector("[data-told]").append(button);
  }
}

/* --- Moving --- */

function focus(field) {
  field?.focus();
  field?.select?.();
}

function next(row) {
  const all = rows();
  const after = all.slice(all.indexOf(row) + 1).concat(all.slice(0, all.indexOf(row)));
  focus(points(after.find((one) => isOpen(one) && !typedIn(one)) ?? row)[0]);
}

function beside(field, step) {
  const row = rowOf(field);
  const column = points(row).indexOf(field);
  const able = rows().filter((one) => points(one).length);
  focus(points(able[able.indexOf(row) + step] ?? row)[column]);
}

function enter(row) {
  const typed = points(row);
  const empty = typed.find((one) => !one.value.trim());
  if (!typedIn(row)) return next(row);
  if (empty) {
    focus(empty);
    return tell(row, words.half, "error");
  }
  save(row);
  next(row);
}

function clear(row) {
  points(row).forEach((one) => { one.value = ""; });
  row.querySelectorAll("select").forEach((one) => { one.value = ""; });
  pending.delete(row.dataset.game);
  row.classList.remove("unsent");
  keep();
  tellWinner(row);
}

let scannedAt = 0;

function jump(door) {
  scannedAt = Date.now();
  const row = rows().find((one) => one.dataset.door === door.toUpperCase() && points(one).length) ??
    rows().find((one) => one.dataset.door === door.toUpperCase());
  if (!row) return say(words.noCard), false;
  row.scrollIntoView({ block: "center" });
  const field = points(row)[0];
  if (field) return focus(field), true;
  row.tabIndex = -1;
  row.focus();
  return true;
}

let loose = "";

document.addEventListener("keydown", (event) => {
  const field = event.target;
  const row = rowOf(field);
  const isPoints = field.matches?.("[data-points]");
  if (event.key === "Enter" && Date.now() - scannedAt < 400) return event.preventDefault(); // the scanner's own
  if (!field.matches?.("input, select, textarea")) {
    // A scanner types wherever the focus happens to be.
    loose = event.key.length === 1 ? (loose + event.key).slice(-200) : loose;
    const found = CARD.exec(loose);
    if (found) {
      event.preventDefault();
      loose = "";
      jump(found[1]);
    }
  }
  if ((event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === "z") {
    const mayUndoTyping = field.matches?.("input:not([type=checkbox])") && field.value;
    const undo = form.querySelector("[data-undo]");
    if (mayUndoTyping || !undo) return;
    event.preventDefault();
    return takeBack(undo);
  }
  if (!row || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.key === "Enter" && field.matches("[data-points], [data-signed], [data-winner]")) {
    event.preventDefault();
    enter(row);
  } else if (event.key === "Escape" && points(row).length) {
    event.preventDefault();
    clear(row);
    focus(points(row)[0]);
  } else if (isPoints && (event.key === "ArrowUp" || event.key === "ArrowDown")) {
    event.preventDefault();
    beside(field, event.key === "ArrowDown" ? 1 : -1);
  }
});

form.addEventListener("input", (event) => {
  const field = event.target;
  const row = rowOf(field);
  if (!row) return;
  if (field.matches("[data-points]")) {
    const found = CARD.exec(field.value);
    if (found) {
      field.value = field.dataset.before ?? "";
      tellWinner(row);
      jump(found[1]);
      return;
    }
    if (/^\d*$/.test(field.value)) field.dataset.before = field.value;
  }
  if (field.matches("[data-points], [data-winner]")) tellWinner(row);
});

document.getElementById("scan").form.addEventListener("submit", (event) => {
  event.preventDefault();
  const field = document.getElementById("scan");
  const found = CARD.exec(`${field.value.trim().replace(/\/?$/, "/")}`) ?? /^([0-9A-Za-z]{12})$/.exec(field.value.trim());
  field.value = "";
  if (!found || !jump(found[1])) say(words.noCard);
});
document.getElementById("scan").addEventListener("input", (event) => {
  const found = CARD.exec(event.target.value);
  if (found && jump(found[1])) event.target.value = "";
});

/* --- Taking back --- */

async function takeBack(button) {
  const data = new URLSearchParams({ act: button.value });
  const reasons = button.closest("[data-game]")?.querySelectorAll("[name^=decide-], [name^=disagree-]") ?? [];
  for (const one of reasons) data.append(one.name, one.value);
  button.disabled = true;
  try {
    const token = form.querySelector("[name=csrfmiddlewaretoken]").value;
    const answer = await fetch(location.pathname, {
      method: "POST",
      headers: { Accept: "application/json", "X-CSRFToken": token },
      body: data,
    });
    const body = await answer.json();
    if (body.to) return location.assign(body.to);
    say(body.error || body.said);
    notice(body.error || body.said, Boolean(body.error));
    button.disabled = false;
  } catch {
    button.disabled = false;
    say(words.failed);
  }
  look();
}

function notice(text, isBad) {
  const line = root.querySelector("[data-notice]");
  line.hidden = false;
  line.className = isBad ? "notice bad" : "notice";
  line.textContent = text;
}

form.addEventListener("click", (event) => {
  const button = event.target.closest?.("button[name=act]");
  const [act] = (button?.value ?? "").split(":");
  if (!["undo", "choose", "confirm", "disagree"].includes(act)) return;
  event.preventDefault();
  takeBack(button);
});

form.addEventListener("submit", (event) => {
  if (event.submitter && event.submitter.value !== "save") return; // a ruling, or "all the same": as without a script
  event.preventDefault();
  for (const row of rows()) if (typedIn(row) && row.hasAttribute("data-open")) enterQuietly(row);
});

function enterQuietly(row) {
  const empty = points(row).find((one) => !one.value.trim());
  if (empty) return tell(row, words.half, "error");
  save(row);
}

/* --- What others do --- */

function isTouched(row) {
  return row.contains(document.activeElement) && document.activeElement.matches("input, select") ||
    typedIn(row) || pending.has(row.dataset.game) || row.querySelector(".row-more[open]") !== null;
}

function bringUp(fresh) {
  const before = new Map(rows().map((row) => [row.dataset.game, row]));
  const list = form.querySelector(".grid-rows");
  const freshRows = [...fresh.querySelectorAll("[data-game]")];
  const now = new Set(freshRows.map((row) => row.dataset.game));
  for (const row of before.values()) {
    if (!now.has(row.dataset.game) && !isTouched(row)) row.remove();
  }
  let last = null;
  for (const one of freshRows) {
    const old = before.get(one.dataset.game);
    if (!old) {
      last ? last.after(one) : list?.prepend(one);
      last = one;
      continue;
    }
    last = old;
    if (old.dataset.stale) {
      // It was told that somebody entered something else: the next Enter counts.
      old.querySelector("[data-after]").value = one.querySelector("[data-after]").value;
      delete old.dataset.stale;
    }
    if (old.dataset.version === one.dataset.version && old.hasAttribute("data-open") === one.hasAttribute("data-open")) continue;
    if (isTouched(old)) {
      // What is typed stays; beside it stands what is known now.
      const state = old.querySelector("[data-state]");
      if (!state.contains(document.activeElement) && old.dataset.version !== one.dataset.version) {
        const more = state.querySelector(".row-more[open]") !== null;
        state.replaceWith(one.querySelector("[data-state]"));
        if (more) old.querySelector(".row-more")?.setAttribute("open", "");
        old.dataset.version = one.dataset.version;
        if (typedIn(old) && !pending.has(old.dataset.game) && !old.classList.contains("wrong")) say(words.changed);
        else if (!typedIn(old)) old.querySelector("[data-after]").value = one.querySelector("[data-after]").value;
      }
      continue;
    }
    old.replaceWith(one);
    last = one;
  }
  for (const part of ["[data-count]", "[data-updated]", "[data-recent]"]) {
    const old = root.querySelector(part);
    if (!old.contains(document.activeElement)) old.replaceWith(fresh.querySelector(part));
  }
}

let looking = false;
let again = false; // asked for while the answer to an earlier question was on its way

async function look() {
  again = looking;
  if (looking) return;
  looking = true;
  try {
    const answer = await fetch(location.pathname, { headers: { Accept: "text/html" } });
    if (!answer.ok || answer.redirected) throw new Error(answer.status);
    bringUp(await read(answer));
    root.querySelector("[data-lost]").hidden = true;
  } catch {
    root.querySelector("[data-lost]").hidden = false;
  }
  looking = false;
  if (again) await look();
}

follow({ look, pause: () => POLL });
addEventListener("beforeunload", (event) => { if (pending.size) event.preventDefault(); });

/* --- At the beginning --- */

try {
  for (const [game, fields] of JSON.parse(localStorage.getItem(words.unsent) ?? "[]")) {
    pending.set(game, fields);
    const row = document.getElementById(`game-${game}`);
    const typed = new URLSearchParams(fields);
    row?.classList.add("unsent");
    if (row) points(row).forEach((one) => { one.value = typed.get(one.name) ?? ""; });
    if (row) row.dataset.words = inWords(row);
  }
} catch { /* Nothing was kept. */ }
if (pending.size) send();
const isElsewhere = document.activeElement !== document.body; // typing began before this script was there
if (!isElsewhere && !form.dataset.jump && !form.querySelector(".wrong")) focus(points(rows().find(isOpen) ?? form)[0]);
