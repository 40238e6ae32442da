import { HOUR_MS } from '../../domain/durations.js';
import test from 'ava';
import { askAboutPayment } from '../../web/dashboard/search/ask-about-payment.js';
import type { ApiDependencies } from '../../api/dependencies.js';
import type { Principal } from '../../domain/policies.js';
import type { ApiClient } from '../support/api-client.js';
import { confirmedBooking } from '../support/bookings.js';
import { db } from '../support/stack.js';
import { newRoom, newWorkspace, type TestWorkspace } from '../support/workspaces.js';
import { isError } from '../support/booking-calls.js';
import { newMember } from '../support/people.js';
import { storeBookings, type StoredBooking } from '../support/stored-bookings.js';

const start = Math.ceil(Date.now() / HOUR_MS) * HOUR_MS + 48 * HOUR_MS;

async function found(api: ApiClient, q: string, filter: Record<string, string> = {}): Promise<string[]> {
  const { status, body } = await api.get(`/v1/bookings?${new URLSearchParams({ q, ...filter })}`);
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body.data.map((booking: { id: string }) => booking.id);
}

/** Stores one-hour bookings, one for each of these people, in a new room. */
async function bookedBy(
  workspace: TestWorkspace,
  people: Omit<StoredBooking, 'start_at'>[],
): Promise<{ ids: string[]; roomId: string }> {
  const { id: roomId } = await newRoom(workspace.api);
  const rows = people.map((person, i) => ({ ...person, start_at: new Date(start + i * HOUR_MS) }));
  return { ids: await storeBookings({ workspace_id: workspace.id, room_id: roomId }, rows), roomId };
}

test('q finds a guest by any part of name or email address, in any letter case and order', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const { ids } = await bookedBy(workspace, [
    { guest_name: 'Grace Hopper', guest_email: 'grace.hopper@navy.example' },
    { guest_name: 'Ängström Öberg', guest_email: 'a.oberg@uppsala.example' },
    { guest_name: 'Per 100%_\\Cent', guest_email: 'per@cent.example' },
  ]);
  const [grace, oberg, per] = ids;
  for (const [q, expected] of [
    ['grace', [grace]],
    ['GRACE', [grace]],
    ['opp', [grace]],
    ['hopper@navy', [grace]],
    ['Navy.EXAMPLE', [grace]],
    ['  hopper \t grace ', [grace]],
    ['hopper uppsala', []],
    ['e H', [grace]],
    ['ngström', [oberg]],
    ['ÄNGSTRÖM', [oberg]],
    ['ö', [grace, oberg]],
    ['.example', ids],
    ['example grace', [grace]],
    ['100%', [per]],
    ['%', [per]],
    ['_', [per]],
    ['\\', [per]],
    ['%_\\c', [per]],
    ['g%e', []],
    ['gr_ce', []],
    ["' OR 1=1 --", []],
    ['nobody', []],
    ['x'.repeat(100), []],
  ] as const) {
    t.deepEqual(await found(api, q), expected, q);
  }
});

test('q finds names whatever their accents or the query’s, and letters without a plain form as they are typed', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const { ids } = await bookedBy(
    workspace,
    ['José Núñez', 'Jose Nunez', 'Søren Þórsson', 'Łucja Weiß', 'Ævar O’Brien‐Đặng', 'Ёлка Сергеева'].map(
      (guest_name, i) => ({ guest_name, guest_email: `g${i}@example.com` }),
    ),
  );
  const [jose, plain, soren, lucja, aevar, elka] = ids;
  for (const [q, expected] of [
    ['jose nunez', [jose, plain]],
    ['JOSÉ NÚÑEZ', [jose, plain]],
    ['Jose\u0301', [jose, plain]],
    ['soren thorsson', [soren]],
    ['SØREN', [soren]],
    ['lucja weiss', [lucja]],
    ['WEIẞ', [lucja]],
    ["aevar o'brien-dang", [aevar]],
    ['ÆVAR', [aevar]],
    ['елка', [elka]],
    ['nuñ％', []],
  ] as const)
    t.deepEqual(await found(api, q), expected, q);
  const member = await newMember(workspace, { name: 'Zoë Müller' });
  const { body } = await api.get('/v1/members?q=zoe%20muller');
  t.deepEqual(
    body.data.map(({ id }: { id: string }) => id),
    [member.id],
  );
});

test('q finds bookings by the name and email address of their member', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const [ada, mel] = [
    await newMember(workspace, { name: 'Ada Lovelace' }),
    await newMember(workspace, { name: 'Mel Kaye' }),
  ];
  const { ids } = await bookedBy(workspace, [
    { member_id: ada.id },
    { member_id: mel.id },
    { guest_name: 'Ada Guest', guest_email: 'ada@example.com' },
  ]);
  t.deepEqual(await found(api, 'ada'), [ids[0], ids[2]]);
  t.deepEqual(await found(api, 'lovelace'), [ids[0]]);
  t.deepEqual(await found(api, mel.email.toUpperCase()), [ids[1]]);
});

test('q can be combined with every filter and the cursor', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const guest = { guest_name: 'Grace Guest', guest_email: 'grace@example.com' };
  const other = { guest_name: 'Otto Other', guest_email: 'otto@example.com' };
  const { ids: blue, roomId } = await bookedBy(workspace, [guest, other, guest, guest, other, guest]);
  const { ids: red } = await bookedBy(workspace, [{ ...guest, status: 'cancelled' }]);
  const graces = [blue[0], blue[2], blue[3], blue[5]];
  t.deepEqual(await found(api, 'grace', { room_id: roomId }), graces);
  t.deepEqual(await found(api, 'grace', { status: 'cancelled' }), red);
  const [from, to] = [2, 5].map((hours) => new Date(start + hours * HOUR_MS).toISOString());
  t.deepEqual(await found(api, 'grace', { from: from!, to: to! }), [blue[2], blue[3]]);
  t.deepEqual(await found(api, 'otto', { from: from!, to: to! }), [blue[4]]);
  const seen: string[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const query: string = cursor && `&cursor=${cursor}`;
    const { body } = await api.get(`/v1/bookings?q=grace&room_id=${roomId}&limit=1${query}`);
    seen.push(...body.data.map(({ id }: { id: string }) => id));
    cursor = body.next_cursor;
  }
  t.deepEqual(seen, graces);
});

test('q finds only bookings that the caller can read', async (t) => {
  const [workspace, theirs] = [await newWorkspace(), await newWorkspace()];
  const member = await newMember(workspace, { name: 'Mel Member' });
  const colleague = await newMember(workspace, { name: 'Mel Colleague' });
  const { ids } = await bookedBy(workspace, [
    { member_id: member.id },
    { member_id: colleague.id },
    { guest_name: 'Mel Guest', guest_email: 'mel@example.com' },
  ]);
  await bookedBy(theirs, [{ guest_name: 'Mel Elsewhere', guest_email: 'mel@example.com' }]);
  t.deepEqual(await found(workspace.api, 'mel'), ids);
  t.deepEqual(await found(member.api, 'mel'), [ids[0]]);
  t.deepEqual(await found(member.api, 'colleague'), []);
  t.deepEqual(await found(member.api, 'guest'), []);
});

test('a payment of another workspace stays unknown when the processor is asked about it', async (t) => {
  const [theirs, ours] = await Promise.all([newWorkspace(), newWorkspace()]);
  const { booking } = await confirmedBooking(theirs.api);
  const payment_intent_id = booking.processor_payment_intent_id as string;
  const asked = ({ id: workspace_id }: TestWorkspace): Promise<string> =>
    askAboutPayment.run(
      { body: { payment_intent_id } } as Parameters<typeof askAboutPayment.run>[0],
      { workspace_id } as Principal,
      { db, log: { warn: () => undefined } } as unknown as ApiDependencies,
    );
  t.regex(await asked(theirs), /confirms the payment/);
  t.regex(await asked(ours), /has no such payment for this workspace/);
});

test('a reference finds its booking at any time, by q and by filter, only in its own workspace', async (t) => {
  const [workspace, other] = [await newWorkspace(), await newWorkspace()];
  const { api } = workspace;
  const { ids, roomId } = await bookedBy(workspace, [{}]);
  const [past] = await storeBookings({ workspace_id: workspace.id, room_id: roomId }, [
    { start_at: new Date('2026-01-05T09:00:00Z') },
  ]);
  const { reference } = (await api.get(`/v1/bookings/${past}`)).body;
  const byFilter = async (client: ApiClient, value: string) =>
    (await client.get(`/v1/bookings?reference=${value}`)).body.data.map(({ id }: { id: string }) => id);
  t.deepEqual(await byFilter(api, reference), [past]);
  t.deepEqual(await byFilter(api, reference.toLowerCase()), [past]);
  t.deepEqual(await byFilter(other.api, reference), []);
  t.is((await api.get('/v1/bookings?reference=AEIOU01')).status, 422);
  const current = (await api.get(`/v1/bookings/${ids[0]}`)).body.reference;
  t.deepEqual(await found(api, ` ${current.toLowerCase()}`), ids);
  t.deepEqual(await found(other.api, current), []);
  for (const start of [current.slice(0, 4), current.slice(0, 6).toLowerCase()])
    t.deepEqual(await found(api, start), ids, start);
  t.deepEqual(await found(api, current.slice(0, 3)), [], 'three characters begin too many');
  t.deepEqual(await found(other.api, current.slice(0, 6)), []);
});

test('q takes at most ten words', async (t) => {
  const { api } = await newWorkspace();
  const words = (count: number) => Array.from({ length: count }, (_, n) => `w${n}`).join(' ');
  for (const list of ['/v1/bookings', '/v1/members'] as const) {
    t.is((await api.get(`${list}?q=${words(10)}`)).status, 200);
    const refused = await api.get(`${list}?q=${words(11)}`);
    isError(t, refused, 422, 'validation_failed');
    t.is(refused.body.error.message, 'q must have at most 10 words.');
  }
});
