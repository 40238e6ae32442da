import { DAY_MS, HOUR_MS } from '../../domain/durations.js';
import test from 'ava';
import { fromString, toUUID } from 'typeid-js';
import { newId } from '../../db/ids.js';
import { sweep } from '../support/invariants.js';
import type { ApiClient } from '../support/api-client.js';
import { freeHour } from '../support/bookings.js';
import { db } from '../support/stack.js';
import { until } from '../support/until.js';
import { newRoom, newWorkspace } from '../support/workspaces.js';
import { newMember } from '../support/people.js';
import { storeBookings } from '../support/stored-bookings.js';
import { at, book, hourAhead, fetchIds } from './list-calls.js';

/** An id that sorts before all new ids. */
const firstId = (): string => `bk_${'0'.repeat(13)}${newId('bk').slice(-13)}`;

/** All pages of a list, in order. `between` is called after each but the last. */
async function walk(
  api: ApiClient,
  filter: Record<string, string | number>,
  between: () => Promise<unknown> = async () => undefined,
): Promise<string[]> {
  const seen: string[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const query = new URLSearchParams({ ...(filter as object), ...(cursor && { cursor }) });
    const { status, body } = await api.get(`/v1/bookings?${query}`);
    if (status !== 200) throw new Error(JSON.stringify(body));
    seen.push(...body.data.map((booking: { id: string }) => booking.id));
    cursor = body.next_cursor;
    if (cursor !== null) await between();
    if (seen.length > 10_000) throw new Error('pagination does not end');
  }
  return seen;
}

test('pagination returns every booking once, even if many start in the same millisecond', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const slot = freeHour(10);
  const price_per_hour = { currency: 'GBP', amount_minor: 0 };
  const made: { id: string; start_at: string }[] = await Promise.all(
    Array.from({ length: 11 }, async (_, i) => {
      const room = await newRoom(api, { price_per_hour });
      const start = i < 8 ? Date.parse(slot.start_at) : Date.parse(slot.start_at) + (i - 7) * HOUR_MS;
      return book(api, room.id, start);
    }),
  );
  const expected = made
    .toSorted((a, b) => a.start_at.localeCompare(b.start_at) || (a.id < b.id ? -1 : 1))
    .map(({ id }) => id);
  for (const limit of [1, 3, 8, 11]) t.deepEqual(await walk(api, { limit }), expected, `limit ${limit}`);
  const { body } = await api.get('/v1/bookings?limit=200');
  t.is(body.data.length, 11);
  await sweep(t, workspace);
});

test('with concurrent inserts, pagination returns every earlier booking once, even with equal starts', async (t) => {
  const { api, id: workspace_id } = await newWorkspace();
  const room = await newRoom(api);
  const place = { workspace_id, room_id: room.id };
  const start = hourAhead(5);
  const filter = { from: at(start - DAY_MS), to: at(start + DAY_MS) };
  // Three instants one millisecond apart, one of which has most of the rows.
  const starts = [...Array(4).fill(-1), ...Array(30).fill(0), ...Array(4).fill(1)];
  const rows = starts.map((ms) => ({ start_at: new Date(start + ms) }));
  const there = new Set(await storeBookings(place, rows));
  for (const limit of [1, 2, 3, 4, 5, 6, 7]) {
    let turns = 0;
    // At every instant, with ids that sort before and after all existing ones.
    const intrude = async () => {
      if (turns++ >= 10) return;
      const instants = [-2, -1, 0, 1, 2].map((ms) => ({ start_at: new Date(start + ms) }));
      await storeBookings(place, [...instants, ...instants.map((row) => ({ ...row, id: firstId() }))]);
    };
    const seen = await walk(api, { ...filter, limit }, intrude);
    t.is(new Set(seen).size, seen.length, `limit ${limit}: none twice`);
    t.is(seen.filter((id) => there.has(id)).length, there.size, `limit ${limit}: none lost`);
    t.true(seen.length > there.size, 'bookings inserted after the cursor are returned too');
    await db.query('DELETE FROM bookings WHERE room_id = $1 AND id <> ALL ($2)', [room.id, [...there]]);
  }
});

test('pagination with any filter or its alias returns exactly the matching bookings, in order', async (t) => {
  const workspace = await newWorkspace();
  const { api, id: workspace_id } = workspace;
  const rooms = [await newRoom(api), await newRoom(api)].map((room) => room.id as string);
  const { body: company } = await api.post('/v1/companies', { name: 'Northwind' });
  const members = [await newMember(workspace), await newMember(workspace)].map((member) => member.id);
  const start = hourAhead(3);
  const stored: {
    id: string;
    ms: number;
    room: string;
    status: string;
    member?: string;
    company?: string;
  }[] = [];
  for (const room of rooms) {
    // Twelve instants with two rows of every kind each: four a millisecond apart, the others an hour apart.
    const rows = Array.from({ length: 24 }, (_, n) => ({
      start_at: new Date(start + (n % 12 < 4 ? n % 12 : (n % 12) * HOUR_MS)),
      status: (['completed', 'cancelled', 'expired'] as const)[n % 3]!,
      member_id: [undefined, ...members][Math.floor(n / 2) % 3],
      company_id: n % 4 === 0 ? company.id : undefined,
    }));
    const ids = await storeBookings({ workspace_id, room_id: room }, rows);
    for (const [n, { start_at, status, member_id, company_id }] of rows.entries()) {
      const facts = { id: ids[n]!, ms: start_at.getTime(), room, status };
      stored.push({ ...facts, member: member_id, company: company_id });
    }
  }
  stored.sort((a, b) => a.ms - b.ms || (a.id < b.id ? -1 : 1));
  const [from, to] = [start + 2, start + 8 * HOUR_MS];
  const between = { from: at(from), to: at(to) };
  const isBetween = ({ ms }: { ms: number }) => ms >= from && ms < to;
  type Stored = (typeof stored)[number];
  const filters: [Record<string, string>, (row: Stored) => boolean][] = [
    [{}, () => true],
    [between, isBetween],
    [{ 'start_at[gte]': at(from), 'start_at[lt]': at(to) }, isBetween],
    [{ from: at(from), 'start_at[gte]': at(from), 'start_at[lt]': at(to) }, isBetween],
    [{ ...between, room_id: rooms[1]! }, (row) => isBetween(row) && row.room === rooms[1]],
    [{ status: 'expired' }, (row) => row.status === 'expired'],
    [{ member_id: members[0]! }, (row) => row.member === members[0]],
    [{ member_id: toUUID(fromString(members[1]!)) }, (row) => row.member === members[1]],
    [{ company_id: company.id }, (row) => row.company === company.id],
    [
      { ...between, status: 'cancelled', room_id: rooms[0]!, member_id: members[1]! },
      (row) =>
        isBetween(row) && row.status === 'cancelled' && row.room === rooms[0] && row.member === members[1],
    ],
  ];
  for (const [filter, means] of filters) {
    const expected = stored.filter(means).map(({ id }) => id);
    t.true(expected.length > 0, JSON.stringify(filter));
    for (const limit of [3, 200])
      t.deepEqual(await walk(api, { ...filter, limit }), expected, `${JSON.stringify(filter)} by ${limit}`);
  }
});

test('pagination without from keeps bookings that start while it runs', async (t) => {
  const { api, id: workspace_id } = await newWorkspace();
  const room = await newRoom(api);
  const soon = Date.now() + 1_500;
  const rows = [0, 0, 1].map((ms) => ({ start_at: new Date(soon + ms) }));
  const ids = await storeBookings({ workspace_id, room_id: room.id }, rows);
  const hasBegun = () => until(async () => Date.now() > soon + 10);
  t.deepEqual(await walk(api, { limit: 1 }, hasBegun), ids);
  t.deepEqual(await fetchIds(api), [], 'a new list starts now');
});
