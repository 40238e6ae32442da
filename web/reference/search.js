const input = document.getElementById('find');
const list = document.getElementById('results');
const found = document.getElementById('found');
const contents = document.getElementById('contents');
const narrow = matchMedia('(max-width: 50rem)');
const MOST = 40;

const parts = [...document.querySelectorAll('[data-find]')].map((element) => ({
  id: element.id,
  title: element.dataset.find,
  name: element.dataset.find.toLowerCase(),
  text: element.textContent.toLowerCase(),
}));

function linkTo({ id, title }) {
  const link = document.createElement('a');
  link.href = '#' + id;
  link.textContent = title;
  const item = document.createElement('li');
  item.append(link);
  return item;
}

function search() {
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
  const all = (text) => words.every((word) => text.includes(word));
  const inName = parts.filter(({ name }) => all(name));
  const inText = parts.filter(({ name, text }) => !all(name) && all(name + ' ' + text));
  const hits = words.length > 0 ? [...inName, ...inText] : [];
  list.replaceChildren(...hits.slice(0, MOST).map(linkTo));
  list.parentElement.hidden = hits.length === 0;
  contents.hidden = words.length > 0;
  found.textContent = words.length > 0 ? hits.length + (hits.length === 1 ? ' result' : ' results') : '';
}

function close() {
  if (!narrow.matches) return;
  contents.open = false;
  input.value = '';
  search();
}

input.addEventListener('input', search);
document.querySelector('.side').addEventListener('click', (event) => event.target.closest('a') && close());
addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.target.closest('input, textarea')) return;
  event.preventDefault();
  input.focus();
});
if (narrow.matches) contents.open = false;
search();
