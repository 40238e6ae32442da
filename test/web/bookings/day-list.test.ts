import { writeFileSync } from 'node:fs';
import test from 'ava';
import type { Page } from 'playwright-core';
import { assertAccessible } from '../../support/axe.js';
import { bookingBody } from '../../support/bookings.js';
import { picture } from '../../support/browser.js';
import { launchBrowser } from '../../support/chromium.js';
import { openDashboard, readMainText } from '../../support/dashboard.js';
import { daysAfter, WINTER_WEDNESDAY } from '../../support/days.js';
import { once } from '../../support/once.js';
import { readPdf } from '../../support/pdf.js';
import { mailTo } from '../../support/simulators.js';
import { storeBookings } from '../../support/stored-bookings.js';
import { until } from '../../support/until.js';
import { newRoom, uniqueEmail, type TestWorkspace } from '../../support/workspaces.js';

const browser = once(launchBrowser);
const DAY = WINTER_WEDNESDAY;
const price = (amount_minor: number) => ({ currency: 'GBP', amount_minor });
const HOURS = Object.fromEntries(
  ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((day) => [day, [['08:00', '18:00']]]),
);

/** The page as printed on A4: its pages and its text. */
async function printed(page: Page, landscape: boolean, name: string) {
  const file = await page.pdf({ format: 'A4', landscape, preferCSSPageSize: true });
  const { SCREENSHOTS } = process.env;
  if (SCREENSHOTS) writeFileSync(`${SCREENSHOTS}/${name}.pdf`, file);
  return readPdf(new Uint8Array(file));
}

/** Checks a page with axe, and its width on a phone. */
async function look(
  t: Parameters<typeof assertAccessible>[0],
  page: Parameters<typeof assertAccessible>[1],
  name: string,
): Promise<void> {
  await page.setViewportSize({ width: 1280, height: 900 });
  await assertAccessible(t, page, name);
  await picture(page, name);
  await page.setViewportSize({ width: 390, height: 800 });
  await picture(page, `${name}-phone`);
  const width = await page.evaluate(`document.documentElement.scrollWidth`);
  t.true(Number(width) <= 390, `${name} fits a phone`);
  await page.setViewportSize({ width: 1280, height: 900 });
}

/** A day of two rooms: a paid booking with extras, answers and notes, a hold, and a booking of a company. */
async function fillDay({ id: workspace_id, api }: TestWorkspace) {
  const free = { price_per_hour: price(0), opening_hours: HOURS };
  const blue = await newRoom(api, { ...free, name: 'Blue room' });
  const garden = await newRoom(api, { opening_hours: HOURS, name: 'Garden room' });
  await newRoom(api, { ...free, name: 'Attic' });
  const { body: lunch } = await api.post('/v1/extras', { name: 'Lunch', price: price(0) });
  const at = (from: string, to: string) => ({
    start_at: `${DAY}T${from}:00.000Z`,
    end_at: `${DAY}T${to}:00.000Z`,
  });
  const ada = uniqueEmail();
  const guest = (email: string, name: string) => ({ booked_by: { guest: { email, name } } });
  const book = async (room: { id: string }, more: Record<string, unknown>) =>
    (await api.post('/v1/bookings', bookingBody(room.id, more))).body;
  const first = await book(blue, {
    ...at('09:00', '11:00'),
    ...guest(ada, 'Ada Lovelace'),
    attendees: 12,
    notes: 'Round tables\nNo flowers',
    extras: [{ extra_id: lunch.id, quantity: 12 }],
  });
  await book(garden, { ...at('13:00', '14:00'), ...guest(ada, 'Ada Lovelace') });
  await book(garden, {
    start_at: `${daysAfter(DAY, 1)}T10:00:00Z`,
    end_at: `${daysAfter(DAY, 1)}T11:00:00Z`,
    ...guest(uniqueEmail(), 'Tom Morrow'),
  });
  await storeBookings({ workspace_id, room_id: blue.id }, [
    {
      start_at: new Date(`${DAY}T12:00:00Z`),
      guest_name: 'Grace Hopper',
      guest_billing: { company: 'Compilers Ltd', vat_number: null, order_reference: null },
      answers: [
        { id: 'q1', label: 'Catering for', value: '8 vegetarians' },
        { id: 'q2', label: 'Parking', value: true },
      ],
      account_days: 30,
    },
  ]);
  const slug = `paper-${workspace_id.slice(-10)}`;
  const { status, body } = await api.put('/v1/booking-page', { slug, enabled: true, room_ids: [blue.id] });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return { blue, garden, first, ada, slug };
}

test('the day list has who comes, with what and how it is paid, on screen and on paper', async (t) => {
  const { workspace, page, home } = await openDashboard(await browser());
  const { blue, first } = await fillDay(workspace);
  await page.goto(`${home}/day?day=${DAY}`);
  const shown = await readMainText(page);
  t.regex(shown, /To prepare: 12 × Lunch/);
  t.regex(
    shown,
    /Blue room[^]*09:00–11:00[^]*Ada Lovelace[^]*12 people[^]*12 × Lunch[^]*Round tables\nNo flowers/,
  );
  t.true(shown.includes(first.reference));
  t.regex(shown, /Grace Hopper\s+Compilers Ltd[^]*Catering for: 8 vegetarians\s+Parking: Yes[^]*On account/);
  t.regex(shown, /Garden room[^]*13:00–14:00[^]*Not paid yet/);
  t.false(shown.includes('Tom Morrow'), 'only of this day');
  t.deepEqual(await page.locator('main h2').allInnerTexts(), ['Blue room', 'Garden room'], 'with bookings');
  await look(t, page, 'day-list');
  await page.emulateMedia({ colorScheme: 'dark' });
  await picture(page, 'day-list-dark');

  // Printed from a dark screen too.
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  t.is(await page.evaluate(`getComputedStyle(document.body).color`), 'rgb(0, 0, 0)');
  for (const hidden of ['body > header', 'form.filter', 'main .toolbar a'])
    t.false(await page.locator(hidden).first().isVisible(), `${hidden} on paper`);
  const paper = await printed(page, false, 'day-list');
  t.is(paper.pages, 1);
  t.regex(paper.text, /Day list, Wed[^]*Test house[^]*Ada Lovelace[^]*Grace Hopper/);
  await page.emulateMedia({ media: 'screen', colorScheme: 'light' });

  await page.evaluate(`window.print = () => { document.title = 'printed'; }`);
  await page.click('button:text("Print")');
  t.is(await page.title(), 'printed');
  await page.click('[aria-label="Next day"]');
  t.regex(await readMainText(page), /Tom Morrow/);
  await page.goto(`${home}/day?day=${DAY}&room_id=${blue.id}`);
  t.deepEqual(await page.locator('main h2').allInnerTexts(), ['Blue room']);
  for (const [from, link] of [
    ['', 'Day list'],
    [`/calendar?day=${DAY}`, 'Day list'],
    [`/rooms/${blue.id}`, 'Door sign'],
  ]) {
    await page.goto(home + from);
    t.is(await page.locator(`main a:text-is("${link}")`).count(), 1, `${link} on ${from}`);
  }
  t.deepEqual(page.complaints, []);
  await page.context().close();
});

test('a door sign has the company or Reserved, and names of people only if they are chosen', async (t) => {
  const { workspace, page, home } = await openDashboard(await browser());
  const { blue, slug } = await fillDay(workspace);
  const attic = (await workspace.api.get('/v1/rooms')).body.data.find(({ name }) => name === 'Attic')!;
  const lunch = { name: 'Lunch', from: '12:00', to: '13:00', closed: true };
  t.is((await workspace.api.put(`/v1/rooms/${attic.id}/rates`, { rates: [lunch] })).status, 200);
  await page.goto(`${home}/door-signs?day=${DAY}`);
  const signs = page.locator('.sign');
  t.deepEqual(await signs.locator('h2').allInnerTexts(), ['Attic', 'Blue room', 'Garden room']);
  const lines = async (n: number) =>
    (await signs.nth(n).locator('li').allInnerTexts()).map((line) => line.replaceAll(/\s+/g, ' '));
  t.deepEqual(await lines(0), ['08:00–12:00 Free', '12:00–13:00 Closed', '13:00–18:00 Free']);
  t.deepEqual(await lines(1), [
    '08:00–09:00 Free',
    '09:00–11:00 Reserved',
    '11:00–12:00 Free',
    '12:00–13:00 Compilers Ltd',
    '13:00–18:00 Free',
  ]);
  t.deepEqual((await lines(2))[1], '13:00–14:00 Reserved', 'a hold');
  const all = await signs.allInnerTexts();
  for (const secret of ['Ada', 'Grace', 'Round tables', 'vegetarians']) t.false(all.join().includes(secret));
  t.deepEqual(
    await page
      .locator('.sign .foot a')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href'))),
    [`${new URL(home).origin}/book/${slug}/rooms/${blue.id}`],
    'only of the room that guests can book',
  );
  await look(t, page, 'door-signs');
  await page.emulateMedia({ media: 'print' });
  const paper = await printed(page, true, 'door-signs');
  t.is(paper.pages, 3, 'a page for each room');
  t.notRegex(paper.text, /Ada|Names of people/);
  await page.emulateMedia({ media: 'screen' });

  await page.click('text=Show names of people');
  await page.selectOption('select[name=room_id]', blue.id);
  await page.click('button:text("Search")');
  t.is(await signs.count(), 1);
  t.like(await lines(0), { 1: '09:00–11:00 Ada Lovelace', 3: '12:00–13:00 Compilers Ltd, Grace Hopper' });
  await page.emulateMedia({ media: 'print' });
  t.is((await printed(page, true, 'door-sign-names')).pages, 1);
  t.deepEqual(page.complaints, []);
  await page.context().close();
});

test('staff write to the bookers of a day after they see who gets it, and to one booker', async (t) => {
  const { workspace, page, home } = await openDashboard(await browser());
  const { first, ada } = await fillDay(workspace);
  await page.goto(`${home}/day?day=${DAY}`);
  await page.click('text=Message bookers');
  t.regex(await readMainText(page), /Wed \d+ \w+( \d+)?: 2 bookers, one email each\./);
  await look(t, page, 'day-message');
  await page.fill('#subject', 'See https://example.com');
  await page.fill('#text', 'Use the stairs.');
  await page.click('button:text("Send to 2 bookers")');
  t.regex(await readMainText(page), /The subject must be one line/);
  t.is(await page.inputValue('#text'), 'Use the stairs.');
  await page.fill('#subject', 'The lift is out of order');
  await page.click('button:text("Send to 2 bookers")');
  await page.waitForURL(`${home}/day?day=${DAY}`);
  t.regex(await readMainText(page), /The message is being sent to 2 bookers\./);
  const messages = async (subject: string) => (await mailTo(ada)).filter((mail) => mail.subject === subject);
  await until(async () => (await messages('The lift is out of order')).length > 0);

  await page.goto(`${home}/bookings/${first.id}`);
  await page.click('[popovertarget=more]');
  await page.click('[popovertarget]:text("Message booker")');
  await page.fill('#subject', 'Your key');
  await page.fill('#text', 'It is at the desk.\nSee you!');
  await picture(page, 'booking-message');
  await page.click(`form[action$="/messages"] button`);
  t.regex(await readMainText(page), /The message is being sent to payer-/);
  await until(async () => (await messages('Your key')).length > 0);
  await page.reload();
  t.regex(await readMainText(page), /Message “The lift is out of order” emailed to the booker/);
  await page.click('.timeline summary >> nth=-1');
  await look(t, page, 'booking-timeline');
  t.is((await messages('The lift is out of order')).length, 1, 'one email for two bookings');
  t.deepEqual(page.complaints, []);
  await page.context().close();
});
