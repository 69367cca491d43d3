/* The reader's own match, at the top of the first page: score, state, call and place as they are now, and after its end the
   next match. It follows the stream of the page (follow.js). Without JavaScript the page shows that of its loading
   (home/mine.html). */
import { read } from "../base/busy.js";
import { follow } from "../base/follow.js";

const PAUSE = 15_000;
const STOP_AFTER = 3 * 60 * 60 * 1000;
const started = Date.now();

const card = (root = document) => root.querySelector("[data-mine]");

/* A running score of the own match without a place here is news too. Any result may move the place in the standings, and
   a new round brings matches. */
const concerns = ({ match, competition, more }) => more || Boolean(competition) || card().dataset.own === String(match);

const pause = () => (Date.now() - started > STOP_AFTER ? 0 : PAUSE);

/* The link that somebody stands on keeps the focus. */
function renew(fresh) {
  const held = card().contains(document.activeElement) && document.activeElement.getAttribute("href");
  card().replaceWith(fresh);
  if (held) card().querySelector(`a[href="${CSS.escape(held)}"]`)?.focus({ preventScroll: true });
}

async function look() {
  try {
    const answer = await fetch(card().dataset.mine, { headers: { Accept: "text/html" }, cache: "no-store" });
    if (!answer.ok) return;
    const fresh = card(await read(answer));
    if (fresh && !fresh.isEqualNode(card())) renew(fresh);
  } catch {
    /* The network is away; the next look may find it back. */
  }
}

follow({ look, pause, concerns });
