import test from 'ava';
import { once } from '../support/once.js';
import { openGallery } from './gallery.js';
import { KNOWN } from './known.js';
import { SCHEMES } from './options.js';
import { groupBy } from '../../domain/group-by.js';
import { sayFaults } from './sheet.js';
import { visit, type Seen } from './visit.js';

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

const isKnown = (page: string, check: string): boolean => KNOWN[page]?.includes(check) ?? false;

/** The faults that are not known, by view, and the known ones that are gone. */
function compare(seen: readonly Seen[]): { faults: string[][]; gone: string[] } {
  const fresh = seen.map(({ view, faults, ...rest }) => ({
    ...rest,
    view,
    faults: faults.filter(({ check }) => !isKnown(view.page, check)),
  }));
  const pages = groupBy([...seen], ({ view }) => view.page);
  const has = (page: string, check: string): boolean =>
    pages.get(page)!.some(({ faults }) => faults.some((fault) => fault.check === check));
  const gone = Object.entries(KNOWN).flatMap(([page, checks]) =>
    pages.has(page)
      ? checks.filter((check) => !has(page, check)).map((check) => `remove ${check} of ${page} from known.ts`)
      : [],
  );
  return { faults: fresh.filter(({ faults }) => faults.length > 0).map(sayFaults), gone };
}

for (let part = 0; part < PARTS; part++)
  test(`no page or mail in any state scrolls sideways, cuts or covers text, or has faint text: part ${part + 1} of ${PARTS}`, async (t) => {
    const { visitors } = await gallery();
    const seen = await visit(await choosePart(part), visitors, { widths: WIDTHS, schemes: [...SCHEMES] });
    t.true(seen.length > 20, 'every part has views');
    t.deepEqual(compare(seen), { faults: [], gone: [] });
  });
