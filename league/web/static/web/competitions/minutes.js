/* "in 6 min" goes on counting; it goes once the hour is there. */
function count() {
  for (const told of document.querySelectorAll("[data-minutes]")) {
    const starts = new Date(told.parentElement.querySelector("time").dateTime);
    const left = Math.ceil((starts - Date.now()) / 60000);
    told.hidden = left <= 0;
    told.querySelector("[data-left]").textContent = told.dataset.words.replace("{n}", left);
  }
}

count();
setInterval(count, 15000);
