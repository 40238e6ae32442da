import test from 'ava';
import { solveChallenge, type Challenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { randomUUID } from 'node:crypto';
import type { ApiClient } from '../../support/api-client.js';
import { bookingBody, pay, untilStatus } from '../../support/bookings.js';
import { startApi } from '../../support/api-process.js';
import { launchBrowser } from '../../support/chromium.js';
import { newPage, picture } from '../../support/browser.js';
import { assertAccessible } from '../../support/axe.js';
import { once } from '../../support/once.js';
import { mailTo } from '../../support/simulators.js';
import { db, dev } from '../../support/stack.js';
import { until } from '../../support/until.js';
import { newRoom, newWorkspace, uniqueEmail } from '../../support/workspaces.js';
import { post } from '../../support/manage-link-calls.js';
import { isError } from '../../support/booking-calls.js';
import { newSite, publicBookingBody } from '../../support/publishable-calls.js';
import { message } from '../../support/message.js';

/** A process behind a proxy with the limits of production. */
const production = once(() => startApi({ TRUSTED_PROXIES: '1', RATE_LIMIT_SCALE: '1' }));

let addressesUsed = 0;
/** An address that no other client in these tests uses. */
const newAddress = (): string => {
  addressesUsed++;
  return `100.70.${addressesUsed >> 8}.${addressesUsed & 255}`;
};

async function setUp() {
  const { baseUrl } = await production();
  const workspace = await newWorkspace();
  const room = await newRoom(workspace.api);
  const { site } = await newSite(workspace.api, {}, baseUrl);
  const book = (address: string, more: Record<string, unknown> = {}, of = room.id) =>
    site.post('/v1/public/bookings', publicBookingBody(of, more), { 'x-forwarded-for': address });
  return { ...workspace, room, site, book };
}

/**
 * The status of a booking requested at the same time as many others. If a busy machine answers too late, the
 * request is repeated, as the error advises, and finds the booking if it was made.
 */
const patiently = (ask: () => Promise<{ status: number }>): Promise<number> =>
  until(async () => {
    const { status } = await ask();
    return status < 500 && (status === 200 ? 201 : status);
  });

async function answerTo(challenge: Challenge): Promise<string> {
  const solution = await solveChallenge({ challenge, deriveKey });
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64');
}

test('an address must prove work from its third hold on, once for each, and can make five in ten minutes', async (t) => {
  const { book } = await setUp();
  const address = newAddress();
  const began = Date.now();
  for (let n = 0; n < 2; n++) t.is((await book(address)).status, 201);
  const asked = await book(address);
  isError(t, asked, 403, 'proof_required');
  const challenge = asked.body.error.details!.challenge as Challenge;
  const proof = await answerTo(challenge);
  t.is((await book(address, { proof })).status, 201);
  isError(t, await book(address, { proof }), 403, 'proof_required', 'spent');
  const easy = { ...challenge, parameters: { ...challenge.parameters, keyPrefix: '00' } };
  isError(t, await book(address, { proof: await answerTo(easy) }), 403, 'proof_required', 'forged');
  isError(t, await book(address, { proof: 'nonsense' }), 403, 'proof_required');
  let made = 3;
  let again = await book(address);
  for (; again.status === 403; again = await book(address), made++) {
    const more = await answerTo(again.body.error.details!.challenge as Challenge);
    t.is((await book(address, { proof: more })).status, 201);
  }
  isError(t, again, 429, 'rate_limited');
  // Two minutes allow one more, in case proving takes that long on this machine.
  t.true(made >= 5 && made <= 6 + (Date.now() - began) / 120_000, String(made));
  t.is((await book(newAddress())).status, 201, 'another address');
});

test('other people’s use of a mailbox changes nothing for a client, and the mailbox gets one mail', async (t) => {
  const { book } = await setUp();
  const guest = { email: uniqueEmail(), name: 'Grace Guest' };
  const [theirs, curious] = [newAddress(), newAddress()];
  for (const expected of [201, 201, 429]) t.is((await book(theirs, { guest })).status, expected);
  const other = { email: uniqueEmail(), name: 'Grace Guest' };
  const answers = async (of: object) => {
    const made = await book(newAddress(), { guest: of });
    return [made.status, Object.keys(made.body), made.body.status];
  };
  t.deepEqual(await answers(guest), await answers(other), 'a mailbox with two holds, and one without');
  for (const expected of [201, 201, 429]) t.is((await book(curious, { guest })).status, expected);
  await db.query(
    `UPDATE mails m SET next_attempt_at = now(), notify_at = now() FROM bookings b
     WHERE b.id = m.booking_id AND b.guest_email = $1 AND m.status = 'pending'`,
    [guest.email],
  );
  const statuses = await until(async () => {
    const rows: { status: string; kind: string }[] = await db.query(
      `SELECT m.status, m.kind FROM mails m JOIN bookings b ON b.id = m.booking_id WHERE b.guest_email = $1
        ORDER BY m.status`,
      [guest.email],
    );
    return (
      rows.every(({ status }) => status !== 'pending') && rows.map(({ status, kind }) => `${kind} ${status}`)
    );
  });
  t.deepEqual(statuses, ['booking_held sent', ...Array<string>(4).fill('booking_held skipped')]);
  t.is((await mailTo(guest.email)).length, 1);
});

test('a public guest who cancels a booking by its link can’t have their own text mailed to anybody', async (t) => {
  const { api, id, book } = await setUp();
  const guest = { email: uniqueEmail(), name: 'Your parcel waits at evil.example' };
  const { body: booking } = await book(newAddress(), { guest });
  const { pathname } = new URL(booking.manage_url!);
  const cancelled = await post(`${(await production()).baseUrl}${pathname}/cancel`, { refund_minor: '0' });
  t.is(cancelled.status, 303);
  const mails = await db.query(
    `SELECT m.kind, m.status FROM mails m JOIN bookings b ON b.id = m.booking_id WHERE b.guest_email = $1`,
    [guest.email],
  );
  t.deepEqual(mails, [{ kind: 'booking_held', status: 'skipped' }]);
  const [{ id: cancelledId }] = await db.query(`SELECT id FROM bookings WHERE workspace_id = $1`, [id]);
  const sent = await api.post(`/v1/bookings/${cancelledId}/send`);
  isError(t, sent, 422, 'validation_failed', 'nor can staff send it');
});

test('guests behind one address who have paid are not limited like guests who hold rooms', async (t) => {
  const { api, id, book } = await setUp();
  const address = newAddress();
  for (let n = 0; n < 6; n++) {
    const { status, body } = await book(address);
    t.is(status, 201, String(n));
    await pay(body);
    const of = [id, body.reference];
    const [held] = await db.query(`SELECT id FROM bookings WHERE workspace_id = $1 AND reference = $2`, of);
    await untilStatus(api, held.id, 'confirmed');
  }
});

test('a public guest cannot hold a room for a year, by key or by form', async (t) => {
  const { api, room, book } = await setUp();
  const { start_at } = publicBookingBody(room.id);
  const after = (days: number) => new Date(Date.parse(start_at) + days * 86_400_000).toISOString();
  isError(t, await book(newAddress(), { start_at, end_at: after(365) }), 429, 'rate_limited');
  const url = await createBookingPage(api);
  const form = formAt(9);
  form.set('minutes', '525600');
  form.set('slot', form.get('slot')!.replace('|3000', `|${3_000 * 24 * 365}`));
  const sent = await fetch(`${url}/rooms/${room.id}/details`, {
    method: 'POST',
    body: form,
    headers: { 'x-forwarded-for': newAddress() },
  });
  t.is(sent.status, 429);
  t.is((await book(newAddress(), { start_at, end_at: after(1) })).status, 201, 'a day');
});

test('public guests who hoard can hold at most twenty slots of a room, and staff still book as before', async (t) => {
  const { api, id, room, book } = await setUp();
  const other = await newRoom(api);
  const hoarders = Array.from({ length: 50 }, (_, n) => {
    const [address, slot] = [newAddress(), publicBookingBody(n % 2 ? room.id : other.id)];
    return patiently(() => book(address, slot));
  });
  const staff = (of: string): Promise<number> => {
    const body = bookingBody(of);
    return patiently(() => api.post('/v1/bookings', body));
  };
  const booked = await Promise.all([staff(room.id), staff(other.id), staff(room.id)]);
  t.deepEqual(booked, [201, 201, 201], 'while they hoard');
  const statuses = await Promise.all(hoarders);
  t.is(statuses.filter((status) => status === 201).length, 40);
  t.is(statuses.filter((status) => status === 429).length, 10);
  const held = await db.query(
    `SELECT room_id, count(*)::int FROM bookings
     WHERE workspace_id = $1 AND source = 'page' AND status = 'pending_payment' GROUP BY room_id`,
    [id],
  );
  t.deepEqual(
    held.map(({ count }: { count: number }) => count),
    [20, 20],
  );
  isError(t, await book(newAddress()), 429, 'rate_limited');
  t.deepEqual([await staff(room.id), await staff(other.id)], [201, 201], 'and afterwards');
});

/** The form for an hour, as browsers send it. */
const formAt = (hour: number): URLSearchParams => {
  const day = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10);
  const slot = `${day}T${String(hour).padStart(2, '0')}:00:00.000Z|3000`;
  const guest = { name: 'Grace Guest', email: uniqueEmail(), attendees: '2' };
  return new URLSearchParams({ slot, minutes: '60', key: randomUUID(), ...guest });
};

async function createBookingPage(api: ApiClient): Promise<string> {
  const slug = `house-${randomUUID().slice(0, 8)}`;
  await api.put('/v1/booking-page', { slug });
  return `${(await production()).baseUrl}/book/${slug}`;
}

test('the page proves the work by itself, and says what to do if scripts are off', async (t) => {
  const { api, room, book } = await setUp();
  const url = await createBookingPage(api);
  const address = newAddress();
  for (let n = 0; n < 2; n++) t.is((await book(address)).status, 201);

  const without = await fetch(`${url}/rooms/${room.id}/details`, {
    method: 'POST',
    body: formAt(9),
    headers: { 'x-forwarded-for': address },
  });
  t.is(without.status, 403);
  const text = await without.text();
  t.true(text.includes(message('page.unchecked', { name: 'Test house' })));
  t.regex(text, /value="Grace Guest"/, 'what was typed');

  const page = await newPage(await launchBrowser());
  await page.setExtraHTTPHeaders({ 'x-forwarded-for': address });
  await page.goto(
    `${url}/rooms/${room.id}?day=${new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10)}`,
  );
  await page.locator('ul.times a').nth(18).click();
  await page.fill('#name', 'Grace Guest');
  const email = uniqueEmail();
  await page.fill('#email', email);
  // The form is held back until the page has been checked, because axe and screenshots wait for a started
  // navigation.
  await page.addInitScript(`HTMLFormElement.prototype.requestSubmit = function () {
    window.goOn = () => this.submit();
  }`);
  await page.click(`text=${message('page.book_and_pay_amount', { amount: '£30.00' })}`);
  await page.locator('#checking').waitFor();
  t.false(await page.locator('#unchecked').isVisible());
  await picture(page, 'book-proof');
  await assertAccessible(t, page, 'proof');
  // Not `waitForFunction`, which polls with eval, which the page's policy forbids.
  await until(() => page.evaluate('window.goOn !== undefined'));
  await page.evaluate('goOn()');
  await page.waitForURL((to) => to.href.startsWith(dev.processorUrl!));
  t.deepEqual(page.complaints, []);
  const { body } = await api.get(`/v1/bookings?q=${encodeURIComponent(email)}`);
  t.is(body.data.length, 1);
  await page.close();
});
