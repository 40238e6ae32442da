import test from 'ava';
import { randomUUID } from 'node:crypto';
import type { Browser } from 'playwright-core';
import { dayAfter, dayIn, startOfDay } from '../../../domain/cycle.js';
import { HOUR_MS, MINUTE_MS } from '../../../domain/durations.js';
import type { ApiClient } from '../../support/api-client.js';
import { assertAccessible } from '../../support/axe.js';
import { bookingBody, createBooking } from '../../support/bookings.js';
import { newPage, picture } from '../../support/browser.js';
import { launchBrowser } from '../../support/chromium.js';
import { pageText } from '../../support/dashboard.js';
import { CLOCKS_GO_BACK, CLOCKS_GO_FORWARD, daysAfter, NEXT_MONDAY } from '../../support/days.js';
import { message } from '../../support/message.js';
import { dev } from '../../support/stack.js';
import { newRoom, newWorkspace } from '../../support/workspaces.js';

let browser: Browser;
test.before(async () => {
  browser = await launchBrowser();
});

const ZONE = 'Europe/London';
const SLOT_MS = 30 * MINUTE_MS;

/** A workspace with a booking page. */
async function openPage(overrides: Record<string, unknown> = {}) {
  const workspace = await newWorkspace({ name: 'Harbour House', ...overrides });
  const slug = `house-${randomUUID().slice(0, 8)}`;
  await workspace.api.put('/v1/booking-page', { slug });
  return { api: workspace.api, url: `${dev.baseUrl}/book/${slug}` };
}

/** The days of a month on which a booking of a length can start, by the free windows of the API. */
async function freeDays(api: ApiClient, room_id: string, month: string, length: number): Promise<string[]> {
  const first = `${month}-01`;
  const end = `${daysAfter(first, 32).slice(0, 7)}-01`;
  const days: string[] = [];
  for (let day = first; day < end; day = dayAfter(day)) {
    const [from, until] = [startOfDay(day, ZONE), startOfDay(dayAfter(day), ZONE)];
    // Windows are cut at the end of what was asked for.
    const to = new Date(until.getTime() + length).toISOString();
    const { status, body } = await api.get(
      `/v1/availability?room_id=${room_id}&from=${from.toISOString()}&to=${to}`,
    );
    if (status !== 200) throw new Error(JSON.stringify(body));
    const windows: { start_at: string; end_at: string }[] = body.data[0]!.free;
    const isFree = windows.some(({ start_at, end_at }) => {
      for (let start = Date.parse(start_at); start + length <= Date.parse(end_at); start += SLOT_MS)
        if (start < until.getTime()) return true;
      return false;
    });
    if (isFree) days.push(day);
  }
  return days;
}

/** The days of a page's month that are links. */
const linkedDays = (html: string): string[] =>
  [...html.matchAll(/<td[^>]*><a href="[^"]*[?&;]day=(\d{4}-\d\d-\d\d)/g)].map(([, day]) => day!);

for (const [name, change] of Object.entries({ forward: CLOCKS_GO_FORWARD, back: CLOCKS_GO_BACK }))
  test(`the free days of a month are those of the API, when clocks go ${name}`, async (t) => {
    const { api, url } = await openPage();
    const room = await newRoom(api, {
      time_zone: ZONE,
      slot_minutes: 30,
      // Closed on Mondays, too short for an hour on Thursdays, and until midnight on the night of the change.
      opening_hours: {
        tue: [['09:00', '17:00']],
        wed: [['09:00', '17:00']],
        thu: [['09:00', '09:30']],
        fri: [['09:00', '17:00']],
        sat: [['22:30', '00:00']],
        sun: [['00:00', '03:00']],
      },
    });
    const month = change.slice(0, 7);
    const closed = daysAfter(change, -3);
    const booked = ['wed', 'fri'].map((_, n) => daysAfter(change, -4 + 2 * n - 7));
    for (const day of booked) {
      const span = {
        start_at: new Date(startOfDay(day, ZONE).getTime() + 9 * HOUR_MS).toISOString(),
        end_at: new Date(startOfDay(day, ZONE).getTime() + 17 * HOUR_MS).toISOString(),
      };
      await createBooking(api, bookingBody(room.id, span));
    }
    const blackout = await api.post(`/v1/rooms/${room.id}/blackouts`, {
      start_at: startOfDay(closed, ZONE).toISOString(),
      end_at: startOfDay(dayAfter(closed, 3), ZONE).toISOString(),
    });
    t.is(blackout.status, 201, JSON.stringify(blackout.body));
    const free = await freeDays(api, room.id, month, HOUR_MS);
    t.true(free.length > 5);
    for (const day of [closed, ...booked]) t.false(free.includes(day), `${day} is not free`);
    const shown = await (await fetch(`${url}/rooms/${room.id}?month=${month}&minutes=60`)).text();
    t.deepEqual(linkedDays(shown), free);
    const short = await (await fetch(`${url}/rooms/${room.id}?month=${month}&minutes=30`)).text();
    t.deepEqual(linkedDays(short), await freeDays(api, room.id, month, HOUR_MS / 2), 'also shorter ones');
    t.true(linkedDays(short).length > free.length);
  });

test('the prices of all rooms are those of an hour as quoted, tax included', async (t) => {
  const { api, url } = await openPage();
  const plain = await newRoom(api, { name: 'Plain' });
  const rated = await newRoom(api, { name: 'Rated', time_zone: 'UTC' });
  const long = await newRoom(api, { name: 'Long', time_zone: 'UTC', min_minutes: 120 });
  for (const { id } of [rated, long])
    await api.put(`/v1/rooms/${id}/rates`, {
      rates: [{ name: 'Early', from: '06:00', to: '09:00', amount_minor: 1_100 }],
    });
  const quote = async (room: { id: string }, hours: number): Promise<string> => {
    const start = Date.parse(`${dayIn('UTC', new Date(Date.now() + 72 * HOUR_MS))}T06:00:00Z`);
    const { room_id, booked_by } = bookingBody(room.id);
    const { status, body } = await api.post('/v1/quotes', {
      room_id,
      booked_by,
      start_at: new Date(start).toISOString(),
      end_at: new Date(start + hours * HOUR_MS).toISOString(),
    });
    t.is(status, 200, JSON.stringify(body));
    return `£${(body.price.amount_minor / hours / 100).toFixed(2)}`;
  };
  const page = await newPage(browser);
  await page.goto(url);
  const prices = await page.locator('ul.rooms .price strong').allTextContents();
  t.deepEqual(prices, [
    message('page.price_an_hour', { price: await quote(plain, 1) }),
    message('page.from_price', { price: await quote(rated, 1) }),
    message('page.from_price', { price: await quote(long, 2) }),
  ]);
  t.is(prices[1], message('page.from_price', { price: '£13.20' }), '£11.00 and 20% tax');
  // The whole card is the link.
  await page
    .locator('ul.rooms li')
    .nth(1)
    .click({ position: { x: 20, y: 20 } });
  await page.waitForURL(`**/rooms/${rated.id}`);
  await page.close();
});

test('a number of people chooses the rooms, and stays until the form', async (t) => {
  const { api, url } = await openPage();
  await newRoom(api, { name: 'Small', capacity: 4 });
  const large = await newRoom(api, { name: 'Large', capacity: 12 });
  const page = await newPage(browser);
  const rooms = () => page.locator('ul.rooms h2').allTextContents();
  await page.goto(`${url}?lang=de`);
  t.deepEqual(await rooms(), ['Small', 'Large']);
  await page.fill('#attendees', '10');
  await page.click('form.query button');
  await page.waitForURL(`${url}?lang=de&attendees=10`);
  t.deepEqual(await rooms(), ['Large']);
  t.is(await page.locator('#attendees').inputValue(), '10');
  await assertAccessible(t, page, 'rooms for ten');
  await page.click('ul.rooms a');
  await page.waitForURL(`**/rooms/${large.id}?lang=de&attendees=10`);
  await page.locator('a[href*="/details?"]').last().click();
  t.is(await page.locator('#attendees').inputValue(), '10');
  const back = page.locator('a.back');
  await back.click();
  await page.waitForURL(`**/rooms/${large.id}?lang=de&attendees=10&minutes=60`);
  await page.locator('a[href*="/details?"]').last().click();
  await page.fill('#attendees', '11');
  // An answer to the form, which has a problem.
  await page.locator('form.booking').evaluate((form) => void Object.assign(form, { noValidate: true }));
  await page.click('button[type=submit]');
  await page.locator('[role=alert]').first().waitFor();
  await back.click();
  await page.waitForURL(`**/rooms/${large.id}?lang=de&attendees=11&minutes=60`);
  await page.goto(`${url}?attendees=13`);
  t.deepEqual(await rooms(), []);
  t.is(
    await page.locator('[role=status]').innerText(),
    message('page.no_room_for', { people: 13, most: 12 }),
  );
  for (const nonsense of ['0', 'many', '10&attendees=11']) {
    await page.goto(`${url}?attendees=${nonsense}`);
    t.deepEqual(await rooms(), ['Small', 'Large'], nonsense);
  }
  await page.close();

  await api.patch(`/v1/rooms/${large.id}`, { capacity: 4 });
  t.false((await (await fetch(url)).text()).includes('id="attendees"'), 'all rooms are for as many people');
});

for (const javaScriptEnabled of [true, false])
  test(`the price beside the form follows people, extras and code, ${javaScriptEnabled ? 'with' : 'without'} a script`, async (t) => {
    const { api, url } = await openPage();
    const room = await newRoom(api, { name: 'Garden room' });
    const extra = {
      name: 'Lunch',
      unit: 'attendee',
      price: { amount_minor: 1_000, currency: 'GBP' },
      stock: 6,
    };
    const { body: lunch } = await api.post('/v1/extras', extra);
    await api.post('/v1/discounts', { code: 'SPRING', percent: 10 });
    const context = await browser.newContext({ javaScriptEnabled, viewport: { width: 390, height: 780 } });
    const page = await context.newPage();
    await page.goto(`${url}/rooms/${room.id}?month=${daysAfter(dayIn('UTC', new Date()), 32).slice(0, 7)}`);
    await page.locator('ul.times a').first().click();
    const button = page.locator('.summary button[type=submit]');
    t.is(await button.textContent(), message('page.book_and_pay_amount', { amount: '£30.00' }));
    await page.fill('#name', 'Grace Guest');
    const enter = async (field: string, value: string): Promise<void> => {
      await page.fill(field, value);
      await page.locator(field).blur();
      if (!javaScriptEnabled) await page.click(`text=${message('page.update_price')}`);
    };
    await enter('#attendees', '8');
    await enter(`#extra-${lunch.id}`, '2');
    await page
      .locator(`button:text("${message('page.book_and_pay_amount', { amount: '£54.00' })}")`)
      .waitFor();
    t.regex(await page.locator('.summary').innerText(), /Lunch[^]*£20\.00/);
    await page.locator('details:has(#discount_code)').evaluate((details) => details.setAttribute('open', ''));
    await enter('#discount_code', 'WINTER');
    const refused = message('payer.error_discount_unavailable');
    await page.locator('.summary .alert', { hasText: refused }).waitFor();
    t.is(await button.textContent(), message('page.book_and_pay_amount', { amount: '£54.00' }));
    await enter('#discount_code', 'SPRING');
    await page.locator('.summary dt', { hasText: 'Code SPRING, 10%' }).waitFor();
    t.is(await page.locator('.summary .alert').count(), 0);
    await enter(`#extra-${lunch.id}`, '7');
    await page.locator('.summary .alert', { hasText: 'Only 6 of Lunch' }).waitFor();
    t.is(
      await button.textContent(),
      message('page.book_and_pay_amount', { amount: '£30.00' }),
      'the time alone',
    );
    t.is(await page.inputValue('#name'), 'Grace Guest');
    if (javaScriptEnabled) {
      await assertAccessible(t, page as never, 'price');
      await picture(page, 'book-price');
    }
    const { body } = await api.get('/v1/bookings');
    t.is(body.data.length, 0, 'nothing is booked by asking');
    await context.close();
  });

test('while a workspace cannot take payments, the rooms whose prices are all 0 are offered', async (t) => {
  const { api, url } = await openPage({ processor_account_id: null });
  const free = { currency: 'GBP', amount_minor: 0 };
  const rates = {
    'Without a rate': [],
    'Free rate': [{ name: 'Day', unit: 'day', amount_minor: 0 }],
    'For members': [{ name: 'Day', unit: 'day', amount_minor: 5_000, audience: { kind: 'members' } }],
    'Closed rate': [{ name: 'Night', from: '22:00', to: '06:00', closed: true }],
    'Paid evening': [{ name: 'Evening', from: '18:00', to: '22:00', amount_minor: 2_000 }],
    'Minimum price': [{ name: 'Day', amount_minor: 0, minimum_minor: 500 }],
  };
  const rooms: Record<string, string> = {};
  for (const [name, list] of Object.entries(rates)) {
    const room = await newRoom(api, { name, price_per_hour: free });
    t.is((await api.put(`/v1/rooms/${room.id}/rates`, { rates: list })).status, 200, name);
    rooms[name] = room.id;
  }
  const html = await (await fetch(url)).text();
  t.deepEqual(
    Object.keys(rooms).filter((name) => html.includes(name)),
    ['Without a rate', 'Free rate', 'For members', 'Closed rate'],
  );
  const evening = `minutes=60&start=${NEXT_MONDAY}T19:00:00Z&key=${randomUUID()}`;
  const asked = await fetch(`${url}/rooms/${rooms['Paid evening']}/details?${evening}`);
  t.true(pageText(await asked.text()).includes(message('payer.error_no_payments')));
});
