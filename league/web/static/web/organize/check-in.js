/* At the desk: typing narrows the list, Enter checks in the one who is left, and a tap changes the row without a new page.
   The list follows the desk's stream: another desk checks in too. Without JavaScript each tap is a form and the search asks
   the server. */
import { read, swap } from "../base/busy.js";
import { follow } from "../base/follow.js";

const PAUSE = 5000;
const search = document.querySelector("[data-search]");
const field = search.querySelector("input");
const lost = document.querySelector("[data-lost]");
let busy = 0;
let taps = 0;
let late = false; // the list changed while a tap was on its way

const plain = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
const rows = () => [...document.querySelectorAll("[data-list] .arrival")];

function narrow() {
  const wanted = plain(field.value.trim());
  for (const row of rows()) row.hidden = !plain(row.dataset.name).includes(wanted);
}

/* `own`: the answer to a tap here; news of the others leave the message of this desk. */
function put(fresh, own) {
  const next = fresh.querySelector("[data-list]");
  const old = document.querySelector("[data-list]");
  if (!next) throw new Error("no list");
  const open = [...old.querySelectorAll("details[open]")].some((one) => one.contains(document.activeElement));
  if (open) return;
  const counted = old.querySelector("[data-count]").textContent;
  swap(old, next);
  narrow();
  const now = next.querySelector("[data-count]").textContent;
  if (now !== counted) document.querySelector("[data-said]").textContent = now;
  const told = fresh.querySelector(".messages");
  if (own || told) document.querySelector(".messages")?.remove();
  if (told) document.querySelector(".head").before(told);
}

async function look(wanted = location.href, sent = undefined) {
  const before = taps;
  const answer = await fetch(wanted, { headers: { Accept: "text/html" }, ...sent });
  if (!answer.ok) throw new Error(answer.status);
  const fresh = await read(answer);
  if (sent || before === taps) put(fresh, Boolean(sent));
}

addEventListener("submit", async (event) => {
  const form = event.target;
  if (form === search) {
    event.preventDefault();
    const absent = rows().filter((row) => !row.hidden && !row.classList.contains("here"));
    if (field.value.trim() && absent.length === 1) absent[0].querySelector(".arrive").click();
    return;
  }
  if (!form.closest(".arrival")) return;
  event.preventDefault();
  const arrival = form.querySelector(".arrive");
  const body = new FormData(form);
  if (event.submitter?.name) body.set(event.submitter.name, event.submitter.value);
  const coming = event.submitter?.value === "in";
  busy += 1;
  taps += 1;
  try {
    form.closest("details")?.removeAttribute("open");
    await look(form.getAttribute("action"), { method: "POST", body });
    if (coming && arrival && field.value) {
      field.value = "";
      narrow();
      field.focus();
    }
    lost.hidden = true;
  } catch {
    lost.hidden = false;
  } finally {
    busy -= 1;
    if (late) again();
  }
});

field.addEventListener("input", narrow);

async function again() {
  late = busy > 0;
  if (late) return;
  await look().then(
    () => (lost.hidden = true),
    () => (lost.hidden = false),
  );
}

follow({ look: again, pause: () => PAUSE });
narrow();
