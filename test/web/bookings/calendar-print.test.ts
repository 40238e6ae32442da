import { writeFileSync } from 'node:fs';
import test from 'ava';
import { bookingBody } from '../../support/bookings.js';
import { launchBrowser } from '../../support/chromium.js';
import { openDashboard } from '../../support/dashboard.js';
import { WINTER_WEDNESDAY } from '../../support/days.js';
import { once } from '../../support/once.js';
import { readPdf } from '../../support/pdf.js';
import { newRoom, uniqueEmail } from '../../support/workspaces.js';

const browser = once(launchBrowser);
const DAY = WINTER_WEDNESDAY;

/** Longer than the usual hours that the calendar shows. */
const LONG = ['06:00', '23:00'];
const EVERY_DAY = Object.fromEntries(
  ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((day) => [day, [LONG]]),
);

/** Rooms with these hours, and in the first one a booking in its first and in its last hour. */
async function openPage(rooms: number) {
  const { workspace, page, home } = await openDashboard(await browser());
  const { api } = workspace;
  const made: Awaited<ReturnType<typeof newRoom>>[] = [];
  for (let n = 1; n <= rooms; n++)
    made.push(await newRoom(api, { name: `Studio ${n}`, slot_minutes: 30, opening_hours: EVERY_DAY }));
  for (const [from, until, name] of [
    ['06:00', '07:00', 'Early Bird'],
    ['22:30', '23:00', 'Night Owl'],
  ])
    await api.post(
      '/v1/bookings',
      bookingBody(made[0]!.id, {
        start_at: `${DAY}T${from}:00Z`,
        end_at: `${DAY}T${until}:00Z`,
        booked_by: { guest: { email: uniqueEmail(), name } },
      }),
    );
  return { page, calendar: `${home}/calendar?day=${DAY}`, rooms: made };
}

type Page = Awaited<ReturnType<typeof openPage>>['page'];

/** The text of the page as printed on A4. */
async function printed(page: Page, landscape: boolean, name: string): Promise<string> {
  const file = await page.pdf({ format: 'A4', landscape, printBackground: false });
  const { SCREENSHOTS } = process.env;
  if (SCREENSHOTS) writeFileSync(`${SCREENSHOTS}/${name}-${landscape ? 'landscape' : 'portrait'}.pdf`, file);
  return (await readPdf(new Uint8Array(file))).text;
}

const HOURS = Array.from({ length: 17 }, (_, n) => `${String(6 + n).padStart(2, '0')}:00`);

for (const landscape of [true, false])
  test(`the calendar of a day and of a week is printed with all opening hours, ${landscape ? 'landscape' : 'portrait'}`, async (t) => {
    const { page, calendar, rooms } = await openPage(3);
    for (const [name, url] of [
      ['print-day', calendar],
      ['print-week', `${calendar}&room_id=${rooms[0]!.id}`],
    ] as const) {
      await page.goto(url);
      const text = await printed(page, landscape, name);
      for (const hour of HOURS) t.true(text.includes(hour), `${name} has ${hour}: ${text}`);
      for (const who of ['Early Bird', 'Night Owl']) t.true(text.includes(who), `${name} has ${who}`);
      t.false(text.includes('Show'), `${name}: what only a screen can do is not printed`);
    }
    await page.context().close();
  });

test('rooms that do not fit side by side on paper are printed as lists', async (t) => {
  const { page, calendar, rooms } = await openPage(12);
  await page.goto(calendar);
  const text = await printed(page, true, 'print-many');
  for (const { name } of rooms) t.true(text.includes(`${name} `), name);
  t.regex(text, /22:30–23:00 Night Owl/);
  await page.context().close();
});

test('a day of many rooms is printed on one page, and so are a week and a month of all rooms', async (t) => {
  const { page, calendar, rooms } = await openPage(12);
  for (const view of ['day', 'week', 'month']) {
    await page.goto(`${calendar}&view=${view}`);
    const file = new Uint8Array(await page.pdf({ format: 'A4', landscape: true, printBackground: false }));
    const { text, pages } = await readPdf(file);
    t.is(pages, 1, view);
    for (const who of ['Early Bird', 'Night Owl']) t.true(text.includes(who), `${view} has ${who}`);
    if (view !== 'month') for (const { name } of rooms) t.true(text.includes(name), `${view} has ${name}`);
    t.false(text.includes('All rooms'), `${view}: what only a screen can do is not printed`);
  }
  await page.context().close();
});
