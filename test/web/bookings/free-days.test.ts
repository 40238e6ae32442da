import test from 'ava';
import type { Browser, Page } from 'playwright-core';
import { dayIn } from '../../../domain/cycle.js';
import { assertAccessible } from '../../support/axe.js';
import { confirmedBooking } from '../../support/bookings.js';
import { newPage, picture } from '../../support/browser.js';
import { launchBrowser } from '../../support/chromium.js';
import { openDashboard } from '../../support/dashboard.js';
import { daysAfter, formatDateAsPages } from '../../support/days.js';
import { dev } from '../../support/stack.js';
import { chooseDay } from '../../support/time-choice.js';
import { newRoom, newWorkspace } from '../../support/workspaces.js';
import { message } from '../../support/message.js';

let browser: Browser;
test.before(async () => {
  browser = await launchBrowser();
});

const PHONE = { width: 390, height: 780 };
/** Where it is tomorrow for most of the UTC day. */
const FAR_EAST = 'Pacific/Kiritimati';
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

/**
 * A room that has no free hour until `open`: it is open for too short a time on `short`, and closed on
 * `closed`.
 */
function quietRoom(time_zone = 'UTC') {
  const today = dayIn(time_zone, new Date());
  const [short, closed, open] = [1, 2, 3].map((days) => daysAfter(today, days)) as [string, string, string];
  const room = {
    name: 'Garden room',
    time_zone,
    slot_minutes: 30,
    opening_hours: { ...opening(short, '10:00', '10:30'), ...opening(open, '10:00', '12:00') },
  };
  return { room, short, closed, open };
}

/** Opening hours on a day's weekday. */
const opening = (day: string, from: string, until: string) => ({
  [WEEKDAYS[new Date(day).getUTCDay()]!]: [[from, until]],
});

/** The day whose times a page with a month shows. */
const shownDay = (page: Page): Promise<string | null> =>
  page
    .locator('.month [aria-current]')
    .getAttribute('href')
    .then((href) => new URLSearchParams(href!.split('?')[1]!.split('#')[0]).get('day'));

async function show(page: Page, minutes: string): Promise<void> {
  await page.selectOption('#minutes', minutes);
  await page.click(`text=${message('payer.show_free_times')}`);
}

const isSameMonth = (one: string, other: string): boolean => one.slice(0, 7) === other.slice(0, 7);

test('the form for booking a room opens on the next day with a free time, and says so if another day was chosen', async (t) => {
  const { closed, open, room: quiet } = quietRoom(FAR_EAST);
  const { workspace, page, home } = await openDashboard(browser);
  const room = await newRoom(workspace.api, quiet);
  const heading = () => page.textContent('section.card h2');
  await page.goto(`${home}/book`);
  t.is(await page.inputValue('input[name=day]'), open);
  t.is(await heading(), `Free times in Garden room, ${formatDateAsPages(open)}`);
  t.deepEqual(await page.locator('ul.times a').allTextContents(), ['10:00', '10:30', '11:00']);
  await picture(page, 'free-days-opened');

  await page.fill('input[name=day]', closed);
  await page.click('text=Show free times');
  t.is(
    await heading(),
    `Free times in Garden room, ${formatDateAsPages(closed)}`,
    'what was chosen is shown as it is',
  );
  t.is(await page.locator('ul.times').count(), 0);
  await picture(page, 'free-days-nothing');
  await page.click(`text=${message('payer.next_free_day', { day: formatDateAsPages(open) })}`);
  t.is(await page.inputValue('input[name=day]'), open);
  t.is(await page.locator('ul.times a').count(), 3);

  await page.goto(`${home}/book?day=2999-02-31&room_id=${room.id}`);
  t.is(await page.inputValue('input[name=day]'), open, 'a day on which no booking can start was not chosen');
  await page.goto(`${home}/book?minutes=60&day=${daysAfter(open, 1)}&room_id=${room.id}`);
  await workspace.api.patch(`/v1/rooms/${room.id}`, { opening_hours: {} });
  await page.reload();
  const none = message('payer.nothing_those_days', { length: '1 h', days: 7 });
  t.true((await page.textContent('section.card'))!.includes(none));
  t.deepEqual(page.complaints, []);
  await page.close();
});

test('the day on which the booking form opened is not a choice for another room, but a picked day is', async (t) => {
  const { short, closed, open, room: quiet } = quietRoom();
  const { workspace, page, home } = await openDashboard(browser);
  const garden = await newRoom(workspace.api, quiet);
  const attic = await newRoom(workspace.api, {
    ...quiet,
    name: 'Attic room',
    opening_hours: opening(short, '10:00', '12:00'),
  });
  const show = async (room: { id: string }) => {
    await page.selectOption('select[name=room_id]', room.id);
    await page.click('text=Show free times');
    return page.inputValue('input[name=day]');
  };
  await page.goto(`${home}/book?room_id=${garden.id}`);
  t.is(await page.inputValue('input[name=day]'), open);
  t.is(await show(attic), short);
  t.is(await page.locator('ul.times a').count(), 3);
  t.is(await show(garden), open);
  await page.fill('input[name=day]', closed);
  t.is(await show(attic), closed);
  t.is(await show(garden), closed);
  await page.click(`text=${message('payer.next_free_day', { day: formatDateAsPages(open) })}`);
  t.is(await show(attic), open, 'a link to a day is a choice');
  t.deepEqual(page.complaints, []);
  await page.close();
});

test('the forms for moving a booking open on the next day with another free time', async (t) => {
  const { closed: full, open, room: quiet } = quietRoom();
  const { workspace, page, home } = await openDashboard(browser);
  const room = await newRoom(workspace.api, {
    ...quiet,
    opening_hours: { ...quiet.opening_hours, ...opening(full, '10:00', '11:00') },
  });
  const slot = { start_at: `${full}T10:00:00Z`, end_at: `${full}T11:00:00Z` };
  const { booking } = await confirmedBooking(workspace.api, { room_id: room.id, slot });
  await page.goto(`${home}/bookings/${booking.id}/change`);
  t.is(await page.inputValue('input[name=day]'), open);
  t.is(
    await page.inputValue('input[name=start_at]'),
    `${full}T10:00`,
    'the booking keeps its time until another is chosen',
  );
  await page.close();

  const payer = await newPage(browser);
  await payer.setViewportSize(PHONE);
  await payer.goto(booking.manage_url!);
  await payer.click(`text=${message('payer.move_booking')}`);
  t.is(await shownDay(payer), open);
  t.is(await payer.locator('ul.times a').count(), 3);
  await picture(payer, 'free-days-move');
  await show(payer, '30');
  t.is(await shownDay(payer), full, 'a shorter booking has free times on an earlier day');
  t.is(await payer.locator('ul.times a').count(), 2);
  await show(payer, '60');
  t.is(await shownDay(payer), open);
  await payer.goto(`${payer.url().split('?')[0]}?day=${full}`);
  t.is(
    await payer.textContent('#times p'),
    `${message('payer.nothing_that_day', { length: '1 h' })} ` +
      (isSameMonth(full, open) ? message('payer.next_free_day', { day: formatDateAsPages(open) }) : ''),
  );
  await assertAccessible(t, payer, 'nothing free');
  await picture(payer, 'free-days-move-nothing');
  await chooseDay(payer, open);
  await payer.locator('ul.times a').first().click();
  t.regex((await payer.textContent('dl'))!, /10:00/);
  t.deepEqual(payer.complaints, []);
  await payer.close();
});

test('the booking page opens on the next day with a free time, and offers it on a chosen day without one', async (t) => {
  const { short, closed, open, room: quiet } = quietRoom(FAR_EAST);
  const workspace = await newWorkspace();
  const room = await newRoom(workspace.api, quiet);
  const slug = `house-${room.id.slice(-8)}`;
  await workspace.api.put('/v1/booking-page', { slug });
  const page = await newPage(browser);
  await page.goto(`${dev.baseUrl}/book/${slug}/rooms/${room.id}`);
  t.is(await shownDay(page), open);
  await show(page, '30');
  t.is(await shownDay(page), short, 'the day on which the form opened was not chosen');
  await page.goto(`${page.url().split('?')[0]}?day=${closed}`);
  t.is(await page.locator('ul.times').count(), 0);
  await picture(page, 'free-days-page-nothing');
  await chooseDay(page, open);
  t.is(await shownDay(page), open);
  await show(page, '30');
  t.is(await shownDay(page), open, 'a chosen day stays');
  t.deepEqual(page.complaints, []);
  await page.close();
});
