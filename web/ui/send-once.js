// Sends a double-clicked form once. A second request would abort the first and lose its response.
let sent = new WeakMap();
addEventListener('submit', (event) => {
  if (event.defaultPrevented) return;
  if (event.timeStamp - sent.get(event.target) < 5000) event.preventDefault();
  else sent.set(event.target, event.timeStamp);
});
addEventListener('pageshow', () => (sent = new WeakMap()));
