// Updates the price when a field that decides it changes, by requesting the page again: its `data-priced`
// parts are replaced. A text, such as a code, counts when it is complete.
const PRICE_PAUSE_MS = 250;
let pricing;
// Enter in a field would press it, because it comes first.
for (const button of document.querySelectorAll('[data-updates-price]')) button.remove();
const findPriced = (root) => [...root.querySelectorAll('[data-priced]')];
async function updatePrice(form) {
  const parts = findPriced(form);
  const { priced, pricedBy } = parts[0].dataset;
  const names = pricedBy.split(' ');
  const address = new URL(priced, location.href);
  for (const [name, value] of new FormData(form))
    if (names.includes(name)) address.searchParams.append(name, value);
  form.dataset.asked = address;
  for (const part of parts) part.ariaBusy = true;
  const answer = await fetchPage(address).catch(() => null);
  if (form.dataset.asked !== address.href) return;
  const next = answer ? findPriced(answer.page) : [];
  for (const [n, part] of parts.entries()) {
    part.ariaBusy = null;
    if (next.length === parts.length) part.replaceChildren(...next[n].childNodes);
  }
}
for (const type of ['input', 'change'])
  document.addEventListener(type, ({ target }) => {
    const part = target.form?.querySelector('[data-priced]');
    if (!part || !part.dataset.pricedBy.split(' ').includes(target.name)) return;
    if ((target.type === 'text') === (type === 'input')) return;
    clearTimeout(pricing);
    pricing = setTimeout(() => updatePrice(target.form), PRICE_PAUSE_MS);
  });
