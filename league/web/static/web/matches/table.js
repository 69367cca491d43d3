/* At the table: the score in words while it is typed. The page follows the stream of its match (base/follow.js) for what the
   other side did; what is being typed is never touched. A form is sent without leaving the page, so that nothing typed is
   lost where the site does not answer; sent twice, it counts once. */
import { read, reload } from "../base/busy.js";
import { follow } from "../base/follow.js";

const PAUSE = 4000;
/* Typing lets a look pass, and a referee’s call is in no stream. */
const SAFE_PAUSE = 15_000;
const filled = (text, facts) => text.replace(/%\((\w+)\)s/g, (_all, key) => facts[key]);

function tell(form) {
  const fields = [...form.querySelectorAll("[data-points]")];
  const said = form.querySelector("[data-words]");
  const typed = fields.map((one) => one.value.trim());
  if (fields.length !== 2 || !typed.every((one) => /^\d{1,6}$/.test(one))) {
    said.textContent = "";
    return;
  }
  const both = typed.map(Number);
  const names = fields.map((one) => one.dataset.name);
  const chosen = Number(form.querySelector("[data-winner]").value) || 0;
  const winner = chosen || (both[0] > both[1] ? 1 : both[1] > both[0] ? 2 : 0);
  if (!winner) {
    form.querySelector(".row-more").open = true;
    said.textContent = filled(form.dataset.level, { first: names[0], second: names[1], won: both[0], lost: both[1] });
    return;
  }
  const [won, lost] = winner === 1 ? [0, 1] : [1, 0];
  said.textContent = filled(form.dataset.beats, { winner: names[won], loser: names[lost], won: both[won], lost: both[lost] });
}

document.addEventListener("input", (event) => {
  const form = event.target.closest("[data-score]");
  if (form) tell(form);
});

function isBusy(root) {
  const field = document.activeElement;
  return root.querySelector(".review, [role=alert]") !== null || (root.contains(field) && field.matches("input, select")) ||
    [...root.querySelectorAll("input:not([type=hidden])")].some((one) => one.value !== one.defaultValue);
}

const atTable = (page = document) => page.querySelector("[data-at-table]");

function natively(form, submitter) {
  const pressed = document.createElement("input");
  Object.assign(pressed, { type: "hidden", name: submitter?.name ?? "", value: submitter?.value ?? "" });
  form.append(pressed);
  form.submit();
}

function tellUnsent(form, root) {
  const told = document.createElement("p");
  told.className = "notice bad";
  told.dataset.unsentTold = "";
  told.setAttribute("role", "alert");
  told.textContent = root.dataset.unsent;
  form.append(told);
}

addEventListener("submit", async (event) => {
  const { target: form, submitter } = event;
  const root = form.closest("[data-at-table]");
  if (!root) return;
  event.preventDefault();
  if (form.dataset.sending) return;
  form.dataset.sending = "yes";
  form.querySelector("[data-unsent-told]")?.remove();
  const body = new FormData(form);
  if (submitter?.name) body.set(submitter.name, submitter.value);
  try {
    const answer = await fetch(location.pathname, { method: "POST", body, headers: { Accept: "text/html" } });
    const next = atTable(await read(answer));
    if (!next) return natively(form, submitter); // another page: whatever it says
    atTable().replaceWith(next);
    const first = next.querySelector("[role=alert]") ?? next.querySelector("h1");
    first.tabIndex = -1;
    first.focus();
  } catch {
    tellUnsent(form, root);
  }
  delete form.dataset.sending;
});

async function look() {
  const root = atTable();
  if (isBusy(root)) return;
  try {
    const answer = await fetch(location.pathname, { headers: { Accept: "text/html" } });
    const next = atTable(await read(answer));
    if (!next) reload(); // the code is not valid any more
    else if (next.dataset.version !== root.dataset.version && !isBusy(root)) {
      root.replaceWith(next);
      next.querySelector("[data-said]").textContent = next.querySelector(".panel h2")?.textContent ?? "";
    }
  } catch { /* No network: the page stays as it is, and looks again. */ }
}

const concerns = ({ match, more }) => more && atTable().dataset.atTable === String(match);

if (atTable()) follow({ look, pause: () => PAUSE, concerns, safe: SAFE_PAUSE });
