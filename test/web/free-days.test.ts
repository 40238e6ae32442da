import test from 'ava';
import type { Browser } from 'playwright-core';
import { assertAccessible } from '../support/axe.js';
import { confirmedBooking } from '../support/bookings.js';
import { newPage, picture } from '../support/browser.js';
import { launchBrowser } from '../support/chromium.js';
import { openDashboard } from '../support/dashboard.js';
import { daysAfter, dayInWords } from '../support/days.js';
import { dev } from '../support/stack.js';
import { newRoom, newWorkspace } from '../support/workspaces.js';

let browser: Browser;
test.before(async () => {
  browser = await launchBrowser();
});

const PHONE = { width: 390, height: 780 };
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const TODAY = new Date().toISOString().slice(0, 10);
/** The next day with free times, of the room of a test, and one on which it is closed. */
const OPEN = daysAfter(TODAY, 3);
const CLOSED = daysAfter(TODAY, 2);

/** Opening hours of a room in UTC that has nothing free until `OPEN`: of today, as late in the evening, too little is left. */
const HOURS = {
  [WEEKDAYS[new Date(TODAY).getUTCDay()]!]: [['00:00', '00:30']],
  [WEEKDAYS[new Date(OPEN).getUTCDay()]!]: [['10:00', '12:00']],
};
const ROOM = { name: 'Garden room', time_zone: 'UTC', slot_minutes: 30, opening_hours: HOURS };

test('the form to book a room opens on the next day with a free time, and says so of a day that was chosen', async (t) => {
  const { workspace, page, home } = await openDashboard(browser);
  const room = await newRoom(workspace.api, ROOM);
  const heading = () => page.textContent('section.card h2');
  await page.goto(`${home}/book`);
  t.is(await page.inputValue('input[name=day]'), OPEN);
  t.is(await heading(), `Free times in Garden room, ${dayInWords(OPEN)}`);
  t.deepEqual(await page.locator('ul.times a').allTextContents(), ['10:00', '10:30', '11:00']);
  await picture(page, 'free-days-opened');

  await page.fill('input[name=day]', CLOSED);
  await page.click('text=Show free times');
  t.is(
    await heading(),
    `Free times in Garden room, ${dayInWords(CLOSED)}`,
    'what was chosen is shown as it is',
  );
  t.is(await page.locator('ul.times').count(), 0);
  await picture(page, 'free-days-nothing');
  await page.click(`text=The next free day is ${dayInWords(OPEN)}.`);
  t.is(await page.inputValue('input[name=day]'), OPEN);
  t.is(await page.locator('ul.times a').count(), 3);

  await page.goto(`${home}/book?day=2999-02-31&room_id=${room.id}`);
  t.is(await page.inputValue('input[name=day]'), OPEN, 'a day on which no booking can start was not chosen');
  await page.goto(`${home}/book?minutes=60&day=${daysAfter(OPEN, 1)}&room_id=${room.id}`);
  await workspace.api.patch(`/v1/rooms/${room.id}`, { opening_hours: {} });
  await page.reload();
  t.regex(
    (await page.textContent('section.card'))!,
    /No free times for this length in the 7 days from this one\./,
  );
  t.deepEqual(page.complaints, []);
  await page.close();
});

test('the forms that move a booking open on the next day with another free time', async (t) => {
  const { workspace, page, home } = await openDashboard(browser);
  const room = await newRoom(workspace.api, {
    ...ROOM,
    opening_hours: { ...HOURS, [WEEKDAYS[new Date(CLOSED).getUTCDay()]!]: [['10:00', '11:00']] },
  });
  const slot = { start_at: `${CLOSED}T10:00:00Z`, end_at: `${CLOSED}T11:00:00Z` };
  const { booking } = await confirmedBooking(workspace.api, { room_id: room.id, slot });
  await page.goto(`${home}/bookings/${booking.id}/change`);
  t.is(await page.inputValue('input[name=day]'), OPEN);
  t.is(
    await page.inputValue('input[name=start_at]'),
    `${CLOSED}T10:00`,
    'the booking keeps its time until another is chosen',
  );
  await page.close();

  const payer = await newPage(browser);
  await payer.setViewportSize(PHONE);
  await payer.goto(booking.manage_url!);
  await payer.click('text=Move booking');
  t.is(await payer.inputValue('#day'), OPEN);
  t.is(await payer.locator('ul.times a').count(), 3);
  await picture(payer, 'free-days-move');
  await payer.fill('#day', CLOSED);
  await payer.click('text=Show free times');
  t.is(
    await payer.textContent('h2 + p'),
    `Nothing is free on this day. The next free day is ${dayInWords(OPEN)}.`,
  );
  await assertAccessible(t, payer, 'nothing free');
  await picture(payer, 'free-days-move-nothing');
  await payer.click('h2 + p a');
  t.is(await payer.inputValue('#day'), OPEN);
  await payer.locator('ul.times a').first().click();
  t.regex((await payer.textContent('dl'))!, /10:00/);
  t.deepEqual(payer.complaints, []);
  await payer.close();
});

test('the booking page opens on the next day with a free time, and leads to it from a day that was chosen', async (t) => {
  const workspace = await newWorkspace();
  const room = await newRoom(workspace.api, ROOM);
  const slug = `house-${room.id.slice(-8)}`;
  await workspace.api.put('/v1/booking-page', { slug });
  const page = await newPage(browser);
  await page.goto(`${dev.baseUrl}/book/${slug}/rooms/${room.id}`);
  t.is(await page.inputValue('#day'), OPEN);
  await page.fill('#day', CLOSED);
  await page.click('text=Show free times');
  t.is(await page.locator('ul.times').count(), 0);
  await picture(page, 'free-days-page-nothing');
  await page.click('text=The next free day is');
  t.is(await page.inputValue('#day'), OPEN);
  t.deepEqual(page.complaints, []);
  await page.close();
});
