/* Who founds a league most often lives in its time zone. A form that came back keeps what was chosen. */
const zones = document.querySelector('select[name="time_zone"]');
const here = Intl.DateTimeFormat().resolvedOptions().timeZone;
if (zones.value === "UTC" && [...zones.options].some(one => one.value === here)) zones.value = here;
