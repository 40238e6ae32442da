const left = (element) => {
  const seconds = Math.round((Date.parse(element.dataset.until) - Date.now()) / 1000);
  if (seconds <= 0) return 'time is up';
  const minutes = Math.floor(seconds / 60);
  if (minutes >= 60) return Math.floor(minutes / 60) + ' h ' + (minutes % 60) + ' min left';
  return minutes + ':' + String(seconds % 60).padStart(2, '0') + ' left';
};
document.querySelector('#menu [aria-current]')?.scrollIntoView({ block: 'nearest' });
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
for (const button of document.querySelectorAll('[data-prints]')) {
  button.hidden = false;
  button.addEventListener('click', () => print());
}
for (const file of document.querySelectorAll('input[data-into]'))
  file.addEventListener('change', async () => {
    const bytes = await file.files[0]?.arrayBuffer();
    if (!bytes) return;
    const field = document.getElementById(file.dataset.into);
    const [first, second] = new Uint8Array(bytes);
    const utf16 = { '255 254': 'utf-16le', '254 255': 'utf-16be' }[`${first} ${second}`];
    try {
      field.value = new TextDecoder(utf16 ?? 'utf-8', { fatal: true }).decode(bytes);
    } catch {
      field.value = new TextDecoder('windows-1252').decode(bytes);
    }
  });
document.addEventListener('input', ({ target }) => {
  const { chooses } = target.closest('[data-chooses]')?.dataset ?? {};
  if (chooses && target.value) target.form.querySelector(chooses).checked = true;
});
/**
 * A page with several forms keeps what was entered in the others when one is saved, and warns
 * before it is left otherwise.
 */
const isEdited = (field) => {
  if (field.options) {
    const preset = [...field.options].findIndex(({ defaultSelected }) => defaultSelected);
    return field.selectedIndex !== Math.max(preset, 0);
  }
  return field.type === 'checkbox' || field.type === 'radio'
    ? field.checked !== field.defaultChecked
    : 'defaultValue' in field && field.value !== field.defaultValue;
};
const editedParts = () =>
  [...document.querySelectorAll('form.part')].filter((form) => [...form.elements].some(isEdited));
const KEPT = 'entries-of-other-forms';
let leaving = null;
document.addEventListener('submit', ({ target }) => {
  leaving = target;
  if (!target.matches('form.part')) return;
  const others = editedParts().filter((form) => form !== target);
  const entries = others.map((form) => [
    form.getAttribute('action'),
    [...form.elements].map(({ name, value, checked }) => [name, value, checked]),
  ]);
  sessionStorage.setItem(KEPT, JSON.stringify(entries));
});
for (const [action, fields] of JSON.parse(sessionStorage.getItem(KEPT) ?? '[]')) {
  const { elements = [] } = [...document.forms].find((form) => form.getAttribute('action') === action) ?? {};
  for (const [i, [name, value, checked]] of fields.entries()) {
    const field = elements[i];
    // Skipped if the form has different fields now.
    if (!field?.name || field.name !== name || field.type === 'hidden') continue;
    if (field.type === 'checkbox' || field.type === 'radio') field.checked = field.value === value && checked;
    else field.value = value;
  }
}
sessionStorage.removeItem(KEPT);
addEventListener('beforeunload', (event) => {
  if (!leaving?.matches('form.part') && editedParts().length > 0) event.preventDefault();
});
/** A choice proposes values for other fields. Required choices keep their value. */
document.addEventListener('change', ({ target }) => {
  const fills = target.closest('[data-fills]')?.dataset.fills;
  for (const [name, value] of Object.entries((fills && JSON.parse(fills)[target.value]) ?? {})) {
    const field = target.form.elements[name];
    if (!field.required || !field.value) field.value = value;
  }
});
/** Opening an action scrolls its form into view and focuses the first field. */
document.addEventListener('click', ({ target }) => {
  const action = target.closest('details.action > summary')?.parentElement;
  if (!action || action.open) return;
  const show = () => {
    action.scrollIntoView({ block: 'nearest' });
    action.querySelector('input:not([type=hidden]), select, textarea')?.focus({ preventScroll: true });
  };
  action.addEventListener('toggle', show, { once: true });
});
/** Opening a drawer focuses its first field or the button that closes it, unless the drawer has the focus. */
document.addEventListener(
  'toggle',
  ({ target, newState }) => {
    if (newState !== 'open' || !target.matches('.drawer') || target.contains(document.activeElement)) return;
    const field = target.querySelector('input:not([type=hidden]), select, textarea');
    (field ?? target.querySelector('.close'))?.focus();
  },
  true,
);
/** If a list of suggestions is cut off, it is loaded again for what is entered. */
let narrowing;
document.addEventListener('input', ({ target }) => {
  const { list, name, value } = target;
  if (list?.dataset.narrows !== 'true') return;
  clearTimeout(narrowing);
  narrowing = setTimeout(async () => {
    const address = new URL(target.form.getAttribute('action'), location.href);
    address.searchParams.set(name, value);
    const answer = await fetchPage(address).catch(() => null);
    const found = answer?.page.getElementById(list.id);
    if (found && target.value === value) list.replaceChildren(...found.children);
  }, 250);
});
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.target.matches('input, textarea, select')) return;
  event.preventDefault();
  document.querySelector('#search')?.focus();
});
/** Shows a colour picker next to the text field with the colour, and keeps both in step. */
for (const picker of document.querySelectorAll('[data-colour-of]')) {
  const text = document.getElementById(picker.dataset.colourOf);
  const follow = () => {
    const colour = text.value || text.placeholder;
    if (/^#[0-9a-f]{6}$/i.test(colour)) picker.value = colour;
  };
  picker.hidden = false;
  follow();
  text.addEventListener('input', follow);
  picker.addEventListener('input', () => {
    text.value = picker.value;
    text.dispatchEvent(new Event('input', { bubbles: true }));
  });
}
