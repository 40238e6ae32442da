// A double click sends a form once: the second sending would end the first, with what its response says.
let sent = new WeakMap();
addEventListener('submit', (event) => {
  if (event.defaultPrevented) return;
  if (event.timeStamp - sent.get(event.target) < 5000) event.preventDefault();
  else sent.set(event.target, event.timeStamp);
});
addEventListener('pageshow', () => (sent = new WeakMap()));
