import test from 'ava';
import { launchBrowser } from '../support/chromium.js';
import { once } from '../support/once.js';
import { findFaultsAt } from './checks.js';

const PATIENCE_MS = 120_000;

const browser = once(launchBrowser);

/** The checks that find a fault on a page with this content. */
async function checksOn(content: string, width = 390): Promise<string[]> {
  const page = await (await browser()).newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  await page.setContent(
    `<!doctype html><html lang="en"><title>Fixture</title><style>body { font: 16px/1.4 sans-serif; margin: 0 }
     @media (prefers-color-scheme: dark) { body { background: #111; color: #eee } }</style>
     <main><h1>Fixture</h1>${content}</main></html>`,
  );
  const faults = await findFaultsAt(page, [width], ['light', 'dark']);
  await page.close();
  return [
    ...new Set(faults.map(({ check, at }) => (check === 'contrast' ? `${check} ${at}` : check))),
  ].sort();
}

const WORD = 'Donaudampfschifffahrtsgesellschaftskapitänswitwe';
const box = (style: string, text: string, more = ''): string => `<div style="${style}" ${more}>${text}</div>`;
const LINE = 'overflow: hidden; text-overflow: ellipsis; white-space: nowrap; width: 120px';
const row = (style: string): string =>
  `<div style="display: flex">${box('width: 90px', 'From ten')}${box(style, 'Until twelve')}</div>`;
const column = (style: string): string =>
  `<table><tr><td style="${style}">Every second day</td></tr></table>`;

const BEHIND = '<p style="margin: 0">Behind</p>';

/** A defect, the check that finds it, and the same content without the defect. */
const FIXTURES: Record<string, { check: string; broken: string; sound: string }> = {
  'a part that is wider than the window': {
    check: 'overflow',
    broken: box('width: 500px', 'A plan'),
    sound: box('width: 390px', 'A plan'),
  },
  'on a phone, a part that scrolls sideways': {
    check: 'overflow',
    broken: box('overflow-x: auto; width: 300px', box('width: 600px', 'A plan')),
    sound: box('overflow-x: auto; width: 300px', box('width: 600px', 'A plan'), 'data-scrolls tabindex="0"'),
  },
  'text that is shortened without a title': {
    check: 'cut',
    broken: box(LINE, WORD),
    sound: box(LINE, WORD, `title="${WORD}"`),
  },
  'lines below the end of their box': {
    check: 'cut',
    broken: box(
      'overflow: hidden; height: 22px; width: 200px',
      'Bring your own chairs and all of your tables',
    ),
    sound: box(
      'overflow: hidden; height: 66px; width: 200px',
      'Bring your own chairs and all of your tables',
    ),
  },
  'a word that is wider than its box': {
    check: 'cut',
    broken: box('width: 120px', WORD),
    sound: box('width: 120px; overflow-wrap: anywhere', WORD),
  },
  'a price beyond the edge of what scrolls': {
    check: 'cut',
    broken: box(
      'overflow-x: auto; width: 200px',
      box('width: 400px; text-align: right', '£24.00'),
      'tabindex="0"',
    ),
    sound: box('overflow-x: auto; width: 200px', box('width: 400px', '£24.00'), 'data-scrolls tabindex="0"'),
  },
  'a choice that is wider than its field': {
    check: 'cut',
    broken: `<select aria-label="Room" style="width: 80px"><option>${WORD}</option></select>`,
    sound: `<select aria-label="Room" style="width: 80px"><option>Loft</option></select>`,
  },
  'text on text': {
    check: 'overlap',
    broken: row('margin-left: -40px; width: 120px'),
    sound: row('width: 120px'),
  },
  'text on text, one of them in a layer of its own': {
    check: 'overlap',
    broken: `${BEHIND}${box('position: relative; top: -20px', 'Before')}`,
    sound: `${BEHIND}${box('position: relative; top: -20px', 'Before', 'data-layer="note"')}`,
  },
  'a column one letter wide': {
    check: 'narrow',
    broken: column('width: 12px; overflow-wrap: anywhere; padding: 0'),
    sound: column('width: 200px'),
  },
  'a column of a few letters': {
    check: 'narrow',
    broken: box('width: 44px', 'to be or not to be so'),
    sound: box('width: 160px', 'to be or not to be so'),
  },
  'a time zone that is named twice': {
    check: 'zone',
    broken: '<p>09:00 Europe/London</p><p>Times are in Europe/London.</p>',
    sound: '<p>09:00</p><p>Times are in Europe/London.</p>',
  },
  'low contrast in light mode': {
    check: 'contrast 390 light',
    broken: box('color: light-dark(#bbb, #eee); color-scheme: light dark', 'Small print'),
    sound: box('color: light-dark(#555, #eee); color-scheme: light dark', 'Small print'),
  },
  'low contrast in dark mode': {
    check: 'contrast 390 dark',
    broken: box('color: light-dark(#333, #333); color-scheme: light dark', 'Small print'),
    sound: box('color: light-dark(#333, #ddd); color-scheme: light dark', 'Small print'),
  },
  'a field without a label': {
    check: 'axe',
    broken: '<input name="name">',
    sound: '<label>Name <input name="name"></label>',
  },
};

for (const [title, { check, broken, sound }] of Object.entries(FIXTURES))
  test(`the gallery finds ${title}, and nothing on the sound page`, async (t) => {
    t.true((await checksOn(broken)).includes(check), broken);
    t.deepEqual(await checksOn(sound), [], sound);
  });

test('the gallery looks into parts that are closed at first', async (t) => {
  const closed = (style: string): string => `<details><summary>More</summary>${box(style, WORD)}</details>`;
  t.deepEqual(await checksOn(closed('width: 120px')), ['cut']);
  t.deepEqual(await checksOn(closed('width: 120px; overflow-wrap: anywhere')), []);
});

test('the gallery finds nothing on text from right to left, in headings with close lines, or for screen readers', async (t) => {
  const content =
    '<p dir="rtl">محمد عبد الرحمن الأنصاري</p>' +
    '<h2 style="line-height: 1">שרה כהן־לוי and some more words of it</h2>' +
    '<p>On <span style="position: absolute; width: 1px; height: 1px; overflow: hidden">the</span> first</p>';
  t.deepEqual(await checksOn(content), []);
});
