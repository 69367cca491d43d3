/* A link to a line of the log puts the cursor there. Without JavaScript it leads to the text. */
const text = document.querySelector("textarea[name=text]");

function select(link) {
  const lines = text.value.split("\n");
  const line = Number(link.dataset.line) - 1;
  const start = lines.slice(0, line).reduce((sum, part) => sum + part.length + 1, 0);
  text.focus();
  text.setSelectionRange(start, start + (lines[line] ?? "").length);
  const height = parseFloat(getComputedStyle(text).lineHeight);
  text.scrollTop = Math.max(0, (line - 3) * height);
}

for (const link of document.querySelectorAll("[data-line]")) {
  link.addEventListener("click", (event) => {
    event.preventDefault();
    select(link);
  });
}
