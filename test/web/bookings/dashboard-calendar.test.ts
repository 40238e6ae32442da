import test from 'ava';
import { launchBrowser } from '../../support/chromium.js';
import { assertAccessible } from '../../support/axe.js';
import { picture } from '../../support/browser.js';
import { DAY, drag, freeAt, openCalendar, findPoint } from '../../support/calendar-page.js';
import { once } from '../../support/once.js';
import { createMember } from '../../support/member-calls.js';
import { db } from '../../support/stack.js';
import { uniqueEmail } from '../../support/workspaces.js';
import { CLOCKS_GO_BACK, formatDateAsPages, daysAfter } from '../../support/days.js';

const browser = once(launchBrowser);

test('free time is booked by dragging, with the price shown before the slot is held', async (t) => {
  const { api, page, room } = await openCalendar(await browser());
  await page.setViewportSize({ width: 1280, height: 1400 });
  const from = await findPoint(freeAt(page, 'Garden room', '13:00'), 0.2);
  const to = await findPoint(freeAt(page, 'Garden room', '14:00'), 0.6);
  await drag(page, from, to);
  const dialog = page.locator('#desk');
  t.is(await dialog.locator('#quote').innerText(), '£45.00 for a guest, including £7.50 tax');
  t.is(await dialog.locator('#start_at').inputValue(), `${DAY}T13:00`);
  t.is(await dialog.locator('#end_at').inputValue(), `${DAY}T14:30`);
  await dialog.locator('#end_at').fill(`${DAY}T14:00`);
  await dialog.locator('#quote:has-text("£30.00 for a guest")').waitFor();
  await dialog.locator('#end_at').fill(`${DAY}T14:30`);
  await dialog.locator('#quote:has-text("£45.00 for a guest")').waitFor();
  await page.setViewportSize({ width: 1280, height: 800 });
  const review = (await dialog.locator('button:text("Review price")').boundingBox())!;
  const { y, height } = (await dialog.boundingBox())!;
  t.true(review.y + review.height < y + height, 'the button is seen without scrolling');
  await page.setViewportSize({ width: 1280, height: 1400 });
  await assertAccessible(t, page, 'the form in the dialog');
  await picture(page, 'calendar-book');
  const email = uniqueEmail();
  await dialog.locator('#email').fill(email);
  await dialog.locator('button:text("Review price")').click();
  t.regex(await dialog.locator('#name-problem').innerText(), /No member or guest has this email address/);
  await dialog.locator('#name').fill('Ada Lovelace');
  await dialog.locator('button:text("Review price")').click();
  t.is(await dialog.locator('#price').innerText(), '£45.00, including £7.50 tax');
  t.regex(await dialog.innerText(), /If cancelled .* refund/);
  t.regex(await dialog.innerText(), /Take the payment at the desk.*gets the link by email/s);
  await picture(page, 'calendar-book-price');
  const list = `/v1/bookings?from=${DAY}T12:00:00Z&to=${DAY}T20:00:00Z` as const;
  t.is((await api.get(list)).body.data.length, 0, 'nothing is held before the price was seen');
  await dialog.locator('button:text("Hold slot for £45.00")').click();
  await page.locator('#outcome:visible').waitFor();
  t.regex(
    await page.locator('#outcome').innerText(),
    /^Slot held\. Take the payment on the booking’s page.* Open booking$/,
  );
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.evaluate(() => window.scrollTo(0, 400));
  t.true((await page.locator('#outcome').boundingBox())!.y >= 0, 'what was done stays in view');
  await page.evaluate(() => window.scrollTo(0, 0));
  await page.setViewportSize({ width: 1280, height: 1400 });
  const [made] = (await api.get(list)).body.data;
  t.like(made, {
    room_id: room.id,
    start_at: `${DAY}T13:00:00.000Z`,
    end_at: `${DAY}T14:30:00.000Z`,
    booked_by: { guest: { email, name: 'Ada Lovelace' } },
  });
  const slot = page.locator(`.calendar a.slot[data-booking="${made!.id}"]`);
  t.regex(await slot.innerText(), /13:00–14:30\s+Ada Lovelace, not paid yet/);
  const heights = [await slot.boundingBox(), await freeAt(page, 'Garden room', '16:00').boundingBox()];
  t.is(Math.round(heights[0]!.height / heights[1]!.height), 3, 'true to scale');
  t.deepEqual(page.complaints, []);
  await page.context().close();
});

test('the price in the dialog is for the person entered, with hour credits if they are to be used', async (t) => {
  const { api, page } = await openCalendar(await browser());
  const dialog = page.locator('#desk');
  const email = uniqueEmail();
  const member = await createMember(api, { email, name: 'Mel Member', send_invite: false });
  await db.query(`UPDATE members SET hour_credit_balance = 5 WHERE id = $1`, [member.id]);
  const from = await findPoint(freeAt(page, 'Garden room', '13:00'), 0.2);
  await drag(page, from, await findPoint(freeAt(page, 'Garden room', '13:30'), 0.6));
  await dialog.locator('#quote:has-text("£30.00 for a guest")').waitFor();
  await dialog.locator('#email').fill(email);
  await dialog.locator('#quote:has-text("£30.00 for Mel Member, including £5.00 tax")').waitFor();
  await dialog.locator('[name=use_tokens]').check();
  await dialog.locator('#quote:has-text("£0.00 for Mel Member, with 1 hour credit used")').waitFor();
  await picture(page, 'calendar-book-credits');
  await dialog.locator('#start_at').fill(`${DAY}T13:07`);
  await dialog.locator('#quote.alert').waitFor();
  t.is(
    await dialog.locator('#quote').innerText(),
    'The start must be at :00 or :30 (Europe/London time).',
    'the field is named as its label',
  );
  await dialog.locator('button:text("Review price")').click();
  await dialog.locator('#start_at-problem').waitFor();
  t.regex(await dialog.locator('#start_at-problem').innerText(), /^The start must be at :00 or :30/);
  t.deepEqual(page.complaints, []);
  await page.context().close();
});

test('a booking is dragged to another room and made longer, with the difference shown before anything changes', async (t) => {
  const { page, other, booking, current } = await openCalendar(await browser());
  const slot = page.locator(`.calendar a.slot[data-booking="${booking.id}"]`);
  const dialog = page.locator('#desk');
  const target = await findPoint(freeAt(page, 'Harbour room', '12:00'), 0);
  const grab = await findPoint(slot, 0.5);
  // It is held in its middle, half an hour below its start.
  await drag(page, grab, { x: target.x, y: target.y + (grab.y - (await findPoint(slot, 0)).y) });
  await dialog.locator('h2:text("Change this booking?")').waitFor();
  t.regex(
    await dialog.innerText(),
    new RegExp(`New\\s+Harbour room, ${formatDateAsPages(DAY)}, 12:00–13:00`),
  );
  t.regex(await dialog.innerText(), /If cancelled .* refund/);
  t.regex(await dialog.innerText(), /The booker gets an email with the change/);
  t.is(await dialog.locator('#difference').innerText(), 'Nothing is charged or refunded.');
  await picture(page, 'calendar-move');
  await dialog.locator('button:text("Go back")').click();
  await dialog.waitFor({ state: 'hidden' });
  t.is((await current()).start_at, booking.start_at, 'nothing has changed');

  await drag(page, grab, { x: target.x, y: target.y + (grab.y - (await findPoint(slot, 0)).y) });
  await dialog.locator('button:text("Change booking")').click();
  await page.locator('#outcome:visible').waitFor();
  t.like(await current(), { start_at: `${DAY}T12:00:00.000Z`, room_id: other.id });

  const edge = await findPoint(slot, 0.99);
  await drag(page, edge, { x: edge.x, y: edge.y + (await slot.boundingBox())!.height });
  t.regex(await dialog.locator('#difference').innerText(), /^£30\.00 is charged to the card/);
  t.is((await current()).end_at, `${DAY}T13:00:00.000Z`, 'a preview changes nothing');
  await dialog.locator('button:text("Change and charge £30.00")').click();
  await page.locator('#outcome:has-text("£30.00 was charged")').waitFor();
  t.like(await current(), { end_at: `${DAY}T14:00:00.000Z`, price: { amount_minor: 6_000 } });
  await page.context().close();
});

test('a move onto another booking is refused, with the reason, and nothing changes', async (t) => {
  const { api, page, room, booking, current, url } = await openCalendar(await browser());
  await api.post(`/v1/rooms/${room.id}/blackouts`, {
    start_at: `${DAY}T14:00:00Z`,
    end_at: `${DAY}T16:00:00Z`,
    reason: 'Painting',
  });
  await page.goto(url);
  const slot = page.locator(`.calendar a.slot[data-booking="${booking.id}"]`);
  await drag(
    page,
    await findPoint(slot, 0.5),
    await findPoint(page.locator('.calendar .part.blackout'), 0.5),
  );
  const dialog = page.locator('#desk');
  await dialog.locator('h2:text("Nothing has changed")').waitFor();
  t.is(await dialog.locator('.trouble').innerText(), 'The room has a blackout during part of this time.');
  t.regex(await page.locator('#said').innerText(), /^Nothing has changed\. The room has a blackout/);
  await page.keyboard.press('Escape');
  await page.locator('.ghost').waitFor({ state: 'detached' });
  t.is((await current()).start_at, booking.start_at);

  await page.route('**/change', (route) => route.abort());
  await drag(page, await findPoint(slot, 0.5), await findPoint(freeAt(page, 'Garden room', '12:00'), 0));
  await dialog.locator('h2:text("No response")').waitFor();
  t.regex(await dialog.innerText(), /Reload the calendar to check the result/);
  await page.context().close();
});

test('a click on a booking shows what the desk needs, and what it may do', async (t) => {
  const { page, booking, current, email, url } = await openCalendar(await browser());
  const dialog = page.locator('#desk');
  await page.click(`.calendar a.slot[data-booking="${booking.id}"]`);
  await dialog.locator('.summary').waitFor();
  t.is(await dialog.locator('#desk-title').innerText(), 'Rosa Parks');
  const words = await dialog.innerText();
  for (const each of [`${formatDateAsPages(DAY)}, 10:00–11:00`, 'Garden room', 'Confirmed', '£30.00', email])
    t.true(words.includes(each), each);
  t.is(await dialog.locator('[popovertarget]:text("Take payment")').count(), 0, 'it is paid');
  t.is(await dialog.locator('[popovertarget]:text("Mark as no-show")').count(), 0, 'it has not begun');
  await assertAccessible(t, page, 'a booking in the dialog');
  await picture(page, 'calendar-booking');
  await dialog.locator('[popovertarget]:text("Cancel booking")').click();
  await dialog.locator('button:text("Review cancellation")').click();
  await dialog.locator('.confirmation').waitFor();
  await dialog.locator('button:text("Go back")').click();
  await dialog.locator('button:text("Review cancellation")').waitFor();
  t.is((await current()).status, 'confirmed');
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto(url);
  await page.locator('.agenda a.slot').click();
  await dialog.locator('.summary').waitFor();
  await picture(page, 'calendar-booking-phone');
  await page.keyboard.press('Escape');
  await page.locator('.agenda li.free a').first().click();
  await dialog.locator('#quote').waitFor();
  await picture(page, 'calendar-book-phone');
  await page.context().close();
});

test('on a day of 25 hours a drag ends in the hour under the pointer, and a week is navigated by keys', async (t) => {
  const { api, page, home, room, booking } = await openCalendar(await browser());
  await page.goto(`${home}/calendar?day=${CLOCKS_GO_BACK}&all=yes`);
  const second = freeAt(page, 'Garden room', '01:30').nth(1);
  const from = await findPoint(second, 0.2);
  await drag(page, from, { x: from.x, y: from.y + (await second.boundingBox())!.height });
  const dialog = page.locator('#desk');
  t.is(await dialog.locator('#quote').innerText(), '£30.00 for a guest, including £5.00 tax');
  t.is(await dialog.locator('[name=exact_start]').inputValue(), `${CLOCKS_GO_BACK}T01:30:00.000Z`);
  t.is(await dialog.locator('#end_at').inputValue(), `${CLOCKS_GO_BACK}T02:30`);
  await page.keyboard.press('Escape');

  await page.goto(`${home}/calendar?day=${DAY}&room_id=${room.id}`);
  await page.locator('.calendar a.slot').focus();
  await page.keyboard.press(' ');
  await page.keyboard.press('ArrowRight');
  const thursday = daysAfter(DAY, 1);
  t.is(await page.locator('#said').innerText(), `${formatDateAsPages(thursday)}, 10:00–11:00`);
  await page.keyboard.press('Enter');
  await dialog.locator('button:text("Change booking")').click();
  await page.locator('#outcome:visible').waitFor();
  t.is((await api.get(`/v1/bookings/${booking.id}`)).body.start_at, `${thursday}T10:00:00.000Z`);
  await page.context().close();
});
