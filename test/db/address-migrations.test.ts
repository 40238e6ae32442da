import test from 'ava';
import type { DataSource } from 'typeorm';
import { GuestAddresses1764200011000 } from '../../db/migrations/1764200011000-guest-addresses.js';
import { ProfileAddresses1764200010000 } from '../../db/migrations/1764200010000-profile-addresses.js';
import { newPlace, reserve, withScratchDatabase } from './scratch.js';

/** Stores a profile, and its membership in a workspace with an address as written there. */
async function store(scratch: DataSource, id: string, profile: string, memberships: Record<string, string>) {
  await scratch.query(`INSERT INTO profiles (id, email) VALUES ($1, $2)`, [id, profile]);
  for (const [workspace, email] of Object.entries(memberships))
    await scratch.query(
      `INSERT INTO members (id, workspace_id, profile_id, name, email, role, tier, status, accepted_at)
       VALUES ($1, $2, $3, 'Mel', $4, 'member', 'basic', 'active', now())`,
      [`${id}_${workspace}`, workspace, id, email],
    );
}

test('profiles get canonical addresses, and memberships that folding had joined are parted', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const [a, b] = [(await newPlace(scratch)).workspace_id, (await newPlace(scratch)).workspace_id];
    await store(scratch, 'prof_1', 'mel@gİthub.com', { [a]: 'mel@gİthub.com', [b]: 'mel@github.com' });
    await store(scratch, 'prof_2', 'ada@xn--mnchen-3ya.de', { [a]: 'ada@xn--mnchen-3ya.de' });
    await store(scratch, 'prof_3', 'ada@münchen.de', { [a]: 'ada@münchen.de', [b]: 'ada@münchen.de' });
    await store(scratch, 'prof_4', 'jürgen@example.com', { [a]: 'jürgen@example.com' });
    const runner = scratch.createQueryRunner();
    for (let run = 0; run < 2; run++) await new ProfileAddresses1764200010000().up(runner);
    await runner.release();
    const rows = await scratch.query(
      `SELECT m.id, p.email, m.accepted_at IS NOT NULL AS accepted FROM members m JOIN profiles p ON p.id = m.profile_id
       WHERE m.id LIKE 'prof_%' ORDER BY m.id`,
    );
    const found = Object.fromEntries(
      rows.map((row: { id: string; email: string; accepted: boolean }) => [
        row.id,
        [row.email, row.accepted],
      ]),
    );
    t.deepEqual(found, {
      [`prof_1_${a}`]: ['mel@xn--github-qyd.com', true],
      [`prof_1_${b}`]: ['mel@github.com', false],
      [`prof_2_${a}`]: ['ada@xn--mnchen-3ya.de', true],
      [`prof_3_${a}`]: ['ada@münchen.de', true],
      [`prof_3_${b}`]: ['ada@xn--mnchen-3ya.de', false],
      [`prof_4_${a}`]: ['jürgen@example.com', true],
    });
  });
});

test('guests whose address is not ASCII get its canonical form', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const place = await newPlace(scratch);
    const [id] = [await reserve(scratch, place)];
    const written = async (email: string) =>
      scratch.query(`UPDATE bookings SET guest_email = $2, guest_address = NULL WHERE id = $1`, [id, email]);
    const migrated = async () => {
      const runner = scratch.createQueryRunner();
      await new GuestAddresses1764200011000().up(runner);
      await runner.release();
      return (await scratch.query(`SELECT guest_address FROM bookings WHERE id = $1`, [id]))[0].guest_address;
    };
    await written('Ada@München.de');
    t.is(await migrated(), 'ada@xn--mnchen-3ya.de');
    await written('Ada@Example.com');
    t.is(await migrated(), null);
  });
});
