import test from 'ava';
import { assertAccessible } from '../support/axe.js';
import { launchBrowser } from '../support/chromium.js';
import { openAll, openDashboard } from '../support/dashboard.js';
import { once } from '../support/once.js';
import { storeBookings } from '../support/stored-bookings.js';
import { until } from '../support/until.js';
import { newRoom } from '../support/workspaces.js';

const browser = once(launchBrowser);

test('a CSV file of members is read as spreadsheets on Windows write it', async (t) => {
  const { page, home } = await openDashboard(await browser());
  const csv = 'email,name,tier\nnew@example.com,Zoé,plus\nbroken,,basic';
  await page.goto(`${home}/members/import`);
  // é is one byte, or all characters are two.
  for (const buffer of [Buffer.from(csv, 'latin1'), Buffer.from(`\ufeff${csv}`, 'utf16le')]) {
    await page.setInputFiles('#file', { name: 'a.csv', mimeType: 'text/csv', buffer });
    await until(() => page.evaluate(`document.querySelector('#csv').value.includes('Zoé')`));
    t.false(await page.evaluate(`document.querySelector('#csv').value.includes('\\0')`));
    await page.fill('#csv', '');
  }
  await page.context().close();
});

/** Of each cell of folded rows with inputs: the heading of its column, and the label that it shows. */
const FOLDED_CELLS = `[...document.querySelectorAll('main table.inputs tbody td')].map((cell) => [
  cell.closest('table').querySelectorAll('th')[cell.cellIndex].textContent,
  JSON.parse(getComputedStyle(cell, '::before').content.replace('none', '""')),
])`;

test('on a phone each input of a row is under the label of its column', async (t) => {
  const { workspace, page, home } = await openDashboard(await browser());
  const room = await newRoom(workspace.api);
  await page.setViewportSize({ width: 390, height: 800 });
  for (const [at, labels] of Object.entries({
    '/booking-page': ['Question', 'Type', 'Required', 'Choices, one per line'],
    '/invoices/new': ['Description', 'Quantity', 'Unit price excluding tax', 'Tax'],
    '/prices': ['Code', 'Rate (%)', 'Xero tax type'],
    [`/rooms/${room.id}/settings`]: ['Hours before the start', 'Refund (%)'],
  })) {
    await page.goto(home + at);
    await openAll(page);
    const cells = (await page.evaluate(FOLDED_CELLS)) as [string, string][];
    for (const label of labels)
      t.true(
        cells.some(([heading]) => heading === label),
        `${at}: ${label}`,
      );
    for (const [heading, label] of cells)
      if (labels.includes(heading)) t.is(label, heading, `the label of ${heading} at ${at}`);
  }
  await page.context().close();
});

test('on a phone everything but the search is behind one button, and a list of 13 bookings fits two screens', async (t) => {
  const { workspace, page, home } = await openDashboard(await browser());
  const { id: room_id } = await newRoom(workspace.api);
  await storeBookings(
    { workspace_id: workspace.id, room_id },
    Array.from({ length: 13 }, (_, hour) => ({ start_at: new Date(Date.UTC(2026, 1, 3, hour)) })),
  );
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto(`${home}/bookings?from=2026-02-03&to=2026-02-03`);
  t.is(await page.locator('table.bookings tbody tr:not(.day)').count(), 13);
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

test('on a phone the filter of a list is a row that opens without a script', async (t) => {
  const { workspace, page, home } = await openDashboard(await browser());
  await newRoom(workspace.api);
  const context = await (
    await browser()
  ).newContext({
    javaScriptEnabled: false,
    viewport: { width: 390, height: 800 },
    storageState: await page.context().storageState(),
  });
  const phone = await context.newPage();
  await phone.goto(`${home}/bookings?status=confirmed`);
  const status = phone.getByLabel('Status');
  const row = (await phone.locator('form.filter').boundingBox())!;
  t.true(row.height < 90, `${row.height}px high`);
  t.false(await status.isVisible());
  await phone.getByRole('button', { name: 'Filters (1)' }).click();
  await status.selectOption({ label: 'All' });
  await phone.getByLabel('From').fill('2024-11-25');
  await phone.locator('main').getByRole('button', { name: 'Search' }).click();
  await phone.waitForURL(/from=2024-11-25/);
  t.is(await phone.getByRole('button', { name: 'Filters (1)' }).count(), 1);
  await phone.setViewportSize({ width: 1280, height: 800 });
  t.true(await status.isVisible(), 'on a wide screen nothing has to be opened');
  t.false(await phone.locator('.opens').isVisible());
  await context.close();
  await page.context().close();
});
