import test from 'ava';
import { dayAfter, dayIn, startOfDay } from '../../../domain/cycle.js';
import { MINUTE_MS } from '../../../domain/durations.js';
import { monthIn } from '../../../domain/reports/months.js';
import { internal } from '../../support/api-client.js';
import { confirmedBooking } from '../../support/bookings.js';
import { picture } from '../../support/browser.js';
import { launchBrowser } from '../../support/chromium.js';
import { openDashboard, openOffice } from '../../support/dashboard.js';
import { NEXT_MONDAY } from '../../support/days.js';
import { line, createInvoice } from '../../support/invoice-calls.js';
import { once } from '../../support/once.js';
import { simulator } from '../../support/simulators.js';
import { newRoom, type TestWorkspace } from '../../support/workspaces.js';

const browser = once(launchBrowser);
const ZONE = 'Europe/London';
const PHONE = { width: 390, height: 800 };
const SCREEN = { width: 1280, height: 900 };

/** Invoices of several ages and rates, and a booking of two hours next Monday from 10:00, paid out. */
async function createMoney({ id, accountId, api }: TestWorkspace): Promise<void> {
  const daysAgo = (days: number): Date => startOfDay(dayAfter(dayIn(ZONE, new Date()), -days), ZONE);
  const { body: acme } = await api.post('/v1/companies', { name: 'Acme, "the best"', billing_email: null });
  const lines = [line(), line({ unit_amount_minor: 3_000, tax_code: 'ZERO' })];
  for (const days of [-14, 5, 40, 100])
    await createInvoice(api, { company_id: acme.id, due_at: daysAgo(days), lines });
  const paid = await createInvoice(api, { lines });
  await api.post(`/v1/invoices/${paid.id}/mark-paid`, { amount_minor: 15_000, method: 'cash' });
  const opening_hours = { mon: [['08:00', '18:00']], tue: [['08:00', '12:00']] };
  const room = await newRoom(api, { name: 'Garden room', opening_hours });
  const monday = startOfDay(NEXT_MONDAY, ZONE).getTime();
  const at = (minutes: number): string => new Date(monday + minutes * MINUTE_MS).toISOString();
  await confirmedBooking(api, { room_id: room.id, slot: { start_at: at(600), end_at: at(720) } });
  await simulator('POST', `/_sim/accounts/${accountId}/payout`);
  await internal('run_job', { job: 'payouts', workspace_id: id });
}

test('charts have titles, and the tables next to them the amounts; on a phone and a screen, in light and dark', async (t) => {
  const { workspace, page, home } = await openDashboard(await browser());
  await createMoney(workspace);
  const month = monthIn(ZONE, new Date());
  const pages: Record<string, { path: string; title: RegExp; texts: RegExp[] }> = {
    Receivables: {
      path: '/reports',
      title: /^Receivables by age, GBP$/,
      // Four invoices of 150.00.
      texts: [/Acme, "the best"/, /£600\.00/, /Over 90 days/i],
    },
    Tax: {
      path: `/reports/tax?month=${month}`,
      title: new RegExp(`^Tax of ${month} by rate, GBP$`),
      // Five documents of 100.00 at 20 %, of which one is paid; the booking costs 50.00 at 20 %.
      texts: [/By document date/, /£110\.00/, /By payment date/, /£30\.00/],
    },
    Usage: {
      path: `/reports/usage?from=${NEXT_MONDAY}&to=${dayAfter(NEXT_MONDAY, 6)}`,
      title: /^Booked share of open time by weekday and hour$/,
      // 2 of 14 hours.
      texts: [/Garden room/, /14%/, /£50\.00/, /10:00\s+100%/],
    },
    Payouts: {
      path: '/reports/payouts',
      title: /^Payouts and fees by day of arrival, GBP$/,
      // 60.00, of which the processor takes 1.5 % and 0.20.
      texts: [/Pending/, /£60\.00/, /£1\.10/, /£58\.90/],
    },
  };
  await page.setViewportSize(SCREEN);
  await page.goto(`${home}/reports`);
  for (const [name, { path, title, texts }] of Object.entries(pages)) {
    await page.setViewportSize(SCREEN);
    await page.click(`nav[aria-label="Tabs"] >> text=${name}`);
    t.is(await page.locator('nav[aria-label="Tabs"] [aria-current="page"]').innerText(), name);
    await page.goto(home + path);
    t.regex((await page.locator('svg[role="img"] > title').first().textContent())!, title);
    const main = await page.locator('main').innerText();
    for (const text of texts) t.regex(main, text, name);
    for (const viewport of [SCREEN, PHONE]) {
      await page.setViewportSize(viewport);
      t.true(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), name);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await picture(page, `report-${name.toLowerCase()}-${viewport.width}-${colorScheme}`);
      }
      await page.emulateMedia({ colorScheme: 'light' });
    }
  }
  // The last page is that of payouts.
  await page.click('main table a');
  const payout = await page.locator('main').innerText();
  for (const text of [/Payment/, /TH-\d/, /£1\.10/, /£58\.90/]) t.regex(payout, text);
  await picture(page, 'report-payout-390-light');
  t.deepEqual(page.complaints, []);
  await page.context().close();
});

test('each report is a file for spreadsheets, in the format of the workspace', async (t) => {
  const { workspace, session, home } = await openOffice();
  await createMoney(workspace);
  const month = monthIn(ZONE, new Date());
  await workspace.api.patch('/v1/workspace', { csv: { decimal: 'comma', separator: 'semicolon' } });
  const getLines = async (path: string): Promise<string[]> =>
    (await session.getText(home + path)).replace('\uFEFF', '').trim().split('\r\n');

  const [head, acme] = await getLines('/reports/receivables.csv');
  t.is(
    head,
    'Payer;Kind;ID;Currency;Invoices;Not due;1 to 30 days;31 to 60 days;61 to 90 days;Over 90 days;Total',
  );
  t.regex(acme!, /^"Acme, ""the best""";company;[^;]+;GBP;4;150,00;150,00;150,00;0,00;150,00;600,00$/);

  const tax = await getLines(`/reports/tax.csv?month=${month}`);
  t.deepEqual(tax, [
    'Month;Basis;Currency;Rate (%);Net;Tax',
    // Five documents and the booking: 5 × 100.00 + 50.00.
    `${month};By document date;GBP;20;550,00;110,00`,
    `${month};By document date;GBP;0;150,00;0,00`,
    `${month};By payment date;GBP;20;150,00;30,00`,
    `${month};By payment date;GBP;0;30,00;0,00`,
  ]);

  const usage = await getLines(
    `/reports/usage.csv?from=${NEXT_MONDAY}&to=${NEXT_MONDAY}&separator=comma&decimal=point`,
  );
  t.is(usage.length, 11);
  t.is(usage[3], 'Garden room,Europe/London,Mon,10,60,60,60,GBP,25.00');
  t.is(usage[5], 'Garden room,Europe/London,Mon,12,60,0,0,,');

  const payouts = await getLines('/reports/payouts.csv');
  t.is(payouts.length, 2);
  t.regex(
    payouts[1]!,
    /^po_\w+;\d{4}-\d\d-\d\d;pending;Payment;TH-\d;\w+;[^;]+;GBP;60,00;1,10;58,90;pay_\w+;inv_\w+;bk_\w+$/,
  );
});
