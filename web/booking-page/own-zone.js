const times = [...document.querySelectorAll('ul.times time')];
const note = document.getElementById('own-zone');
const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
const shown = { weekday: 'short', hour: '2-digit', minute: '2-digit' };
const formatIn = (timeZone) => new Intl.DateTimeFormat(document.documentElement.lang, { ...shown, timeZone });
function showOwnTimes() {
  const [here, there] = [formatIn(own), formatIn(note.dataset.zone)];
  const instants = times.map((time) => new Date(time.dateTime));
  if (instants.every((at) => here.format(at) === there.format(at))) return;
  note.textContent = note.dataset.says.replace('{zone}', own);
  note.hidden = false;
  for (const [n, at] of instants.entries()) {
    const small = document.createElement('small');
    small.textContent = here.format(at);
    times[n].after(small);
  }
}
if (own) showOwnTimes();
