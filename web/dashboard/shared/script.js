const left = (element) => {
  const seconds = Math.round((Date.parse(element.dataset.until) - Date.now()) / 1000);
  if (seconds <= 0) return 'time is up';
  return Math.floor(seconds / 60) + ':' + String(seconds % 60).padStart(2, '0') + ' left';
};
const counted = document.querySelectorAll('[data-until]');
if (counted.length)
  setInterval(
    () =>
      counted.forEach((each) => {
        each.textContent = left(each);
      }),
    1000,
  );
document.addEventListener('click', ({ target }) => {
  const copied = target.closest('code.id, input[data-copy]');
  if (!copied) return;
  if (copied.select) copied.select();
  navigator.clipboard?.writeText(copied.value ?? copied.textContent).then(
    () => {
      copied.classList.add('copied');
      setTimeout(() => copied.classList.remove('copied'), 1500);
    },
    () => {},
  );
});
for (const file of document.querySelectorAll('input[data-into]'))
  file.addEventListener('change', async () => {
    const bytes = await file.files[0]?.arrayBuffer();
    if (!bytes) return;
    const field = document.getElementById(file.dataset.into);
    try {
      field.value = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    } catch {
      field.value = new TextDecoder('windows-1252').decode(bytes);
    }
  });
document.addEventListener('input', ({ target }) => {
  const { chooses } = target.closest('[data-chooses]')?.dataset ?? {};
  if (chooses && target.value) target.form.querySelector(chooses).checked = true;
});
/** The price in a form follows its room and times: the page that has drawn it is asked again. */
const PRICED_BY = ['room_id', 'start_at', 'end_at', 'exact_start', 'exact_end'];
document.addEventListener('input', async ({ target }) => {
  const price = target.form?.querySelector('[data-priced]');
  if (!price || !PRICED_BY.includes(target.name)) return;
  const fields = PRICED_BY.map((name) => [name, target.form.elements[name]?.value ?? '']);
  const asked = new URLSearchParams(fields).toString();
  price.dataset.asked = asked;
  price.replaceChildren();
  const response = await fetch(`${price.dataset.priced}?${asked}`, { cache: 'no-store' }).catch(() => null);
  if (!response?.ok || price.dataset.asked !== asked) return;
  // The security policy of this page does not know the styles of others.
  const html = (await response.text()).replace(/<style>[^]*?<\/style>/, '');
  const page = new DOMParser().parseFromString(html, 'text/html');
  if (price.dataset.asked === asked)
    price.replaceChildren(...(page.querySelector('[data-priced]')?.childNodes ?? []));
});
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.target.matches('input, textarea, select')) return;
  event.preventDefault();
  document.querySelector('#search')?.focus();
});
