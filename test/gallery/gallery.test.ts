import test from 'ava';
import { once } from '../support/once.js';
import { openGallery } from './gallery.js';
import { SCHEMES } from './options.js';
import { hasFaults, sayFaults } from './sheet.js';
import { visit } from './visit.js';

/** A phone and a desktop. */
const WIDTHS = [390, 1_280];
const PARTS = 4;

const gallery = once(openGallery);

/** The pages, and the mails, by part, so that the views of a page are in the same one. */
async function choosePart(part: number) {
  const { views } = await gallery();
  const pages = [...new Set(views.map(({ page }) => page))];
  return views.filter(({ page }) => pages.indexOf(page) % PARTS === part);
}

for (let part = 0; part < PARTS; part++)
  test(`no page or mail in any state scrolls sideways, cuts or covers text, or has faint text: part ${part + 1} of ${PARTS}`, async (t) => {
    const { visitors } = await gallery();
    const seen = await visit(await choosePart(part), visitors, { widths: WIDTHS, schemes: [...SCHEMES] });
    t.true(seen.length > 20, 'every part has views');
    t.deepEqual(seen.filter(hasFaults).map(sayFaults), []);
  });
