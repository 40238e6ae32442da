import test from 'ava';
import { newMember } from '../support/people.js';
import type { Reservation } from '../../commands/bookings/reserve-slot.js';
import { findRoom } from '../../db/queries/rooms/room.js';
import { transaction } from '../../db/transaction.js';
import { reserveIn, withDiscount } from '../support/scratch-database.js';
import type { Room } from '../support/api-bodies.js';
import { bookingBody, freeHour } from '../support/bookings.js';
import { sweep } from '../support/invariants.js';
import { changeByLink } from '../support/pending-change-calls.js';
import { db } from '../support/stack.js';
import { newRoom, newWorkspace, type TestWorkspace } from '../support/workspaces.js';
import { book, newScene } from './on-account-calls.js';

const PRICE = { net_minor: 2_500, tax_minor: 500, total_minor: 3_000 };

/** A reservation whose create died before it was published, more than a minute ago. Returns its id. */
async function abandon(
  { id: workspace_id }: TestWorkspace,
  { id: room_id }: Pick<Room, 'id'>,
  reservation: Partial<Reservation>,
): Promise<string> {
  const room = (await findRoom(db.manager, workspace_id, room_id))!;
  const id = await transaction(db, (tx) => reserveIn(tx, room, freeHour(), { price: PRICE, ...reservation }));
  await db.query(`UPDATE bookings SET created_at = now() - interval '61 seconds' WHERE id = $1`, [id]);
  return id!;
}

const exists = async (id: string): Promise<boolean> =>
  (await db.query(`SELECT FROM bookings WHERE id = $1`, [id])).length > 0;

test('an abandoned reservation on account is not owed: quote and create have the whole limit, and it cannot come back', async (t) => {
  const { workspace, company, member, room } = await newScene(3_000);
  const of = { guest: null, member_id: member.id, company_id: company.id, account_days: 14 };
  const abandoned = await abandon(workspace, room, of);
  const { idempotency_key: _, ...wish } = bookingBody(room.id, {
    booked_by: { member_id: member.id },
    settle: 'on_account',
  }) as Record<string, unknown>;
  t.is((await member.api.post('/v1/quotes', wish)).status, 200);
  // A colleague has the same payer.
  const colleague = await newMember(workspace, { company_id: company.id });
  const made = await book(colleague, room);
  t.is(made.status, 201, JSON.stringify(made.body));
  t.false(await exists(abandoned), 'it was released, so the limit holds if its run still publishes');
  t.is((await book(member, room)).body.error.code, 'credit_limit_exceeded');
  await sweep(t, workspace);
});

test('abandoned reservations do not count as unpaid bookings of their member', async (t) => {
  const workspace = await newWorkspace();
  const room = await newRoom(workspace.api);
  const member = await newMember(workspace);
  const free = await newRoom(workspace.api, { price_per_hour: { currency: 'GBP', amount_minor: 0 } });
  const own = { booked_by: { member_id: member.id } };
  const { body: gratis } = await member.api.post('/v1/bookings', bookingBody(free.id, own));
  for (let n = 0; n < 10; n++) await abandon(workspace, room, { guest: null, member_id: member.id });
  t.truthy(await changeByLink(t, member.api, gratis.id, { room_id: room.id }));
  const made = await member.api.post('/v1/bookings', bookingBody(room.id, own));
  t.is(made.status, 201, JSON.stringify(made.body));
});

test('hour credits of an abandoned reservation pay for the next booking', async (t) => {
  const workspace = await newWorkspace();
  const room = await newRoom(workspace.api);
  const member = await newMember(workspace);
  await db.query(`UPDATE members SET hour_credit_balance = 1 WHERE id = $1`, [member.id]);
  await abandon(workspace, room, { guest: null, member_id: member.id, hour_credits_used: 1 });
  const body = bookingBody(room.id, { booked_by: { member_id: member.id }, use_tokens: true });
  const { idempotency_key: _, ...wish } = body;
  t.like((await member.api.post('/v1/quotes', wish)).body, { tokens_used: 1, price: { amount_minor: 0 } });
  t.like((await member.api.post('/v1/bookings', body)).body, { status: 'confirmed', tokens_used: 1 });
  const { body: now } = await workspace.api.get(`/v1/members/${member.id}`);
  t.is(now.tokens.balance, 0);
});

test('an abandoned reservation has not used up its code', async (t) => {
  const workspace = await newWorkspace();
  const room = await newRoom(workspace.api);
  const { body: code } = await workspace.api.post('/v1/discounts', {
    code: 'ONCE',
    percent: 10,
    max_uses: 1,
  });
  const stored = (await findRoom(db.manager, workspace.id, room.id))!;
  await abandon(workspace, room, { pricing: withDiscount(stored, code as never) });
  t.is((await workspace.api.get(`/v1/discounts/${code.id}`)).body.used, 0);
  t.is((await workspace.api.get('/v1/discounts')).body.data[0]!.used, 0);
  const body = bookingBody(room.id, { discount_code: 'ONCE' });
  t.is((await workspace.api.post('/v1/bookings', body)).status, 201);
  t.is((await workspace.api.get(`/v1/discounts/${code.id}`)).body.used, 1);
});

test('an abandoned reservation does not block a blackout, and cannot come back', async (t) => {
  const workspace = await newWorkspace();
  const room = await newRoom(workspace.api);
  const slot = freeHour();
  const abandoned = await abandon(workspace, room, {
    start_at: new Date(slot.start_at),
    end_at: new Date(slot.end_at),
  });
  const closed = await workspace.api.post(`/v1/rooms/${room.id}/blackouts`, { ...slot, reason: 'Works' });
  t.is(closed.status, 201, JSON.stringify(closed.body));
  t.false(await exists(abandoned));
});
