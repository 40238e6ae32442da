import { HOUR_MS } from '../../../domain/durations.js';
import test from 'ava';
import { bookingBody, freeHour, untilStatus } from '../../support/bookings.js';
import { simulator } from '../../support/simulators.js';
import { until } from '../../support/until.js';
import { newAccount, newRoom, newWorkspace } from '../../support/workspaces.js';
import { newMember } from '../../support/people.js';
import { listEntries, findKeyId, newest } from '../../support/audit-log-calls.js';

test('an edit of a room is logged with the changed fields, before and after, and the actor', async (t) => {
  const workspace = await newWorkspace();
  const { api, ownerId } = workspace;
  const room = await newRoom(api, { capacity: 4 });
  t.deepEqual(await newest(api), { action: 'room.created', object: room.id, details: { after: room } });
  const changes = {
    name: 'Green room',
    capacity: null,
    price_per_hour: { currency: 'EUR', amount_minor: 1 },
    opening_hours: { mon: [['08:00', '20:00']] },
  };
  const admin = await newMember(workspace, { role: 'admin' });
  const { body: changed } = await admin.api.patch(`/v1/rooms/${room.id}`, { ...changes, slot_minutes: 30 });
  const { name, capacity, price_per_hour } = room;
  t.deepEqual(await newest(api), {
    action: 'room.updated',
    object: room.id,
    details: { before: { name, capacity, price_per_hour, opening_hours: null }, after: changes },
  });
  const [last, first] = await listEntries(api);
  t.deepEqual(last!.actor, { member_id: admin.id, key_id: await findKeyId(admin.id) });
  t.deepEqual(first!.actor, { member_id: ownerId, key_id: await findKeyId(ownerId) });
  t.is(typeof last!.id, 'string');
  t.true(last!.at >= first!.at && Math.abs(Date.parse(last!.at) - Date.parse(changed.updated_at)) < 5_000);

  await api.patch(`/v1/rooms/${room.id}`, { name: 'Green room' });
  await api.patch(`/v1/rooms/${room.id}`, { name: '' });
  await api.patch(`/v1/rooms/${room.id}`, { min_minutes: 60, max_minutes: 30 });
  t.is((await listEntries(api)).length, 2, 'a request that changes nothing, or is refused, is not logged');
});

test('edits of blackouts, companies and the workspace are logged', async (t) => {
  const { api, id } = await newWorkspace({ name: 'House' });
  const room = await newRoom(api);
  const path = `/v1/rooms/${room.id}/blackouts` as const;
  const slot = freeHour();
  const { body: booking } = await api.post('/v1/bookings', bookingBody(room.id, slot));
  await api.post(path, slot);
  t.is((await newest(api)).action, 'room.created', 'a refused blackout is not logged');
  const { body: made } = await api.post(path, { ...slot, reason: 'Paint', force: true });
  const { booking_ids, ...blackout } = made;
  t.deepEqual(booking_ids, [booking.id]);
  const details = { room_id: room.id, after: blackout, booking_ids };
  t.deepEqual(await newest(api), { action: 'blackout.created', object: blackout.id, details });
  t.is((await api.delete(`${path}/${blackout.id}`)).status, 204);
  t.is((await api.delete(`${path}/${blackout.id}`)).status, 404);
  const lifted = { room_id: room.id, before: blackout };
  t.deepEqual(await newest(api), { action: 'blackout.deleted', object: blackout.id, details: lifted });

  const { body: company } = await api.post('/v1/companies', { name: 'Northwind' });
  t.deepEqual(await newest(api), {
    action: 'company.created',
    object: company.id,
    details: { after: company },
  });
  await api.patch(`/v1/companies/${company.id}`, { name: 'Northwind', billing_email: 'a@n.example' });
  t.deepEqual(await newest(api), {
    action: 'company.updated',
    object: company.id,
    details: { before: { billing_email: null }, after: { billing_email: 'a@n.example' } },
  });

  await api.patch('/v1/workspace', { name: 'Mansion', currency: 'gbp', checkout_hold_seconds: 600 });
  t.deepEqual(await newest(api), {
    action: 'workspace.updated',
    object: id,
    details: {
      before: { name: 'House', checkout_hold_seconds: 1_800 },
      after: { name: 'Mansion', checkout_hold_seconds: 600 },
    },
  });
  t.is((await listEntries(api)).length, 6);
});

test('a cancellation and a move are logged with their actor', async (t) => {
  const { api, ownerId } = await newWorkspace();
  const { body: booking } = await api.post('/v1/bookings', bookingBody((await newRoom(api)).id));
  await api.post(`/v1/bookings/${booking.id}/cancel`, { reason: 'Ill' });
  const [entry] = await listEntries(api, { action: 'booking.cancelled', actor: ownerId });
  t.is(entry!.object, booking.id);
  t.is(entry!.details.reason, 'Ill');

  const free = await newRoom(api, { price_per_hour: { currency: 'GBP', amount_minor: 0 } });
  const { body: other } = await api.post('/v1/bookings', bookingBody(free.id));
  const end_at = new Date(Date.parse(other.end_at) + HOUR_MS).toISOString();
  await untilStatus(api, other.id, 'confirmed');
  t.is((await api.patch(`/v1/bookings/${other.id}`, { end_at })).status, 200);
  await api.patch(`/v1/bookings/${other.id}`, { notes: 'No move' });
  const [moved, ...more] = await listEntries(api, { action: 'booking.moved' });
  t.deepEqual(more, []);
  t.is(moved!.object, other.id);
  t.is(moved!.actor.member_id, ownerId);
  t.regex(moved!.actor.key_id!, /^key_/);
  t.is(moved!.details.after.end_at, end_at);
});

test('the entries of concurrent edits are consistent: each starts with the values of the previous one', async (t) => {
  const { api } = await newWorkspace();
  const room = await newRoom(api, { capacity: 1 });
  await Promise.all(
    Array.from({ length: 12 }, (_, i) => api.patch(`/v1/rooms/${room.id}`, { capacity: i + 2 })),
  );
  const edits = (await listEntries(api, { action: 'room.updated' })).toReversed();
  t.is(edits.length, 12);
  const { capacity } = (await api.get(`/v1/rooms/${room.id}`)).body;
  t.is(edits.at(-1)!.details.after.capacity, capacity);
  for (const [i, { details }] of edits.entries())
    t.is(details.before.capacity, i === 0 ? 1 : edits[i - 1]!.details.after.capacity);
});

test('changes by the service itself are logged with a system actor', async (t) => {
  const account_id = newAccount();
  const { api, id } = await newWorkspace({ processor_account_id: account_id });
  const revoke = () =>
    simulator('POST', '/_sim/event', {
      type: 'account.application.deauthorized',
      object: { id: 'ca_test', object: 'application' },
      account: account_id,
      via: 'connect',
    });
  await revoke();
  const [entry] = await until(async () => {
    const found = await listEntries(api, { actor: 'system' });
    return found.length > 0 && found;
  });
  t.like(entry, { action: 'workspace.updated', actor: { system: 'processor' }, object: id });
  t.deepEqual(entry!.details, {
    before: { processor: { account_id, status: 'active' } },
    after: { processor: { account_id, status: 'revoked' } },
  });
  t.deepEqual(await listEntries(api), [entry]);

  const fresh = await newWorkspace({ processor_account_id: null });
  await fresh.api.post('/v1/workspace/processor/onboarding');
  const { processor } = (await fresh.api.get('/v1/workspace')).body;
  const [bound] = await listEntries(fresh.api);
  t.deepEqual(bound!.actor, { system: 'onboarding' });
  t.deepEqual(bound!.details, {
    before: { processor: { account_id: null, status: 'unconfigured' } },
    after: { processor: { account_id: processor.account_id, status: 'pending' } },
  });
});
