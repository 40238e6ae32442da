import test from 'ava';
import { assertAccessible } from '../../support/axe.js';
import { bookingBody, createBooking } from '../../support/bookings.js';
import { picture, type WatchedPage } from '../../support/browser.js';
import { DAY, openCalendar, openWithoutScripts } from '../../support/calendar-page.js';
import { launchBrowser } from '../../support/chromium.js';
import { CLOCKS_GO_FORWARD, daysAfter, formatDateAsPages } from '../../support/days.js';
import { once } from '../../support/once.js';
import { newRoom, uniqueEmail } from '../../support/workspaces.js';

const browser = once(launchBrowser);

const PHONE = { width: 390, height: 844 };
const MONDAY = daysAfter(DAY, -2);

type Api = Awaited<ReturnType<typeof openCalendar>>['api'];

/** Books for a guest, without paying. */
const book = (api: Api, room: string, start_at: string, end_at: string, name: string) =>
  createBooking(
    api,
    bookingBody(room, { start_at, end_at, booked_by: { guest: { email: uniqueEmail(), name } } }),
  );

const words = (texts: string[]): string[] => texts.map((text) => text.replace(/\s+/g, ' ').trim());

/** Each day of a room's week that has any entries, with their words. */
async function roomWeek(page: WatchedPage, room: string): Promise<string[][]> {
  const heads = words(await page.locator('thead th').allInnerTexts());
  const cells = words(await page.locator(`tr:has(th:has-text("${room}")) > *`).allInnerTexts());
  return cells.flatMap((text, n) => (n > 0 && text ? [[heads[n]!, text]] : []));
}

test('a week of all rooms has a row for each, with what is booked and closed on each day', async (t) => {
  const { api, page, home, room, other, booking } = await openCalendar(await browser());
  const thursday = daysAfter(DAY, 1);
  await book(api, other.id, `${DAY}T22:00:00Z`, `${thursday}T02:00:00Z`, 'Night Owl');
  await api.post(`/v1/rooms/${other.id}/blackouts`, {
    start_at: `${daysAfter(DAY, 2)}T09:00:00Z`,
    end_at: `${daysAfter(DAY, 2)}T12:00:00Z`,
    reason: 'Painting',
  });
  const attic = await newRoom(api, { name: 'Attic', opening_hours: { wed: [['09:00', '18:00']] } });
  for (let hour = 9; hour < 16; hour++)
    await book(
      api,
      attic.id,
      `${DAY}T${hour}:00:00Z`.replace('T9', 'T09'),
      `${DAY}T${hour + 1}:00:00Z`,
      `Guest ${hour}`,
    );

  await page.setViewportSize({ width: 1280, height: 860 });
  await page.goto(`${home}/calendar?view=week&day=${DAY}`);
  t.is(
    await page.locator('h1').innerText(),
    `${formatDateAsPages(MONDAY)} – ${formatDateAsPages(daysAfter(MONDAY, 6))}`,
  );
  const day = (at: string) => formatDateAsPages(at);
  t.deepEqual(await roomWeek(page, 'Garden room'), [[day(DAY), '✓ 10:00–11:00 Rosa Parks']]);
  t.deepEqual(await roomWeek(page, 'Harbour room'), [
    [day(DAY), '◷ from 22:00 Night Owl not paid yet'],
    [day(thursday), '◷ until 02:00 Night Owl not paid yet'],
    [day(daysAfter(DAY, 2)), '✕ 09:00–12:00 Blackout: Painting'],
  ]);
  const [[, busy]] = (await roomWeek(page, 'Attic')) as [[string, string]];
  t.regex(busy, /13:00–14:00 Guest 13 not paid yet \+2 more$/);
  t.is(await page.locator('tr:has(th:has-text("Attic")) td.closed').count(), 6, 'it opens on Wednesdays');
  t.is(await page.locator('tr:has(th:has-text("Garden room")) td.closed').count(), 0);
  await picture(page, 'calendar-week-all');

  await page.locator(`a.slot[data-booking="${booking.id}"]`).click();
  const drawer = page.locator('#desk');
  await drawer.locator('.summary').waitFor();
  t.is(await drawer.locator('#desk-title').innerText(), 'Rosa Parks');
  const { x, width, height } = (await drawer.boundingBox())!;
  t.deepEqual([x + width, height], [1280, 860], 'it is at the right, over the full height');
  await page.keyboard.press('Escape');
  await page.click('a.more');
  t.is(await page.locator('h1').innerText(), day(DAY));
  await page.click('[aria-label=View] a:text("Week")');
  await page.click(`thead a:text("${day(thursday)}")`);
  t.is(await page.locator('h1').innerText(), day(thursday));
  await page.click('[popovertarget=rooms]');
  await page.click('#rooms a:text("Garden room")');
  t.is(await page.locator('.calendar section').count(), 1, 'a day of one room');
  t.true(page.url().includes(`room_id=${room.id}`));
  t.deepEqual(page.complaints, []);
  await page.context().close();
});

test('a month has three entries a day and the number of the others, of all rooms or of one', async (t) => {
  const { api, page, home, room, other } = await openCalendar(await browser());
  for (const hour of [12, 13, 14])
    await book(api, other.id, `${DAY}T${hour}:00:00Z`, `${DAY}T${hour + 1}:00:00Z`, `Guest ${hour}`);
  await page.setViewportSize({ width: 1280, height: 860 });
  await page.goto(`${home}/calendar?view=month&day=${DAY}`);
  const ofDay = async () => {
    const cells = await page.locator('td:not(.vacant)').allInnerTexts();
    t.is(cells.length, 1);
    return words(cells)[0]!;
  };
  t.regex(
    await ofDay(),
    /✓ 10:00 Rosa Parks Garden room ◷ 12:00 Guest 12 not paid yet Harbour room ◷ 13:00 .* \+1 more$/,
  );
  const tones = await page
    .locator('td .slot')
    .evaluateAll((all) => all.map((each) => each.className.split(' ').at(-1)));
  t.deepEqual(tones, ['tone-0', 'tone-1', 'tone-1'], 'in the colours of their rooms');
  await picture(page, 'calendar-month');
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.click('[popovertarget=key]');
  await assertAccessible(t, page, 'the legend, dark');
  await page.keyboard.press('Escape');
  await page.emulateMedia({ colorScheme: 'light' });

  await page.click('[popovertarget=rooms]');
  await page.click('#rooms a:text("Garden room")');
  t.regex(await ofDay(), /✓ 10:00 Rosa Parks$/, 'of one room, without its name');
  await page.click('[aria-label="Next month"]');
  t.is(await page.locator('.board .slot').count(), 0);
  await page.goBack();

  await page.locator('.title > a.button').click();
  const drawer = page.locator('#desk');
  await drawer.locator('#quote.alert').waitFor();
  t.is(await drawer.locator('#start_at').inputValue(), `${DAY}T10:00`, 'the day that is shown');
  await drawer.locator('#start_at').fill(`${DAY}T16:00`);
  await drawer.locator('#end_at').fill(`${DAY}T17:00`);
  await drawer.locator('#quote:has-text("£30.00 for a guest")').waitFor();
  await drawer.locator('#email').fill(uniqueEmail());
  await drawer.locator('#name').fill('Ada Lovelace');
  await drawer.locator('button:text("Review price")').click();
  await drawer.locator('button:text("Hold slot for £30.00")').click();
  await page.locator('#outcome:visible').waitFor();
  t.regex(await ofDay(), /◷ 16:00 Ada Lovelace not paid yet$/, 'the month is drawn again');
  t.true(page.url().includes(room.id));
  t.deepEqual(page.complaints, []);
  await page.context().close();
});

test('on a phone a week and a month are lists of the days with bookings', async (t) => {
  const { page, home } = await openCalendar(await browser());
  await page.setViewportSize(PHONE);
  for (const [view, listed] of [
    ['week', `Garden room ${formatDateAsPages(DAY)} ✓ 10:00–11:00 Rosa Parks`],
    ['month', `${formatDateAsPages(DAY)} ✓ 10:00 Rosa Parks Garden room`],
  ] as const) {
    await page.goto(`${home}/calendar?view=${view}&day=${DAY}`);
    t.is(words([await page.locator('.board').innerText()])[0], listed);
    t.false(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), view);
    await picture(page, `calendar-${view}-phone`);
  }
  await page.locator('.board a.slot').click();
  await page.locator('#desk .summary').waitFor();
  t.is(Math.round((await page.locator('#desk').boundingBox())!.width), PHONE.width);
  await page.context().close();
});

test('without scripts weeks and months are read and left by links, and show the days on which clocks change', async (t) => {
  const { workspace, page, home } = await openWithoutScripts(await browser());
  const { api } = workspace;
  const room = await newRoom(api, { name: 'Garden room', time_zone: 'Europe/London' });
  const night = daysAfter(CLOCKS_GO_FORWARD, 1);
  // 00:30 to 01:30 in London, where the clocks are one hour ahead by then.
  await book(api, room.id, `${CLOCKS_GO_FORWARD}T23:00:00Z`, `${night}T00:00:00Z`, 'Night Owl');
  await page.goto(`${home}/calendar?view=month&day=${CLOCKS_GO_FORWARD}`);
  const entry = words(await page.locator('td:not(.vacant)').allInnerTexts());
  t.deepEqual(
    entry.map((text) => text.replace(/^.*◷/, '◷')),
    ['◷ 00:00 Night Owl not paid yet Garden room'],
  );
  await page.click('td:not(.vacant) a.date');
  t.is(await page.locator('h1').innerText(), formatDateAsPages(night));
  await page.click('[aria-label=View] a:text("Week")');
  t.deepEqual(await roomWeek(page, 'Garden room'), [
    [formatDateAsPages(night), '◷ 00:00–01:00 Night Owl not paid yet'],
  ]);
  t.is(await page.locator('#print:visible').count(), 0, 'it needs a script');
  await page.click('.board a.slot');
  await page.waitForURL(/\/bookings\/bk_/);
  await page.goto(`${home}/calendar?view=month&day=${CLOCKS_GO_FORWARD}`);
  await page.click('.title > a.button');
  t.is(await page.locator('h1').innerText(), 'Book a room');
  await page.context().close();
});
