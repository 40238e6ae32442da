import test from 'ava';
import type { Browser } from 'playwright-core';
import { randomBytes, randomUUID } from 'node:crypto';
import { createEncryption } from '../../../db/encryption.js';
import { createProofLinks } from '../../../db/signed-links.js';
import { startApi } from '../../support/api-process.js';
import { client } from '../../support/api-client.js';
import { assertAccessible } from '../../support/axe.js';
import { bookingBody, createBooking, hoursLater, untilStatus } from '../../support/bookings.js';
import { newPage, picture, readHeading, type WatchedPage } from '../../support/browser.js';
import { launchBrowser } from '../../support/chromium.js';
import { CARD_EXPIRY, CLOCKS_GO_BACK, CLOCKS_GO_FORWARD, daysAfter } from '../../support/days.js';
import { mailTo, withFaults } from '../../support/simulators.js';
import { db, dev } from '../../support/stack.js';
import { chooseDay } from '../../support/time-choice.js';
import { until } from '../../support/until.js';
import { sweep } from '../../support/invariants.js';
import { newRoom, newWorkspace, uniqueEmail } from '../../support/workspaces.js';
import { message } from '../../support/message.js';

const PHONE = { width: 390, height: 780 };
const WIDE = { width: 1280, height: 860 };

let browser: Browser;
test.before(async () => {
  browser = await launchBrowser();
});

const QUESTIONS = [
  {
    id: 'layout',
    label: 'How should the chairs stand?',
    kind: 'choice',
    required: true,
    choices: ['In rows', 'In a circle'],
  },
  { id: 'lunch', label: 'We bring our own lunch', kind: 'check' },
];

/** A workspace with a booking page and a room. */
async function openPage(room: Record<string, unknown> = {}, settings: Record<string, unknown> = {}) {
  const workspace = await newWorkspace({ name: 'Harbour House' });
  const made = await newRoom(workspace.api, { name: 'Garden room', capacity: 8, ...room });
  const slug = `house-${randomUUID().slice(0, 8)}`;
  const put = await workspace.api.put('/v1/booking-page', { slug, ...settings });
  if (put.status !== 200) throw new Error(JSON.stringify(put.body));
  return { workspace, room: made, slug, url: `${dev.baseUrl}/book/${slug}` };
}

const PICTURES = 'https://pictures.example';
const PICTURE =
  '<svg xmlns="http://www.w3.org/2000/svg" width="320" height="180"><rect width="320" height="180" ' +
  'fill="#8fb8a4"/></svg>';

/** A day on which the room is free, in a few weeks. */
const someDay = (): string => hoursLater(new Date().toISOString(), 24 * 20).slice(0, 10);

/** From the list of rooms to the form for the first free time of a day. */
async function chooseTime(
  page: WatchedPage,
  url: string,
  see: (name: string) => Promise<void>,
): Promise<void> {
  await page.goto(url);
  await see('rooms');
  await page.click(`text=${message('page.choose_time')}`);
  await chooseDay(page, someDay());
  await see('times');
  await page.locator('ul.times a').nth(18).click();
  await see('details');
}

async function enter(page: WatchedPage, email: string): Promise<void> {
  await page.fill('#name', 'Grace Guest');
  await page.fill('#email', email);
}

const quiet = async (): Promise<void> => {};

test('a public guest books and pays on a phone, and the booking has what they entered', async (t) => {
  const { workspace, url } = await openPage(
    {
      description: 'A bright room with a view of the harbour.',
      image_urls: ['garden', 'harbour', 'table'].map((name) => `${PICTURES}/${name}.svg`),
      features: ['Projector', 'Whiteboard', 'Step-free access'],
      floor: '2nd floor',
      size_m2: 24,
    },
    {
      questions: QUESTIONS,
      terms: { url: 'https://harbour.example/terms', version: '2026-05' },
      notice: 'Ring the bell at the green door.',
      theme: { accent: '#7a1f4d' },
    },
  );
  const email = uniqueEmail();
  const page = await newPage(browser);
  await page.route(`${PICTURES}/**`, (route) =>
    route.fulfill({ contentType: 'image/svg+xml', body: PICTURE }),
  );
  const see = async (name: string): Promise<void> => {
    for (const [size, viewport] of Object.entries({ phone: PHONE, wide: WIDE })) {
      await page.setViewportSize(viewport);
      t.false(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), `${name} ${size}`);
      await picture(page, `book-${name}-${size}`);
      await page.emulateMedia({ colorScheme: 'dark' });
      await picture(page, `book-${name}-${size}-dark`);
      await page.emulateMedia({ colorScheme: 'light' });
    }
    await page.setViewportSize(PHONE);
  };
  await page.setViewportSize(PHONE);
  const shown: number[] = [];
  await chooseTime(page, url, async (name) => {
    await page.waitForLoadState('networkidle');
    const loaded = await page
      .locator('main img')
      .evaluateAll((images) =>
        (images as { naturalWidth?: number }[]).filter(({ naturalWidth }) => naturalWidth === 320),
      );
    shown.push(loaded.length);
    await see(name);
  });
  t.deepEqual(shown, [1, 3, 0], 'pictures of the list, of the times and of the form');
  t.regex((await page.textContent('main'))!, /£25\.00.*£5\.00.*£30\.00/s, 'the exact price with its lines');
  const [line] = await page.locator('.amounts dt').allTextContents();
  t.regex(line!, /^1 h at £25\.00:?$/, 'room and time are said above');
  t.regex((await page.textContent('main'))!, /Cancellation.*If cancelled/s, 'before anybody pays');
  await enter(page, email);
  await page.fill('#attendees', '6');
  await page.selectOption('#answer_layout', 'In a circle');
  await page.click('summary');
  await page.fill('#company', 'Orchard Ltd');
  await page.fill('#vat_number', 'GB123456789');
  await page.fill('#order_reference', 'PO-77');
  await page.check('[name=terms_version]');
  await page.click(`text=${message('page.book_and_pay_amount', { amount: '£30.00' })}`);
  await page.waitForURL((to) => !to.href.startsWith(dev.baseUrl));
  await page.fill('#number', '4242 4242 4242 4242');
  await page.fill('#expiry', CARD_EXPIRY);
  await page.fill('#cvc', '123');
  await page.click('button[value=pay]');
  await page.locator('h1', { hasText: message('payer.confirmed') }).waitFor();
  t.is(await page.locator(`text=${message('payer.add_to_calendar')}`).count(), 1);
  t.is(await page.locator('a[href*="/manage/"]').count(), 2);
  t.deepEqual(page.complaints, []);
  const { body } = await workspace.api.get(`/v1/bookings?q=${encodeURIComponent(email)}`);
  const [booking] = body.data;
  t.like(booking!, {
    status: 'confirmed',
    source: 'page',
    attendees: 6,
    billing: { company: 'Orchard Ltd', vat_number: 'GB123456789', order_reference: 'PO-77' },
    answers: [{ id: 'layout', label: 'How should the chairs stand?', value: 'In a circle' }],
    terms_version: '2026-05',
  });
  t.truthy(booking!.terms_accepted_at);
  await page.close();
  await sweep(t, workspace);
});

test('a room with rates has its lowest price in the list, and each time has its price', async (t) => {
  const { workspace, room, url } = await openPage({ time_zone: 'UTC' });
  await workspace.api.put(`/v1/rooms/${room.id}/rates`, {
    rates: [
      { name: 'Evening', from: '18:00', to: '22:00', amount_minor: 4_000 },
      { name: 'Early', from: '06:00', to: '09:00', amount_minor: 1_000 },
    ],
  });
  const page = await newPage(browser);
  const see = async (name: string): Promise<void> => {
    await picture(page, `book-rated-${name}`);
    await page.emulateMedia({ colorScheme: 'dark' });
    await picture(page, `book-rated-${name}-dark`);
    await page.emulateMedia({ colorScheme: 'light' });
    t.false(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), name);
  };
  await page.setViewportSize(PHONE);
  // An hour at the early rate and 20 % tax.
  await page.goto(url);
  t.regex((await page.textContent('main'))!, /From £12\.00 per hour\s*incl\. tax/);
  await chooseTime(page, url, see);
  await page.goBack();
  const times = await page.locator('ul.times a').allTextContents();
  // Half of it early, half at the hourly price: 5.00 and 12.50.
  for (const priced of [/08:00\s*£12\.00/, /08:30\s*£21\.00/, /12:00\s*£30\.00/, /18:00\s*£48\.00/])
    t.true(
      times.some((time) => priced.test(time)),
      `${priced} in ${times.join(', ')}`,
    );
  await page.close();
});

test('a public guest with a discount code sees the price with it before they pay, and nothing more about an invalid code', async (t) => {
  const { workspace, url } = await openPage();
  const page = await newPage(browser);
  await page.setViewportSize(PHONE);
  await chooseTime(page, url, quiet);
  t.is(await page.locator('#discount_code').count(), 0, 'a workspace without codes asks for none');
  const made = await workspace.api.post('/v1/discounts', { code: 'SPRING', percent: 10 });
  t.is(made.status, 201);
  await workspace.api.post('/v1/discounts', {
    code: 'OVER',
    percent: 10,
    valid_until: '2026-01-01T00:00:00Z',
  });
  await page.reload();
  const email = uniqueEmail();
  await enter(page, email);
  await page.click(`text=${message('page.use_code')}`);
  for (const wrong of ['over', 'unknown', 'no code!']) {
    await page.fill('#discount_code', wrong);
    await page.click(`text=${message('page.book_and_pay_amount', { amount: '£30.00' })}`);
    t.true((await page.textContent('main'))!.includes(message('payer.error_discount_unavailable')), wrong);
    t.is(await page.inputValue('#email'), email);
  }
  await page.fill('#discount_code', 'spring');
  await picture(page, 'book-code-wrong');
  await page.click(`text=${message('page.book_and_pay_amount', { amount: '£30.00' })}`);
  t.regex((await page.textContent('main'))!, /This is the price with your code.*Code SPRING, 10%.*−£2\.50/s);
  await assertAccessible(t, page, 'the price with a code');
  await picture(page, 'book-code');
  await page.click(`text=${message('page.book_and_pay_amount', { amount: '£27.00' })}`);
  await page.waitForURL((to) => !to.href.startsWith(dev.baseUrl));
  const { body } = await workspace.api.get(`/v1/bookings?q=${encodeURIComponent(email)}`);
  t.like(body.data[0]!, { discount_code: 'SPRING', price: { amount_minor: 2_700 } });
  t.deepEqual(page.complaints, []);
  await page.close();
});

test('a guest who is too late learns that the time is taken, keeps what they typed, and books another time', async (t) => {
  const { workspace, room, url } = await openPage();
  const page = await newPage(browser);
  await page.setViewportSize(PHONE);
  await chooseTime(page, url, quiet);
  const start_at = new URL(page.url()).searchParams.get('start')!;
  await createBooking(workspace.api, bookingBody(room.id, { start_at, end_at: hoursLater(start_at, 1) }));
  const email = uniqueEmail();
  await enter(page, email);
  await page.click(`text=${message('page.book_and_pay')}`);
  t.is(await readHeading(page), message('page.just_taken'));
  t.is(await page.inputValue('#email'), email);
  t.is(await page.locator('[name=slot]').count(), 6);
  await picture(page, 'book-taken');
  await page.click(`text=${message('page.book_and_pay')}`);
  await page.waitForURL((to) => !to.href.startsWith(dev.baseUrl));
  const { body } = await workspace.api.get(`/v1/bookings?q=${encodeURIComponent(email)}`);
  t.is(body.data.length, 1);
  t.is(body.data[0]!.start_at, hoursLater(start_at, 1));
  await page.close();
});

/** Submits the form for a time as a browser without JavaScript does. */
async function send(at: string, fields: Record<string, string>) {
  const response = await fetch(`${at}/details`, { method: 'POST', body: new URLSearchParams(fields) });
  const text = await response.text();
  return { status: response.status, title: /<h1>([^<]*)/.exec(text)?.[1], text };
}

let hours = 0;
const bookingForm = (price: number, fields: Record<string, string> = {}): Record<string, string> => ({
  slot: `${hoursLater(`${someDay()}T08:00:00.000Z`, hours++)}|${price}`,
  minutes: '60',
  key: randomUUID(),
  name: 'Grace Guest',
  email: uniqueEmail(),
  attendees: '2',
  ...fields,
});

test('while the hosted page cannot be opened, a public guest reads that nothing is booked, and can try again', async (t) => {
  const { workspace, url } = await openPage();
  const page = await newPage(browser);
  await chooseTime(page, url, quiet);
  const email = uniqueEmail();
  await enter(page, email);
  const down = { fail: [{ method: 'POST', path: '/v1/checkout/sessions', status: 400, times: 100 }] };
  await withFaults(workspace, down, async () => {
    await page.click(`text=${message('page.book_and_pay')}`);
    const alert = await page.locator('[role=alert]').first().innerText();
    t.true(alert.includes(message('payer.error_page_not_opened')), alert);
  });
  t.is(await page.inputValue('#email'), email);
  await page.click(`text=${message('page.book_and_pay')}`);
  await page.waitForURL((to) => !to.href.startsWith(dev.baseUrl));
  await page.close();
  await sweep(t, workspace);
});

test('a form that is sent several times books once', async (t) => {
  const { workspace, room, url } = await openPage();
  const at = `${url}/rooms/${room.id}`;
  const form = bookingForm(3_000);
  const sent = await Promise.all([send(at, form), send(at, form), send(at, form)]);
  t.deepEqual(
    sent.map(({ title }) => title),
    Array(3).fill(message('payer.continue_to_payment')),
  );
  t.is((await send(at, { ...form, name: 'Somebody Else' })).status, 409);
  const { body } = await workspace.api.get(`/v1/bookings?q=${encodeURIComponent(form.email!)}`);
  t.is(body.data.length, 1);
  t.is((await send(at, bookingForm(2_900))).status, 422, 'a price that was not shown');
});

test('a mailbox has at most two unpaid bookings, and an expired hold sends it no mail', async (t) => {
  const { workspace, room, url } = await openPage({}, { guest_hold_seconds: 10 });
  const at = `${url}/rooms/${room.id}`;
  const email = uniqueEmail();
  const first = await send(at, bookingForm(3_000, { email }));
  t.is(first.title, message('payer.continue_to_payment'));
  t.is((await send(at, bookingForm(3_000, { email: email.toUpperCase() }))).status, 200);
  const third = await send(at, bookingForm(3_000, { email }));
  t.is(third.status, 429);
  t.regex(third.text, /too many unpaid bookings/);
  const { body } = await workspace.api.get(`/v1/bookings?q=${encodeURIComponent(email)}`);
  t.is(body.data.length, 2);
  for (const { id } of body.data) await untilStatus(workspace.api, id, 'expired');
  t.is((await send(at, bookingForm(3_000, { email }))).status, 200, 'once the holds have ended');
  const held = message('mail.held_subject', { room: 'Garden room' });
  t.true((await mailTo(email)).every(({ subject }) => subject === held));
  await sweep(t, workspace);
});

test('a free booking is confirmed only by the link in its mail', async (t) => {
  const free = { price_per_hour: { currency: 'GBP', amount_minor: 0 } };
  const { workspace, room, url } = await openPage(free);
  const at = `${url}/rooms/${room.id}`;
  const form = bookingForm(0);
  t.is((await send(at, form)).title, message('page.confirm_by_mail'));
  t.is((await send(at, form)).title, message('page.confirm_by_mail'), 'a repeat');
  const [start_at] = form.slot!.split('|');
  const other = bookingBody(room.id, { start_at, end_at: hoursLater(start_at!, 1) });
  t.is((await workspace.api.post('/v1/bookings', other)).status, 409, 'it is held meanwhile');
  const found = () => workspace.api.get(`/v1/bookings?q=${encodeURIComponent(form.email!)}`);
  t.deepEqual((await found()).body.data, []);
  const mail = await until(async () => (await mailTo(form.email!))[0]);
  t.is(mail.subject, message('mail.proof_subject', { room: 'Garden room' }));
  const link = mail.links.find((each) => each.includes('/confirm/'))!;
  const page = await newPage(browser);
  await page.setViewportSize(PHONE);
  await page.goto(link);
  t.deepEqual((await found()).body.data, [], 'mail programs open links too');
  await picture(page, 'book-confirm');
  await page.click('button');
  t.is(await readHeading(page), message('payer.confirmed'));
  t.like((await found()).body.data[0], { status: 'confirmed', source: 'page' });
  await page.goto(link);
  t.is(await readHeading(page), message('payer.confirmed'), 'a repeat leads to the booking');
  t.is((await fetch(`${link}x`)).status, 404);
  await page.close();
  await sweep(t, workspace);
});

test('a free booking that nobody confirms leaves nothing, and its link says so', async (t) => {
  const free = { price_per_hour: { currency: 'GBP', amount_minor: 0 } };
  const { workspace, room, url } = await openPage(free, { guest_hold_seconds: 10 });
  const form = bookingForm(0);
  await send(`${url}/rooms/${room.id}`, form);
  const mail = await until(async () => (await mailTo(form.email!))[0]);
  const link = mail.links.find((each) => each.includes('/confirm/'))!;
  const [start_at] = form.slot!.split('|');
  const other = bookingBody(room.id, { start_at, end_at: hoursLater(start_at!, 1) });
  await until(async () => (await workspace.api.post('/v1/bookings', other)).status === 201);
  t.is((await fetch(link)).status, 404);
  t.is((await fetch(link, { method: 'POST' })).status, 404);
  await sweep(t, workspace);
});

test('the form of a free booking that nobody confirmed in time can book again, also with other details', async (t) => {
  const free = { price_per_hour: { currency: 'GBP', amount_minor: 0 } };
  const { workspace, room, url } = await openPage(free);
  const at = `${url}/rooms/${room.id}`;
  const form = bookingForm(0);
  const [start] = form.slot!.split('|');
  const details = `${at}/details?${new URLSearchParams({ start: start!, minutes: '60', key: form.key! })}`;
  const heading = async () => /<h1[^>]*>([^<]*)/.exec(await (await fetch(details)).text())![1];
  const lapse = () =>
    db.query(
      `UPDATE bookings SET confirm_until = now() - interval '1 second'
       WHERE workspace_id = $1 AND published_at IS NULL`,
      [workspace.id],
    );
  t.is((await send(at, form)).title, message('page.confirm_by_mail'));
  t.is(await heading(), message('page.confirm_by_mail'));
  await lapse();
  t.is(await heading(), message('page.your_details'));
  t.is((await send(at, form)).title, message('page.confirm_by_mail'), 'the same again');
  await lapse();
  const email = uniqueEmail();
  t.is((await send(at, { ...form, email })).title, message('page.confirm_by_mail'));
  await lapse();
  t.is((await send(at, { ...bookingForm(0), key: form.key! })).title, message('page.confirm_by_mail'));
  const held = await db.query(`SELECT id FROM bookings WHERE workspace_id = $1`, [workspace.id]);
  t.is(held.length, 1, 'what has lapsed is gone');
  await sweep(t, workspace);
});

test('while it is checked whether a hold was paid in time, its form offers no payment', async (t) => {
  const { workspace, room, url } = await openPage();
  const at = `${url}/rooms/${room.id}`;
  const form = bookingForm(3_000);
  t.is((await send(at, form)).title, message('payer.continue_to_payment'));
  await db.query(`UPDATE bookings SET expires_at = now() - interval '1 minute' WHERE workspace_id = $1`, [
    workspace.id,
  ]);
  const ended = await send(at, form);
  t.is(ended.title, message('payer.hold_expired'));
  t.true(ended.text.includes(message('payer.book_again')));
  t.notRegex(ended.text, new RegExp(message('payer.continue_to_payment')));
});

test('a hold that ends on another day says on which', async (t) => {
  const day = String.raw`\w{3} \d{1,2} \w{3}( \d{4})?, \d\d:\d\d`;
  for (const [amount_minor, says] of [
    [2_500, 'The room is held for you until'],
    [0, 'Open it by'],
  ] as const) {
    const settings = { price_per_hour: { currency: 'GBP', amount_minor }, time_zone: 'UTC' };
    const { room, url } = await openPage(settings, { guest_hold_seconds: 86_400 });
    const { text } = await send(`${url}/rooms/${room.id}`, bookingForm(amount_minor * 1.2));
    t.regex(text, new RegExp(`${says} ${day}`));
  }
});

test('pages that do not exist, are switched off or full say so', async (t) => {
  const { workspace, room, slug, url } = await openPage({
    opening_hours: { mon: [], tue: [], wed: [], thu: [], fri: [], sat: [], sun: [] },
  });
  const read = async (address: string) => {
    const response = await fetch(address);
    return [response.status, await response.text()] as const;
  };
  const [unknown, missing] = await read(`${dev.baseUrl}/book/no-such-page`);
  t.is(unknown, 404);
  t.true(missing.includes(message('page.none_here')));
  const [full, times] = await read(`${url}/rooms/${room.id}`);
  t.is(full, 200);
  t.regex(times, /Nothing is available for 1 h in /);
  t.is((await read(`${url}/rooms/${randomUUID()}`))[0], 404);
  await workspace.api.put('/v1/booking-page', { slug, room_ids: [] });
  t.true((await read(url))[1].includes(message('page.no_room')));
  t.is((await read(`${url}/rooms/${room.id}`))[0], 404);
  await workspace.api.put('/v1/booking-page', { slug, enabled: false });
  const [off, text] = await read(url);
  t.is(off, 404);
  t.true(text.includes(message('page.switched_off')));
});

test('while the service is unavailable, the page of a link says so, and the link still works', async (t) => {
  const { room, url } = await openPage({ price_per_hour: { currency: 'GBP', amount_minor: 0 } });
  const form = bookingForm(0);
  await send(`${url}/rooms/${room.id}`, form);
  const [{ id }] = await db.query(`SELECT id FROM bookings WHERE room_id = $1`, [room.id]);
  const ENCRYPTION_KEY = randomBytes(32).toString('base64');
  const settings = { ENCRYPTION_KEY, TEMPORAL_ADDRESS: '127.0.0.1:9' };
  const broken = await startApi({ ...settings, RATE_LIMIT_SCALE: '100' });
  t.teardown(() => broken.stop());
  const link = createProofLinks(createEncryption(ENCRYPTION_KEY), broken.baseUrl).linkTo(id);
  const failed = await fetch(link, { method: 'POST' });
  const text = await failed.text();
  t.is(failed.status, 503);
  t.is(failed.headers.get('retry-after'), '30');
  t.true(text.includes(message('page.cannot_confirm')));
  t.true(text.includes(message('page.our_side_maybe_confirmed')));
  t.notRegex(text, /dashboard|idempotency/);
  const page = await newPage(browser);
  await page.setContent(text);
  await picture(page, 'book-confirm-outage');
  await page.close();
  const mail = await until(async () => (await mailTo(form.email!))[0]);
  const works = await fetch(
    mail.links.find((each) => each.includes('/confirm/'))!,
    { method: 'POST' },
  );
  t.regex(works.url, /\/manage\//);
});

test('a booking whose outcome is not known is not said to be somebody else’s', async (t) => {
  const { workspace, room, slug, url } = await openPage();
  const broken = await startApi({ TEMPORAL_ADDRESS: '127.0.0.1:9', RATE_LIMIT_SCALE: '100' });
  t.teardown(() => broken.stop());
  const form = bookingForm(3_000);
  const failed = await send(`${broken.baseUrl}/book/${slug}/rooms/${room.id}`, form);
  t.deepEqual([failed.status, failed.title], [503, message('payer.failed')]);
  t.true(failed.text.includes(message('payer.error_service_unavailable')));
  t.is((await send(`${url}/rooms/${room.id}`, form)).title, message('payer.continue_to_payment'));
  const { body } = await workspace.api.get(`/v1/bookings?q=${encodeURIComponent(form.email!)}`);
  t.is(body.data.length, 1);
});

test('a guest whose booking has ended finds the booking page again on its pages and in the mail', async (t) => {
  const { workspace, room, slug, url } = await openPage();
  const again = new RegExp(`href="/book/${slug}"`);
  const cancelled = await createBooking(workspace.api, bookingBody(room.id));
  await workspace.api.post(`/v1/bookings/${cancelled.id}/cancel`, {});
  t.regex(await (await fetch(cancelled.manage_url!)).text(), again);
  await workspace.api.patch('/v1/workspace', { checkout_hold_seconds: 10 });
  const email = uniqueEmail();
  const booked_by = { guest: { email, name: 'Grace Guest' } };
  const lapsed = await createBooking(workspace.api, bookingBody(room.id, { booked_by }));
  await untilStatus(workspace.api, lapsed.id, 'expired');
  const mail = await until(async () =>
    (await mailTo(email)).find(({ subject }) => subject.includes('has expired')),
  );
  t.true(mail.links.includes(url));
  await workspace.api.put('/v1/booking-page', { slug, enabled: false });
  const contact = message('payer.contact_to_book_again', { name: 'Harbour House' });
  t.true((await (await fetch(cancelled.manage_url!)).text()).includes(contact));
});

test('from the address that npm start prints, a public guest has booked and paid within five clicks', async (t) => {
  const { body: settings } = await client(dev.apiKey).get('/v1/booking-page');
  t.is(settings.url, `${dev.baseUrl}/book/demo`);
  const page = await newPage(browser);
  let clicks = 0;
  const click = async (selector: string): Promise<void> => {
    clicks++;
    await page.locator(selector).first().click();
  };
  await page.goto(settings.url!);
  await click(`text=${message('page.choose_time')}`);
  await click('ul.times a');
  await enter(page, uniqueEmail());
  await click(`text=${message('page.book_and_pay_amount', { amount: '£' })}`);
  await page.waitForURL((to) => !to.href.startsWith(dev.baseUrl));
  await click('button[value=pay]');
  await page.locator('h1', { hasText: message('payer.confirmed') }).waitFor();
  t.true(clicks <= 5, String(clicks));
  await page.close();
});

/** The texts of the elements that a selector finds. */
const texts = (page: WatchedPage, selector: string): Promise<string[]> =>
  page.locator(selector).allTextContents();

test('a room that is booked by days can be booked for several, including those of 23 and 25 hours', async (t) => {
  const page = await newPage(browser);
  const days = {
    [daysAfter(CLOCKS_GO_FORWARD, -1)]: `${CLOCKS_GO_FORWARD}T23:00:00.000Z`,
    [daysAfter(CLOCKS_GO_BACK, -1)]: `${daysAfter(CLOCKS_GO_BACK, 1)}T00:00:00.000Z`,
  };
  for (const [day, end] of Object.entries(days)) {
    // A client can hold one such unpaid booking of a room.
    const { workspace, room, url } = await openPage({
      slot_minutes: 1440,
      max_minutes: 4 * 1440,
      time_zone: 'Europe/London',
      price_per_hour: { amount_minor: 500, currency: 'GBP' },
    });
    await page.goto(`${url}/rooms/${room.id}?day=${day}&minutes=2880`);
    t.deepEqual(await texts(page, '#minutes option'), ['1 day', '2 days', '3 days', '4 days']);
    await page.locator('ul.times a').first().click();
    t.regex(await page.locator('.summary').innerText(), /\n2 days\n/);
    const email = uniqueEmail();
    await enter(page, email);
    await page.click(`button:has-text("${message('page.book_and_pay')}")`);
    await page.waitForURL((to) => to.href.startsWith(dev.processorUrl!));
    const query =
      `q=${encodeURIComponent(email)}&from=${daysAfter(day, -1)}T00:00:00Z&to=` +
      `${daysAfter(day, 3)}T00:00:00Z`;
    const { body } = await workspace.api.get(`/v1/bookings?${query}`);
    t.is(body.data?.[0]?.end_at, end, JSON.stringify(body));
  }
  const { workspace, room } = await openPage({ slot_minutes: 1440, max_minutes: 1440 });
  const midnights = {
    start_at: `${CLOCKS_GO_BACK}T00:00:00+01:00`,
    end_at: `${daysAfter(CLOCKS_GO_BACK, 1)}T00:00:00Z`,
  };
  const { room_id, booked_by } = bookingBody(room.id);
  const quoted = await workspace.api.post('/v1/quotes', { room_id, booked_by, ...midnights });
  t.is(quoted.status, 200, JSON.stringify(quoted.body));
  t.deepEqual(page.complaints, []);
  await page.close();
});

test('a room with a minimum of two days has a page, and a booking form for staff', async (t) => {
  const { room, url } = await openPage({ min_minutes: 2880 });
  const page = await newPage(browser);
  const response = await page.goto(`${url}/rooms/${room.id}`);
  t.is(response!.status(), 200);
  t.deepEqual(await texts(page, '#minutes option'), ['2 days']);
  t.true((await texts(page, 'ul.times a')).length > 0);
  t.deepEqual(page.complaints, []);
  await page.close();
});

test('Back, Reload, the same address again and a second submission show the booking that was made', async (t) => {
  const { workspace, url } = await openPage();
  const page = await newPage(browser);
  await chooseTime(page, url, quiet);
  const details = page.url();
  const email = uniqueEmail();
  await enter(page, email);
  await page.click(`text=${message('page.book_and_pay_amount', { amount: '£30.00' })}`);
  await page.waitForURL((to) => to.href.startsWith(dev.processorUrl!));
  await page.goBack();
  t.is(
    await readHeading(page),
    message('payer.continue_to_payment'),
    'Back leads to no error of the browser, and not forth again',
  );
  await page.reload();
  t.is(await readHeading(page), message('payer.continue_to_payment'));
  await page.goto(details);
  await picture(page, 'book-again');
  t.is(
    await readHeading(page),
    message('payer.continue_to_payment'),
    'not that somebody else has taken the time',
  );
  await page.locator('a.button', { hasText: message('payer.continue_to_payment') }).click();
  await page.waitForURL((to) => to.href.startsWith(dev.processorUrl!));
  await page.fill('#number', '4242 4242 4242 4242');
  await page.fill('#expiry', CARD_EXPIRY);
  await page.fill('#cvc', '123');
  await page.click('button[value=pay]');
  await page.waitForURL(/\/checkout\/success/);
  const { body } = await workspace.api.get(`/v1/bookings?q=${encodeURIComponent(email)}`);
  t.is(body.data.length, 1);
  await untilStatus(workspace.api, body.data[0]!.id, 'confirmed');
  await page.goto(details);
  t.is(await readHeading(page), message('payer.confirmed'));
  t.deepEqual(page.complaints, []);
  await page.close();
});

test('a form that is sent again with other details leads to the booking that it made, not to other times', async (t) => {
  const { workspace, url } = await openPage();
  const page = await newPage(browser);
  await page.setViewportSize(PHONE);
  await chooseTime(page, url, quiet);
  const email = uniqueEmail();
  const pays = `text=${message('page.book_and_pay_amount', { amount: '£30.00' })}`;
  await enter(page, email);
  await page.fill('#attendees', '3');
  // The response shows the form, and stays in the browser's history.
  const skipChecks = () =>
    page.locator('form.booking').evaluate((form) => void Object.assign(form, { noValidate: true }));
  await skipChecks();
  await page.fill('#email', 'none');
  await page.click(pays);
  await page.locator('[role=alert]').first().waitFor();
  await page.fill('#email', email);
  await page.click(pays);
  await page.waitForURL((to) => to.href.startsWith(dev.processorUrl!));
  const goBackTo = async (title: string): Promise<void> => {
    for (let n = 0; n < 4 && (await readHeading(page)) !== title; n++) await page.goBack();
    t.is(await readHeading(page), title);
  };
  await goBackTo(message('page.your_details'));
  await page.fill('#email', uniqueEmail());
  await page.click(pays);
  await page.locator('h1', { hasText: message('page.sent_before') }).waitFor();
  t.regex(await page.locator('main').innerText(), /Garden room[^]*£30\.00/);
  t.is(await page.locator('[name=slot]').count(), 0);
  await assertAccessible(t, page, 'sent before');
  await picture(page, 'book-sent-before');
  await page.click(`text=${message('payer.view_booking')}`);
  await page.locator('a.button', { hasText: message('payer.continue_to_payment') }).click();
  await page.waitForURL((to) => to.href.startsWith(dev.processorUrl!));
  await goBackTo(message('page.sent_before'));
  await page.click(`text=${message('page.choose_other_time')}`);
  t.is(new URL(page.url()).searchParams.get('attendees'), '3');
  await page.locator('ul.times a').first().click();
  await enter(page, email);
  await page.click(pays);
  await page.waitForURL((to) => to.href.startsWith(dev.processorUrl!));
  const { body } = await workspace.api.get(`/v1/bookings?q=${encodeURIComponent(email)}`);
  t.is(body.data.length, 2, 'another time has a key of its own');
  await page.close();
});

test('a form that has booked updates no price, and shows no booking to another key', async (t) => {
  const { room, url } = await openPage();
  const at = `${url}/rooms/${room.id}`;
  const form = bookingForm(3_000);
  await send(at, form);
  const changed = { ...form, name: 'Somebody Else' };
  const update = await fetch(`${at}/details?price=update`, {
    method: 'POST',
    body: new URLSearchParams(changed),
  });
  t.is(update.status, 409);
  const shown = await update.text();
  t.true(shown.includes(message('page.sent_before')));
  t.false(shown.includes(form.email!), 'nor who has booked');
  const wrong = await send(at, { ...form, email: 'none' });
  t.deepEqual([wrong.status, wrong.title], [409, message('page.sent_before')], 'with a problem');
  const other = await send(at, { ...changed, key: randomUUID() });
  t.deepEqual([other.status, other.title], [409, message('page.just_taken')]);
  t.false(other.text.includes(form.key!));
});

test('a time that costs less than the minimum charge says so', async (t) => {
  const { room, url } = await openPage({
    price_per_hour: { amount_minor: 60, currency: 'GBP' },
    slot_minutes: 15,
  });
  const page = await newPage(browser);
  await page.goto(`${url}/rooms/${room.id}?day=${someDay()}&minutes=15`);
  await page.locator('ul.times a').first().click();
  t.true((await page.locator('main').innerText()).includes(message('payer.error_amount_too_small')));
  await page.close();
});
