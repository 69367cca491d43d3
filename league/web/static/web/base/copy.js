/* One tap copies what stands in a text area. Where the browser has no clipboard for this page (it wants https), the text
   is selected and copied the old way; where that fails too it stays selected, to be copied by hand. */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text.value);
    return true;
  } catch {
    text.hidden = false;
    text.focus();
    text.select();
    return document.execCommand("copy");
  }
}

for (const link of document.querySelectorAll("[data-copy]")) {
  link.addEventListener("click", async (event) => {
    event.preventDefault();
    const done = await copy(document.getElementById(link.dataset.copy));
    const label = link.querySelector("[data-label]");
    const said = document.querySelector("[data-copied]");
    if (!done) return;
    said.textContent = label.dataset.done;
    const before = label.textContent;
    label.textContent = label.dataset.done;
    setTimeout(() => {
      label.textContent = before;
      said.textContent = "";
    }, 2500);
  });
}
