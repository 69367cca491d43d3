/* Age of the page's figures, in words. A script that asks the server sends the event "looked", with the answer as a
   document, or with nothing if no answer came. */
const EVERY = 1_000;
const JUST_NOW = 10_000;
const STALE = 30_000;

let looked = performance.now();
let failed = false;
let hour = document.querySelector("[data-fresh]").dataset.at;

/* The line itself may have been put in anew. */
function draw() {
  const line = document.querySelector("[data-fresh]");
  const age = performance.now() - looked;
  const { now, ago, off } = line.dataset;
  const said = failed ? off.replace("{time}", hour) : age < JUST_NOW ? now : ago.replace("{seconds}", Math.floor(age / 1000));
  const place = line.querySelector("[data-fresh-says]");
  if (place.textContent !== said) place.textContent = said;
  const warns = failed || age > STALE;
  line.classList.toggle("stale", warns);
  line.querySelector("[data-fresh-warns]").hidden = !warns;
}

document.addEventListener("looked", ({ detail: fresh }) => {
  failed = !fresh;
  if (fresh) {
    looked = performance.now();
    hour = fresh.querySelector("[data-fresh]").dataset.at;
  }
  draw();
});

/* The stream is alive: what is shown is as it is now. */
document.addEventListener("heard", () => {
  if (!failed) looked = performance.now();
});

draw();
setInterval(draw, EVERY);
