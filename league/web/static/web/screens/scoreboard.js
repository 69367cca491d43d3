/* Says a score that moved, once. The page itself is put in anew by hall.js. */
import "../base/fresh.js";

const score = () => document.querySelector("[data-score]").dataset.score;
let told = score();

document.addEventListener("looked", () => {
  if (score() === told) return;
  told = score();
  document.querySelector("[data-said]").textContent = told;
});
