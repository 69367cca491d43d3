/* Keys of the referees' desk: j and k move through the queue, Enter opens (the browser does that). */
for (const hint of document.querySelectorAll(".unscripted")) hint.classList.remove("unscripted");
const links = [...document.querySelectorAll("[data-queue] a")];

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input, select, textarea")) return;
  const step = { j: 1, k: -1 }[event.key];
  if (!step || !links.length) return;
  event.preventDefault();
  const at = links.indexOf(document.activeElement);
  const next = at < 0 ? 0 : Math.max(0, Math.min(links.length - 1, at + step));
  links[next].focus();
});
