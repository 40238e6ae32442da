import test from 'ava';
import { book as bookOnAccount, newScene } from './on-account-calls.js';
import { isError } from '../support/booking-calls.js';
import { newKey, newMember } from '../support/people.js';
import { accountingLedger, newAccountingWorkspace, untilInAccounting } from '../support/accounting.js';
import type { ApiClient } from '../support/api-client.js';
import { bookingBody, createBooking, freeHour, hoursLater, pay, untilStatus } from '../support/bookings.js';
import { sweep } from '../support/invariants.js';
import { until } from '../support/until.js';
import { newRoom, newWorkspace, uniqueEmail } from '../support/workspaces.js';
import { NEXT_MONDAY } from '../support/days.js';

let codes = 0;
async function newDiscount(api: ApiClient, fields: Record<string, unknown> = {}) {
  const amountOff = 'amount_minor' in fields ? {} : { percent: 10 };
  const { status, body } = await api.post('/v1/discounts', {
    code: `CODE-${++codes}`,
    ...amountOff,
    ...fields,
  });
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body;
}

const readUses = async (api: ApiClient, { id }: { id: string }) =>
  (await api.get(`/v1/discounts/${id}`)).body.used;
const guest = (email = uniqueEmail()) => ({ booked_by: { guest: { email, name: 'Grace Guest' } } });

test('an operator creates, changes and archives codes, and contradictory values are refused', async (t) => {
  const { api } = await newWorkspace();
  const room = await newRoom(api);
  const code = await newDiscount(api, { code: 'spring-10', max_uses: 200 });
  t.like(code, {
    code: 'SPRING-10',
    percent: 10,
    amount_minor: null,
    currency: null,
    used: 0,
    archived: false,
  });
  const fiver = await newDiscount(api, {
    amount_minor: 500,
    rooms: [room.id],
    audience: { kind: 'members' },
  });
  t.like(fiver, {
    percent: null,
    amount_minor: 500,
    currency: 'GBP',
    audience: { kind: 'members', tiers: null, company_ids: null },
  });
  const valid_until = `${NEXT_MONDAY}T00:00:00.000Z`;
  const changed = await api.patch(`/v1/discounts/${code.id}`, {
    valid_until,
    max_uses: null,
    archived: true,
  });
  t.like(changed.body, { valid_until, max_uses: null, archived: true });
  const listed = async (query = '') =>
    (await api.get(`/v1/discounts${query}`)).body.data.map(({ id }: { id: string }) => id);
  t.deepEqual(await listed(), [fiver.id]);
  t.deepEqual(await listed('?include_archived=true'), [code.id, fiver.id]);
  const { body: first } = await api.get('/v1/discounts?include_archived=true&limit=1');
  t.deepEqual(await listed(`?include_archived=true&limit=1&cursor=${first.next_cursor}`), [fiver.id]);
  const log = await api.get('/v1/audit-log?action=discount.updated');
  t.like(log.body.data[0]!.details, { before: { archived: false }, after: { archived: true } });

  const unknown = '019a3c5e-0000-7000-8000-000000000000';
  for (const [fields, param] of [
    [{ code: 'SPRING-10', percent: 5 }, 'code'],
    [{ code: 'no spaces', percent: 5 }, 'code'],
    [{ code: 'BOTH', percent: 5, amount_minor: 5 }, null],
    [{ code: 'NEITHER' }, null],
    [{ code: 'NOTHING', percent: 0 }, 'percent'],
    [{ code: 'MUCH', percent: 101 }, 'percent'],
    [{ code: 'ROOM', percent: 5, rooms: [unknown] }, 'rooms.0'],
    [{ code: 'TIERS', percent: 5, audience: { kind: 'guests', tiers: ['pro'] } }, 'audience.tiers'],
    [{ code: 'TIME', percent: 5, valid_from: valid_until, valid_until }, 'valid_until'],
    [{ code: 'NONE', percent: 5, max_uses: 0 }, 'max_uses'],
  ] as const) {
    const refused = await api.post('/v1/discounts', fields);
    isError(t, refused, 422, 'validation_failed', JSON.stringify(fields));
    if (param) t.is(refused.body.error.param, param);
  }
  isError(t, await api.patch(`/v1/discounts/${code.id}`, { percent: 20 }), 422, 'validation_failed');
  isError(
    t,
    await api.patch(`/v1/discounts/${code.id}`, { valid_from: valid_until }),
    422,
    'validation_failed',
  );
  isError(t, await api.get(`/v1/discounts/${unknown}`), 404, 'not_found');
  t.is((await listed('?include_archived=true')).length, 2);
});

test('a code is taken off before tax, on the quote, the booking, its invoice and the books, and a refund does not give it back', async (t) => {
  const workspace = await newAccountingWorkspace();
  const { api } = workspace;
  const room = await newRoom(api);
  const code = await newDiscount(api, { code: 'TENTH', percent: 10, max_uses: 1 });
  const { idempotency_key, ...asked } = bookingBody(room.id, {
    ...freeHour(),
    ...guest(),
    discount_code: 'tenth',
  });
  const { body: quoted } = await api.post('/v1/quotes', asked);
  // 25.00 less 2.50, and 20 % tax.
  t.like(quoted, {
    price: { amount_minor: 2_700 },
    lines: [
      { kind: 'time', net_minor: 2_500 },
      { kind: 'discount', description: 'Code TENTH, 10%', net_minor: -250, tax_minor: -50 },
    ],
  });
  t.is(await readUses(api, code), 0, 'a quote redeems nothing');
  const booking = await createBooking(api, { ...asked, idempotency_key });
  t.deepEqual([booking.price, booking.lines], [quoted.price, quoted.lines]);
  t.is(booking.discount_code, 'TENTH');
  const again = await api.post('/v1/bookings', { ...asked, idempotency_key, discount_code: 'Tenth' });
  t.is(again.status, 200, 'the same request in another letter case');
  t.is(await readUses(api, code), 1);
  await pay(booking);
  await untilStatus(api, booking.id, 'confirmed');
  const { body: invoice } = await api.get(`/v1/invoices/${booking.invoice_id}`);
  t.like(invoice, { total_minor: 2_700, lines: [{ net_minor: 2_500 }, { net_minor: -250 }] });
  const sent = await untilInAccounting(workspace, 'TH-1', ({ Status }) => Status === 'PAID');
  t.is(sent.Total, 27);
  t.deepEqual(
    sent.LineItems.map(({ LineAmount }) => LineAmount),
    [25, -2.5],
  );
  t.is((await api.post(`/v1/bookings/${booking.id}/cancel`, { refund_policy: 'full' })).status, 200);
  await until(async () =>
    (await accountingLedger(workspace)).credit_notes!.some(({ Total }) => Total === 27),
  );
  t.is(await readUses(api, code), 1);
  const second = await api.post('/v1/quotes', { ...asked, ...freeHour() });
  isError(t, second, 409, 'discount_unavailable');
  t.deepEqual(second.body.error.details, { reason: 'used_up' });
  await sweep(t, workspace);
});

test('a hold that expires or is cancelled unpaid frees the use, and all spellings of a mailbox share its uses', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const room = await newRoom(api);
  const once = await newDiscount(api, { amount_minor: 1_000, max_uses_per_payer: 1 });
  const email = uniqueEmail();
  const book = (who: string) =>
    api.post(
      '/v1/bookings',
      bookingBody(room.id, { ...freeHour(), ...guest(who), discount_code: once.code }),
    );
  const held = await book(email);
  t.is(held.status, 201, JSON.stringify(held.body));
  t.like(held.body, { price: { amount_minor: 1_800 } });
  const refused = await book(email.toUpperCase());
  isError(t, refused, 409, 'discount_unavailable');
  t.is(refused.body.error.param, 'discount_code');
  t.is((await book(uniqueEmail())).status, 201, 'another mailbox');
  t.is(await readUses(api, once), 2);
  t.is((await api.post(`/v1/bookings/${held.body.id}/cancel`)).status, 200);
  t.is(await readUses(api, once), 1);
  await api.patch('/v1/workspace', { checkout_hold_seconds: 10 });
  const { body: brief } = await book(email);
  t.is(await readUses(api, once), 2);
  await untilStatus(api, brief.id, 'expired');
  t.is(await readUses(api, once), 1);
  await sweep(t, workspace);
});

test('a booking on account that is cancelled unpaid frees the use, unless part of it stays due', async (t) => {
  const { workspace, member, room } = await newScene(null, {
    refund_steps: [
      { hours_before: 240, percent: 100 },
      { hours_before: 0, percent: 50 },
    ],
  });
  const { id, code: discount_code } = await newDiscount(workspace.api, { max_uses: 2 });
  for (const days of [1, 20]) {
    const { body } = await bookOnAccount(member, room, { ...freeHour(days), discount_code });
    t.is((await workspace.api.post(`/v1/bookings/${body.id}/cancel`)).status, 200);
    t.is(await readUses(workspace.api, { id }), 1, `${days} days before it`);
  }
  await sweep(t, workspace);
});

test('only staff learn why a code is refused, and others learn only that it does not work', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const room = await newRoom(api);
  const member = await newMember(workspace, { tier: 'pro' });
  const theirs = await newKey(workspace, member.id);
  const over = await newDiscount(api, { valid_until: '2026-01-01T00:00:00Z' });
  const forGuests = await newDiscount(api, { audience: { kind: 'guests' } });
  const body = (discount_code: string) => {
    const { idempotency_key: _, ...asked } = bookingBody(room.id, {
      ...freeHour(),
      booked_by: { member_id: member.id },
      discount_code,
    });
    return asked;
  };
  const answers = [];
  for (const [code, reason] of [
    ['UNKNOWN-1', 'unknown'],
    [over.code, 'expired'],
    [forGuests.code, 'other_audience'],
  ] as const) {
    const staff = await api.post('/v1/quotes', body(code));
    isError(t, staff, 409, 'discount_unavailable');
    t.deepEqual(staff.body.error.details, { reason });
    const { body: answer, status } = await theirs.post('/v1/quotes', body(code));
    answers.push({ status, ...answer.error, request_id: null });
  }
  t.deepEqual(answers[1], answers[0]);
  t.deepEqual(answers[2], answers[0]);
  t.is(answers[0]!.details, undefined);
  isError(t, await theirs.get('/v1/discounts'), 403, 'role_insufficient');
  isError(t, await api.post('/v1/quotes', body('not a code')), 422, 'validation_failed');
});

test('a change keeps the code without another use, and the use stays counted after the guest is erased', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const [room, other] = [await newRoom(api), await newRoom(api, { name: 'Green room' })];
  const half = await newDiscount(api, { percent: 50, rooms: [room.id], max_uses: 1 });
  const email = uniqueEmail();
  const slot = freeHour();
  const body = bookingBody(room.id, { ...slot, ...guest(email), discount_code: half.code });
  const booking = await createBooking(api, body);
  t.is(booking.price.amount_minor, 1_500);
  await pay(booking);
  await untilStatus(api, booking.id, 'confirmed');
  await api.patch(`/v1/discounts/${half.id}`, { archived: true });
  const longer = await api.patch(`/v1/bookings/${booking.id}`, { end_at: hoursLater(slot.end_at, 1) });
  t.is(longer.status, 200, JSON.stringify(longer.body));
  t.like(longer.body, {
    price: { amount_minor: 3_000 },
    adjustment: { amount_minor: 1_500 },
    lines: [{ net_minor: 5_000 }, { kind: 'discount', net_minor: -2_500 }],
  });
  const elsewhere = await api.patch(`/v1/bookings/${booking.id}`, { room_id: other.id });
  t.like(elsewhere.body, { price: { amount_minor: 6_000 }, discount_code: half.code });
  t.is(elsewhere.body.lines.length, 1, 'the code is not for that room');
  const back = await api.patch(`/v1/bookings/${booking.id}`, { room_id: room.id });
  t.like(back.body, { price: { amount_minor: 3_000 } });
  t.is(await readUses(api, half), 1);
  await sweep(t, workspace);
  t.is((await api.post('/v1/guests/erase', { email })).status, 200);
  t.is(await readUses(api, half), 1);
  t.is((await api.get(`/v1/bookings/${booking.id}`)).body.discount_code, half.code);
});

test('a code of 100 % makes a booking free, which gives the use back if the terms refund everything', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const room = await newRoom(api);
  const free = await newDiscount(api, { percent: 100 });
  const book = () =>
    createBooking(api, bookingBody(room.id, { ...freeHour(), ...guest(), discount_code: free.code }));
  const booking = await book();
  t.like(booking, { status: 'confirmed', checkout_url: null, price: { amount_minor: 0 } });
  t.is(await readUses(api, free), 1);
  t.is((await api.post(`/v1/bookings/${booking.id}/cancel`)).status, 200);
  t.is(await readUses(api, free), 0);
  const late = await book();
  await api.patch(`/v1/rooms/${room.id}`, { refund_steps: [] });
  t.is((await api.post(`/v1/bookings/${late.id}/cancel`)).status, 200);
  t.is(await readUses(api, free), 1, 'it could be used up to the end of the booking');
  await sweep(t, workspace);
});
