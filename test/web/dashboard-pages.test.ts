import test, { type ExecutionContext } from 'ava';
import { assertAccessible } from '../support/axe.js';
import { picture } from '../support/browser.js';
import { launchBrowser } from '../support/chromium.js';
import { openAll, openDashboard, readMainText } from '../support/dashboard.js';
import { createObjects } from '../support/objects.js';
import { DASHBOARD_ROWS } from '../support/dashboard-rights-table.js';
import { once } from '../support/once.js';
import { until } from '../support/until.js';
import { newRoom } from '../support/workspaces.js';
import { NEXT_MONDAY } from '../support/days.js';
import { storeBookings } from '../support/stored-bookings.js';

const browser = once(launchBrowser);

/** The pages, below the workspace's path: those in the table of rights, which is compared with the router. */
const PAGES = [
  '',
  '/bookings',
  '/bookings/:booking',
  '/bookings/:booking/change',
  ...DASHBOARD_ROWS.flatMap(({ route }) => /^GET (.*)/.exec(route)?.[1] ?? []).filter(
    (path) => !/(\.csv|\/pdf|\.pdf)$/.test(path),
  ),
];
const today = new Date().toISOString().slice(0, 10);
/** Other views of a page that are checked: the queries of its address. */
const QUERIES: Record<string, string[]> = {
  '/invoices': ['', '?q=nobody'],
  '/reconciliation': [`?from=${today}&to=${today}`],
  '/rooms/:room/rates': ['', `?week=${NEXT_MONDAY}`],
  '/search': ['?q=desk'],
  '/sign-in': ['', '?provider=microsoft', '?provider=saml'],
};

const ADDRESSES = PAGES.flatMap((page) => (QUERIES[page] ?? ['']).map((query) => [page, query] as const));

/** Checks pages of a workspace that has an object of each resource. */
async function look(t: ExecutionContext, pages: typeof ADDRESSES): Promise<void> {
  const { workspace, page, home } = await openDashboard(await browser());
  const ids = await createObjects(workspace);
  const csv = 'email,name,tier\nnew@example.com,Zoé,plus\nbroken,,basic';
  /** What is done on a page before it is checked. */
  const prepared: Record<string, () => Promise<void>> = {
    '/invoices/new': () => page.click('button:text("Continue")'),
    '/payments/:payment': () => page.click('button:text("Continue")'),
    '/members/import': async () => {
      // As spreadsheets on Windows write it: é is one byte, or all characters are two.
      for (const buffer of [Buffer.from(csv, 'latin1'), Buffer.from(`\ufeff${csv}`, 'utf16le')]) {
        await page.setInputFiles('#file', { name: 'a.csv', mimeType: 'text/csv', buffer });
        await until(() => page.evaluate(`document.querySelector('#csv').value.includes('Zoé')`));
        t.false(await page.evaluate(`document.querySelector('#csv').value.includes('\\0')`));
        if (buffer.at(0) !== 0xff) await page.fill('#csv', '');
      }
      await page.click('button:text("Check rows")');
    },
  };
  for (const [pattern, query] of pages) {
    const path = pattern.replace(/:(\w+)/g, (_, name) => ids[name]!) + query;
    t.is((await page.goto(home + path))!.status(), 200, path);
    await openAll(page);
    await prepared[pattern]?.();
    t.true((await readMainText(page)).length > 20, path);
    const name = `office-${pattern.replaceAll(/\W+/g, '-')}${query.replaceAll(/\W+/g, '-')}`;
    await assertAccessible(t, page, path);
    await picture(page, name);
    await page.setViewportSize({ width: 390, height: 800 });
    const cut = `[document.documentElement, ...document.querySelectorAll('main .scroll, main .card')]
      .filter((node) => node.scrollWidth > node.clientWidth).map((node) => node.className || node.tagName)`;
    t.deepEqual(await page.evaluate(cut), [], `${path} is wider than a phone`);
    await picture(page, `${name}-phone`);
    await page.setViewportSize({ width: 1000, height: 760 });
  }
  t.deepEqual(page.complaints, []);
  await page.context().close();
}

// A single test would take minutes.
for (const part of [1, 2, 3])
  test(`axe finds nothing on any page, and each page fits a phone: part ${part} of 3`, (t) =>
    look(
      t,
      ADDRESSES.filter((_, n) => n % 3 === part - 1),
    ));

test('on a phone everything but the search is behind one button, and a list of 13 bookings fits two screens', async (t) => {
  const { workspace, page, home } = await openDashboard(await browser());
  const { id: room_id } = await newRoom(workspace.api);
  await storeBookings(
    { workspace_id: workspace.id, room_id },
    Array.from({ length: 13 }, (_, hour) => ({ start_at: new Date(Date.UTC(2026, 1, 3, hour)) })),
  );
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto(`${home}/bookings?from=2026-02-03&to=2026-02-03`);
  t.is(await page.locator('table.bookings tbody tr').count(), 13);
  const bottom = `document.querySelector('table.bookings').getBoundingClientRect().bottom`;
  t.true(Number(await page.evaluate(bottom)) < 1600);
  t.true(Number(await page.evaluate(`document.querySelector('header').offsetHeight`)) < 70);
  await page.click('button.menu');
  await assertAccessible(t, page, 'the menu');
  await page.click('#menu summary:text("Settings")');
  await page.click('#menu a:text("Audit log")');
  await page.waitForURL(`${home}/audit-log`);
  await page.context().close();
});
