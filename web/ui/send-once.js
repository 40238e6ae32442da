// Sends a double-clicked form once. A second request would abort the first and lose its response. What only
// reads, such as an export, can be repeated. Not `.method`: a form may have a field of that name.
let sent = new WeakMap();
addEventListener('submit', (event) => {
  if (event.defaultPrevented || event.target.getAttribute('method') !== 'post') return;
  if (event.timeStamp - sent.get(event.target) < 5000) event.preventDefault();
  else sent.set(event.target, event.timeStamp);
});
addEventListener('pageshow', () => (sent = new WeakMap()));
