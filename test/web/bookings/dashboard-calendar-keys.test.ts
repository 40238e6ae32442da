import test from 'ava';
import { launchBrowser } from '../../support/chromium.js';
import { DAY, freeAt, openCalendar, openWithoutScripts } from '../../support/calendar-page.js';
import { assertAccessible } from '../../support/axe.js';
import { picture } from '../../support/browser.js';
import { once } from '../../support/once.js';
import { newRoom, uniqueEmail } from '../../support/workspaces.js';
import { bookingBody, untilStatus } from '../../support/bookings.js';
import { CLOCKS_GO_BACK, formatDateAsPages, daysAfter, runningHour } from '../../support/days.js';

const browser = once(launchBrowser);

test('the calendar works with the keyboard, and announces what it does', async (t) => {
  const { page, booking, current } = await openCalendar(await browser());
  const dialog = page.locator('#desk');
  const said = () => page.locator('#said').innerText();
  const focused = () => page.evaluate('document.activeElement.ariaLabel ?? document.activeElement.innerText');
  t.is(await page.locator('section .day a[tabindex="0"]').count(), 1, 'one stop of the Tab key');
  await page.locator('section .day a[tabindex="0"]').focus();
  t.is(await focused(), 'Book Garden room at 08:00');
  await page.keyboard.press('ArrowRight');
  t.is(await focused(), 'Book Harbour room at 08:00');
  await page.keyboard.press('ArrowDown');
  t.is(await focused(), 'Book Harbour room at 08:30');
  await page.keyboard.press('Shift+ArrowDown');
  t.is(await said(), 'Harbour room, 08:30–10:00');
  await page.keyboard.press('Enter');
  t.is(await dialog.locator('#end_at').inputValue(), `${DAY}T10:00`);
  await page.keyboard.press('Escape');
  await page.locator('.ghost').waitFor({ state: 'detached' });
  t.is(await focused(), 'Book Harbour room at 08:30', 'the focus is where it was');

  await page.locator('.calendar a.slot').focus();
  await page.keyboard.press(' ');
  t.regex(await said(), /^Picked up, 10:00–11:00\. Arrow keys move it/);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  t.is(await said(), 'Harbour room, 10:30–11:30');
  await page.keyboard.press('Escape');
  t.is(await said(), 'Moved back.');
  await page.keyboard.press('Enter');
  await dialog.locator('.summary').waitFor();
  await page.keyboard.press('Escape');
  await dialog.locator('.summary').waitFor({ state: 'detached' });
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Shift+ArrowDown');
  t.is(await said(), 'Garden room, 10:00–12:00');
  await page.keyboard.press('Enter');
  t.regex(await dialog.locator('#difference').innerText(), /^£30\.00 is charged/);
  t.is((await current()).end_at, booking.end_at);
  await page.keyboard.press('Enter');
  await page.locator('#outcome:has-text("£30.00 was charged")').waitFor();
  t.is((await current()).end_at, `${DAY}T12:00:00.000Z`);
  t.deepEqual(page.complaints, []);
  await page.context().close();
});

test('without scripts free times and bookings are links, and forms show the price', async (t) => {
  const { workspace, page, home } = await openWithoutScripts(await browser());
  await newRoom(workspace.api, { name: 'Garden room' });
  await page.goto(`${home}/calendar?day=${DAY}`);
  await freeAt(page, 'Garden room', '10:00').click();
  t.is(await page.locator('#quote').innerText(), '£30.00 for a guest, including £5.00 tax');
  await page.fill('#email', uniqueEmail());
  await page.fill('#name', 'Rosa Parks');
  await page.click('button:text("Review price")');
  await page.click('button:text("Hold slot for £30.00")');
  await page.waitForURL(/\/bookings\/bk_/);
  await page.goto(`${home}/calendar?day=${DAY}`);
  t.regex(await page.locator('.calendar a.slot').innerText(), /10:00–11:00\s+Rosa Parks/);
  await page.locator('.calendar a.slot').click();
  await page.waitForURL(/\/bookings\/bk_/);
  await page.goto(`${home}/calendar?day=${DAY}`);
  const friday = daysAfter(DAY, 2);
  await page.click('[popovertarget=date]');
  await page.fill('input[name=day]', friday);
  await page.click('button:text("Show")');
  await page.click('[popovertarget=rooms]');
  await page.click('#rooms a:text("Garden room")');
  await page.click('[aria-label=View] a:text("Week")');
  const monday = daysAfter(DAY, -2);
  t.is(
    await page.locator('h1').innerText(),
    `Garden room, ${formatDateAsPages(monday)} – ${formatDateAsPages(daysAfter(monday, 6))}`,
  );
  t.is(await page.locator('.calendar section').count(), 7);
  await page.context().close();
});

test('when clocks go back, the repeated hour is shown twice and each one can be booked', async (t) => {
  const { workspace, page, home } = await openWithoutScripts(await browser());
  const room = await newRoom(workspace.api, { name: 'Garden room', time_zone: 'Europe/London' });
  const abroad = await newRoom(workspace.api, { name: 'Bay room', time_zone: 'Asia/Kathmandu' });
  await page.goto(`${home}/calendar?day=${CLOCKS_GO_BACK}&all=yes`);
  await picture(page, 'calendar-25-hours');
  t.is(await freeAt(page, 'Garden room', '01:30').count(), 2);
  t.is(await freeAt(page, 'Bay room', '01:30').count(), 1);
  t.is(await page.locator('.calendar section:nth-of-type(2) .part.gap').count(), 1);
  await freeAt(page, 'Garden room', '01:30').nth(1).click();
  await page.fill('#email', uniqueEmail());
  await page.fill('#name', 'Night Owl');
  await page.click('button:text("Review price")');
  await page.click('button:text("Hold slot for £30.00")');
  await page.waitForURL(/\/bookings\/bk_/);
  const after = daysAfter(CLOCKS_GO_BACK, 1);
  const ofTheDay = `from=${CLOCKS_GO_BACK}T00:00:00Z&to=${after}T00:00:00Z`;
  const { data } = (await workspace.api.get(`/v1/bookings?${ofTheDay}`)).body;
  t.deepEqual(
    data.map(({ room_id, start_at, end_at }) => [room_id, start_at, end_at]),
    [[room.id, `${CLOCKS_GO_BACK}T01:30:00.000Z`, `${CLOCKS_GO_BACK}T02:30:00.000Z`]],
  );
  // 20:00 to 02:00 in Kathmandu spans two of its days.
  await workspace.api.post(
    '/v1/bookings',
    bookingBody(abroad.id, {
      start_at: `${CLOCKS_GO_BACK}T14:15:00Z`,
      end_at: `${CLOCKS_GO_BACK}T20:15:00Z`,
    }),
  );
  for (const [day, minutes] of [
    [CLOCKS_GO_BACK, '240'],
    [after, '120'],
  ]) {
    await page.goto(`${home}/calendar?day=${day}&all=yes`);
    const slot = page.locator('.calendar section:nth-of-type(2) a.slot');
    t.is(await slot.getAttribute('data-minutes'), minutes!);
  }
  await page.context().close();
});

test('bookings, buffer, closed, blackout and past time are distinguished by words, and a line marks the current time', async (t) => {
  const { api, page, home } = await openCalendar(await browser());
  const room = await newRoom(api, {
    name: 'Attic',
    slot_minutes: 15,
    min_minutes: 60,
    turnaround_minutes: 15,
    opening_hours: { wed: [['09:00', '18:00']] },
  });
  const at = (start: string, end: string) => ({
    start_at: `${DAY}T${start}:00Z`,
    end_at: `${DAY}T${end}:00Z`,
  });
  await api.post('/v1/bookings', bookingBody(room.id, at('10:30', '11:30')));
  await api.post('/v1/bookings', bookingBody(room.id, at('12:15', '13:15')));
  await api.post(`/v1/rooms/${room.id}/blackouts`, { ...at('15:00', '16:30'), reason: 'Painting' });
  await page.goto(`${home}/calendar?day=${DAY}`);
  const shown = await page.locator('section[aria-label="Attic"] :is(.part, a.slot)').allInnerTexts();
  const words = shown.map((text) => text.replace(/\s+/g, ' ').trim());
  t.deepEqual(words, [
    '⊘ Closed, open 09:00–18:00',
    '⇥ Buffer, 15 min',
    '⇥ Buffer, 15 min',
    '↕ Too short, at least 1 h',
    '⇥ Buffer, 15 min',
    '⇥ Buffer, 15 min',
    `✕ Blackout until ${formatDateAsPages(DAY)}, 16:30: Painting`,
    '⊘ Closed, open 09:00–18:00',
    '◷ 10:30–11:30 Grace Guest, not paid yet',
    '◷ 12:15–13:15 Grace Guest, not paid yet',
  ]);
  const quarter = await page.locator('section[aria-label="Attic"] .part.short').boundingBox();
  const hour = await page.locator('section[aria-label="Attic"] a.slot').first().boundingBox();
  t.is(Math.round(hour!.height / quarter!.height), 4, 'true to scale');
  t.is(await page.locator('.calendar .now').count(), 0, 'it is another day');
  await assertAccessible(t, page, 'all kinds');
  await picture(page, 'calendar-kinds');
  await page.emulateMedia({ colorScheme: 'dark' });
  await picture(page, 'calendar-kinds-dark');
  await page.goto(`${home}/calendar?all=yes`);
  t.is(await page.locator('.calendar .now').count(), 3, 'once in each room');
  await picture(page, 'calendar-today-dark');
  await page.context().close();
});

test('from the calendar an unpaid booking is paid at the desk, and a running one is lengthened', async (t) => {
  const { api, page, home } = await openCalendar(await browser());
  const room = await newRoom(api, { name: 'Attic', slot_minutes: 60, time_zone: 'UTC' });
  const dialog = page.locator('#desk');
  const times = await runningHour();
  const { body: held } = await api.post('/v1/bookings', bookingBody(room.id, times));
  await page.goto(`${home}/calendar?day=${times.start_at.slice(0, 10)}&all=yes`);
  const slot = page.locator(`.calendar a.slot[data-booking="${held.id}"]`);
  await slot.click();
  t.regex(await dialog.locator('.summary').innerText(), /Due\s+£30\.00/);
  await dialog.locator('[popovertarget]:text("Take payment")').click();
  await dialog.locator('text=Cash').click();
  await dialog.locator('button:text("Record £30.00 as paid")').click();
  await page.locator('#outcome:has-text("£30.00 recorded as paid by cash")').waitFor();
  const paid = await untilStatus(api, held.id, 'confirmed');
  t.is(paid.settle, 'desk');
  await page.reload();
  await slot.focus();
  await page.keyboard.press('Shift+ArrowDown');
  await page.keyboard.press('Enter');
  await dialog.locator('#difference').waitFor();
  t.regex(await dialog.innerText(), /£30\.00 → £60\.00/);
  t.is((await api.get(`/v1/bookings/${held.id}`)).body.end_at, times.end_at, 'a preview changes nothing');
  await page.keyboard.press('Escape');
  await slot.click();
  await dialog.locator('a:text("Extend booking")').waitFor();
  t.is(await dialog.locator('[popovertarget]:text("Mark as no-show")').count(), 1);
  await page.goto(home);
  t.is(await page.locator('h2:text("Here now")').count(), 1);
  t.is((await api.post(`/v1/bookings/${held.id}/no-show`)).status, 200);
  await page.reload();
  t.is(await page.locator('h2:text("Here now")').count(), 0, 'who did not come is not here');
  await page.context().close();
});
