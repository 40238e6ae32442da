/**
 * What forms cannot do: the time left of holds counts down, a click on an id or link copies it, and `/` goes to the search.
 * Pages work without it.
 */
export const SCRIPT = `
const left = (element) => {
  const seconds = Math.round((Date.parse(element.dataset.until) - Date.now()) / 1000);
  if (seconds <= 0) return 'over';
  return Math.floor(seconds / 60) + ':' + String(seconds % 60).padStart(2, '0') + ' left';
};
const counted = document.querySelectorAll('[data-until]');
if (counted.length) setInterval(() => counted.forEach((each) => { each.textContent = left(each); }), 1000);
document.addEventListener('click', ({ target }) => {
  const copied = target.closest('code.id, input[data-copy]');
  if (!copied) return;
  if (copied.select) copied.select();
  navigator.clipboard?.writeText(copied.value ?? copied.textContent).then(() => {
    copied.classList.add('copied');
    setTimeout(() => copied.classList.remove('copied'), 1500);
  }, () => {});
});
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.target.matches('input, textarea, select')) return;
  event.preventDefault();
  document.querySelector('#search')?.focus();
});
`;
