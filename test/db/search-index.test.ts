import test from '../support/suite.js';
import type { DataSource } from 'typeorm';
import { listBookings } from '../../db/repositories/bookings/booking-queries.js';
import { listMembers } from '../../db/repositories/members/member-queries.js';
import type { Tx } from '../../db/transaction.js';
import { storeBookings } from '../api/stored-bookings.js';
import { newPlace, withScratchDatabase } from './scratch.js';

/** The names of the indexes in the plans of the queries that `work` runs. */
async function indexesOf(scratch: DataSource, work: (tx: Tx) => Promise<unknown>): Promise<string[]> {
  const plans: string[] = [];
  const client = {
    query: async ({ text, values }: { text: string; values: unknown[] }) => {
      plans.push(JSON.stringify(await scratch.query(`EXPLAIN (FORMAT JSON) ${text}`, values)));
      return { rows: [] };
    },
  };
  const explaining = { queryRunner: { connect: async () => client } };
  await work(explaining as unknown as Tx);
  return plans.flatMap((plan) => [...plan.matchAll(/"Index Name":"(\w+)"/g)].map((match) => match[1]!));
}

test('a search uses the trigram indexes instead of scanning bookings and members', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const { id: room_id, workspace_id } = await newPlace(scratch);
    const first = Date.now() + 86_400_000;
    const guests = Array.from({ length: 20_000 }, (_, i) => ({
      start_at: new Date(first + i * 60_000),
      guest_name: `Guest ${i.toString(36)}`,
      guest_email: `g${i.toString(36)}@example.com`,
    }));
    await storeBookings({ workspace_id, room_id }, guests, scratch);
    await scratch.query(
      `WITH people AS (
         INSERT INTO profiles (id, email)
         SELECT 'prof_' || n, md5(n::text) || '@example.org' FROM generate_series(1, 20000) n
         RETURNING id, email
       )
       INSERT INTO members (id, workspace_id, profile_id, name, email, role, tier, status)
       SELECT 'mem_' || id, $1, id, 'Person ' || email, email, 'member', 'basic', 'active' FROM people`,
      [workspace_id],
    );
    await scratch.query('ANALYZE');
    const filter = {
      workspace_id,
      from: new Date(),
      to: new Date(first + 86_400_000 * 30),
      q: 'lovelace',
      limit: 51,
    };
    const used = await indexesOf(scratch, (tx) => listBookings(tx, filter));
    for (const index of ['bookings_guest_search', 'bookings_member_page', 'members_search'])
      t.true(used.includes(index), `${index} is not among ${used.join()}`);
    const members = await indexesOf(scratch, (tx) =>
      listMembers(tx, { workspace_id, q: 'lovelace', limit: 51 }),
    );
    t.true(members.includes('members_search'), members.join());
    const page = await indexesOf(scratch, (tx) => listMembers(tx, { workspace_id, limit: 51 }));
    t.true(page.includes('members_page'), page.join());
  });
});
