/* The button that opens the browser's own dialogue; without JavaScript that is in its menu. */
for (const button of document.querySelectorAll("[data-print]")) {
  button.classList.remove("unscripted");
  button.addEventListener("click", () => window.print());
}
