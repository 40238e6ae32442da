import { randomUUID } from 'node:crypto';
import test from 'ava';
import { assertAccessible } from '../../support/axe.js';
import { confirmedBooking, freeHour, hoursLater, pay } from '../../support/bookings.js';
import { newPage, picture, readHeading, type WatchedPage } from '../../support/browser.js';
import { launchBrowser } from '../../support/chromium.js';
import { openDashboard, pageText, readMainText } from '../../support/dashboard.js';
import { once } from '../../support/once.js';
import { dev } from '../../support/stack.js';
import { chooseDay } from '../../support/time-choice.js';
import { until } from '../../support/until.js';
import { WebSession } from '../../support/web-session.js';
import { findOwnerEmail, newRoom, newWorkspace, uniqueEmail } from '../../support/workspaces.js';
import { message } from '../../support/message.js';

const browser = once(launchBrowser);
const PHONE = { width: 390, height: 780 };

const price = (amount_minor: number) => ({ currency: 'GBP', amount_minor });

test('an operator adds extras, books and changes them, and prints what to prepare', async (t) => {
  const { workspace, page, home } = await openDashboard(await browser());
  const { api } = workspace;
  const room = await newRoom(api, { name: 'Garden room', price_per_hour: price(0) });
  const seen = async (name: string): Promise<void> => {
    await assertAccessible(t, page, name);
    await picture(page, `extras-${name}`);
  };
  await page.goto(`${home}/extras`);
  await page.click('.title button:text("New extra")');
  await page.fill('#name', 'Lunch');
  await page.fill('#price\\.amount_minor', '0');
  await page.selectOption('#unit', 'attendee');
  await page.fill('#stock', '30');
  await page.check('input[name=refunds][value=own]');
  await page.fill('[aria-label="Hours before the start, step 1"]', '48');
  await page.fill('[aria-label="Refund in percent, step 1"]', '100');
  await seen('new');
  await page.click('.drawer form > button');
  t.regex(await readMainText(page), /Lunch has been added/);
  t.regex(await readMainText(page), /per person, plus 20% tax/);
  await seen('one');
  const { body: list } = await api.get('/v1/extras');
  t.like(list.data[0], {
    name: 'Lunch',
    unit: 'attendee',
    stock: 30,
    rooms: null,
    internal: false,
    refund_steps: [{ hours_before: 48, percent: 100 }],
  });
  await page.click('button:text("Edit")');
  t.is(await page.inputValue('#stock'), '30');
  await page.fill('#stock', '20');
  await page.check('input[name=internal]');
  await page.click('button:text("Save")');
  const [lunch] = (await api.get('/v1/extras')).body.data;
  t.like(lunch, { stock: 20, internal: true, refund_steps: [{ hours_before: 48, percent: 100 }] });
  await page.goto(`${home}/extras`);
  await seen('list');

  const { start_at, end_at } = freeHour(20);
  const query = new URLSearchParams({
    room_id: room.id,
    start_at: start_at.slice(0, 16),
    end_at: end_at.slice(0, 16),
  });
  await page.goto(`${home}/book?${query}`);
  await page.fill('#email', uniqueEmail());
  await page.fill('#name', 'Grace Guest');
  await page.fill('#attendees', '12');
  await page.fill(`#extra-${lunch!.id}`, '21');
  await seen('book');
  await page.click('button:text("Review price")');
  t.regex(await readMainText(page), /quantity of Lunch must be at most 12/);
  t.is(await page.inputValue(`#extra-${lunch!.id}`), '21');
  await page.fill(`#extra-${lunch!.id}`, '12');
  await page.click('button:text("Review price")');
  t.regex(await readMainText(page), /Lunch/);
  await page.click('button:text("Book")');
  t.regex(await readMainText(page), /Booking confirmed/);
  t.regex(await readMainText(page), /Lunch/);
  await seen('booking');
  const id = page.url().split('/').at(-1)!.split('?')[0]!;
  await page.goto(`${home}/bookings/${id}/change`);
  t.is(await page.inputValue(`#extra-${lunch!.id}`), '12');
  await page.fill(`#extra-${lunch!.id}`, '10');
  await page.fill('#notes', 'Round tables');
  await page.click('button:text("Review change")');
  t.regex(await readMainText(page), /10 × Lunch/);
  await seen('change');
  await page.click('button:text("Change booking")');
  t.like((await api.get(`/v1/bookings/${id}`)).body, { extras: [{ quantity: 10 }], notes: 'Round tables' });

  await page.goto(`${home}/day?day=${start_at.slice(0, 10)}`);
  const shown = await readMainText(page);
  t.regex(shown, /Day list, [A-Z][a-z]{2} \d+ [A-Z][a-z]{2}[^]*To prepare: 10 × Lunch/, 'the day, for paper');
  t.regex(shown, /Garden room[^]*12 people[^]*10 × Lunch[^]*Round tables/);
  await seen('preparations');
  await page.emulateMedia({ media: 'print' });
  t.false(await page.locator('header').first().isVisible());
  await picture(page, 'extras-print');
  await page.emulateMedia({ media: 'screen' });
  const csv = await (await page.request.get(`${home}/preparations.csv?day=${start_at.slice(0, 10)}`)).text();
  t.regex(csv, /Garden room,.*,12,Lunch,10,Round tables\r\n/);
  t.deepEqual(page.complaints, []);
  await page.context().close();
});

test('a payer adds extras by their link, and pays the difference', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const { body: lunch } = await api.post('/v1/extras', { name: 'Lunch', price: price(1_000) });
  const hidden = { name: 'Cleaning', price: price(1_000), internal: true };
  const { body: cleaning } = await api.post('/v1/extras', hidden);
  const { booking } = await confirmedBooking(api);
  const page = await newPage(await browser());
  await page.setViewportSize(PHONE);
  await page.goto(booking.manage_url!);
  await page.click(`text=${message('payer.change_extras')}`);
  await assertAccessible(t, page, 'choose');
  await picture(page, 'extras-manage');
  t.is(await page.locator(`#extra-${cleaning.id}`).count(), 0);
  await page.fill(`#extra-${lunch.id}`, '2');
  await page.click('button:text("Review price")');
  t.regex((await page.textContent('#difference'))!, /£24\.00 is due/);
  await assertAccessible(t, page, 'review');
  await picture(page, 'extras-manage-review');
  await page.click(`button:text("${message('payer.change_and_pay', { amount: '£24.00' })}")`);
  const pending = await until(async () => {
    const { status, body } = await api.get(`/v1/bookings/${booking.id}/pending-change`);
    return status === 200 && body;
  });
  await page.waitForURL((to) => !to.href.startsWith(dev.baseUrl));
  await page.goto(booking.manage_url!);
  const waiting = await page.locator('#pending-change').innerText();
  t.regex(waiting, /Your change to 2 × Lunch costs £24\.00 more/);
  t.is(await page.locator(`button:text("${message('payer.cancel_change')}")`).count(), 1);
  await assertAccessible(t, page, 'waiting');
  await picture(page, 'extras-manage-waiting');
  await page.click(`text=${message('payer.cancel_booking')}`);
  t.true((await readMainText(page)).includes(message('payer.change_withdrawn_too', { to: '2 × Lunch' })));
  const owner = await WebSession.start(await findOwnerEmail(workspace.id));
  await owner.enrol();
  const card = pageText(await owner.getText(`/dashboard/${workspace.id}/bookings/${booking.id}`));
  t.regex(card, /The slot and the new extras are held until.*New extras 2 × Lunch Amount due £24\.00/);
  t.notRegex(card, /New time|Both slots are held until the change/);
  const { redirect_url } = await pay(pending);
  await page.goto(redirect_url);
  await page.locator('h1', { hasText: message('payer.changed') }).waitFor();
  t.true((await readMainText(page)).includes(message('payer.change_mailed')));
  await until(async () => (await api.get(`/v1/bookings/${booking.id}`)).body.extras.length === 1);
  await page.goto(booking.manage_url!);
  t.regex(await page.locator('main').innerText(), /Lunch/);
  await page.context().close();
});

test('an extra that only staff can book stays when a payer changes the others', async (t) => {
  const { api } = await newWorkspace();
  const hidden = { name: 'Cleaning', price: price(1_000), internal: true };
  const { body: cleaning } = await api.post('/v1/extras', hidden);
  const { booking } = await confirmedBooking(api, {
    body: { extras: [{ extra_id: cleaning.id, quantity: 1 }] },
  });
  const page = await newPage(await browser());
  await page.setViewportSize(PHONE);
  const change = page.locator(`text=${message('payer.change_extras')}`);
  await page.goto(booking.manage_url!);
  t.is(await change.count(), 0, 'there is none to choose');
  const { body: lunch } = await api.post('/v1/extras', { name: 'Lunch', price: price(1_000) });
  await page.reload();
  await change.click();
  await assertAccessible(t, page, 'kept');
  await picture(page, 'extras-manage-kept');
  t.regex(await page.locator('#extras').innerText(), /Cleaning, £12\.00 [^\n]*\s+1\s/);
  t.is(await page.locator(`#extra-${cleaning.id}`).count(), 0);
  await page.fill(`#extra-${lunch.id}`, '2');
  await page.click('button:text("Review price")');
  t.regex(await readMainText(page), /1 × Cleaning[^]*2 × Lunch/);
  t.regex((await page.textContent('#difference'))!, /£24\.00 is due/);
  await page.context().close();
});

/** From a room's page to the form for a free time on a day. */
async function chooseTime(page: WatchedPage, url: string): Promise<void> {
  await page.goto(url);
  await page.click(`text=${message('page.choose_time')}`);
  await chooseDay(page, hoursLater(new Date().toISOString(), 24 * 20).slice(0, 10));
  await page.locator('ul.times a').nth(18).click();
}

test('a public guest sees the price with extras before anything is booked', async (t) => {
  const workspace = await newWorkspace({ name: 'Harbour House' });
  const { api } = workspace;
  await newRoom(api, { name: 'Garden room', capacity: 8 });
  const { body: lunch } = await api.post('/v1/extras', {
    name: 'Lunch',
    unit: 'attendee',
    price: price(1_000),
    stock: 6,
  });
  const slug = `house-${randomUUID().slice(0, 8)}`;
  await api.put('/v1/booking-page', { slug });
  const page = await newPage(await browser());
  await page.setViewportSize(PHONE);
  await chooseTime(page, `${dev.baseUrl}/book/${slug}`);
  await page.fill('#name', 'Grace Guest');
  await page.fill('#email', uniqueEmail());
  await page.fill('#attendees', '8');
  await page.fill(`#extra-${lunch.id}`, '7');
  await assertAccessible(t, page, 'details');
  await picture(page, 'extras-details');
  await page.click('button[type=submit]');
  t.regex(await page.locator('main').innerText(), /Only 6 of Lunch can be booked at this time/);
  t.is(await page.inputValue(`#extra-${lunch.id}`), '7');
  await page.fill(`#extra-${lunch.id}`, '6');
  // £30.00 and 6 × £12.00.
  await page
    .locator(`button:text("${message('page.book_and_pay_amount', { amount: '£102.00' })}")`)
    .waitFor();
  t.regex(await page.locator('.summary').innerText(), /Lunch/);
  await picture(page, 'extras-price');
  t.is((await api.get('/v1/bookings')).body.data.length, 0);
  await page.click(`button:text("${message('page.book_and_pay_amount', { amount: '£102.00' })}")`);
  await until(async () => (await readHeading(page)) !== message('page.your_details'));
  const { data } = (await api.get('/v1/bookings')).body;
  t.like(data, [{ price: price(10_200), extras: [{ extra_id: lunch.id, quantity: 6 }], source: 'page' }]);
  await page.context().close();
});
