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
  if (chooses) target.form.querySelector(chooses).checked = true;
});
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.target.matches('input, textarea, select')) return;
  event.preventDefault();
  document.querySelector('#search')?.focus();
});
