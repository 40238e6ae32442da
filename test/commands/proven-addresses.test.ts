import test from '../support/suite.js';
import { ProvenAddresses1764205000000 as Migration } from '../../db/migrations/1764205000000-proven-addresses.js';
import { openForMigrations, runMigrations } from '../../db/run-migrations.js';
import { withScratchDatabase } from '../db/scratch.js';

test('the migration keeps the authenticator of those only who always had their address', async (t) => {
  await withScratchDatabase(async (scratch, url) => {
    const migrating = await openForMigrations(url);
    const isApplied = async (): Promise<boolean> =>
      (await scratch.query(`SELECT FROM migrations WHERE name = $1`, [Migration.name])).length > 0;
    while (await isApplied()) await migrating.undoLastMigration({ transaction: 'none' });
    await migrating.destroy();
    await scratch.query(
      `INSERT INTO workspaces (id, name, time_zone, currency, processor_status, tax_codes)
       VALUES ('ws_1', 'House', 'Europe/London', 'GBP', 'unconfigured', '[]')`,
    );
    // Of each: the profile's creation, and whether the audit log has an edit of the address.
    const people = [
      ['true', '2026-01-01', false],
      ['renamed', '2026-01-01', true],
      ['moved', '2026-02-02', false],
      ['invited', '2026-01-01', false],
    ] as const;
    for (const [name, profileCreatedAt, edited] of people) {
      const email = `${name}@example.com`;
      await scratch.query(`INSERT INTO profiles (id, email, name, created_at) VALUES ($1, $2, $3, $4)`, [
        `prof_${name}`,
        email,
        name,
        profileCreatedAt,
      ]);
      await scratch.query(
        `INSERT INTO members (id, workspace_id, profile_id, role, tier, status, created_at)
         VALUES ($1, 'ws_1', $2, 'member', 'basic', 'active', '2026-01-01')`,
        [`mem_${name}`, `prof_${name}`],
      );
      await scratch.query(
        `INSERT INTO sessions (id_hash, profile_id, return_to, expires_at)
         VALUES ($1, $2, '/', now() + interval '1 day')`,
        [Buffer.from(name), `prof_${name}`],
      );
      if (name !== 'invited')
        await scratch.query(
          `INSERT INTO second_factors (profile_id, secret, confirmed_at) VALUES ($1, 'sealed', '2026-03-03')`,
          [`prof_${name}`],
        );
      if (edited)
        await scratch.query(
          `INSERT INTO audit_log (workspace_id, at, actor, action, object, details)
           VALUES ('ws_1', now(), '{"system": "test"}', 'member.updated', $1, $2)`,
          [`mem_${name}`, { before: { email: 'old@example.com' }, after: { email } }],
        );
    }
    await scratch.query(
      `INSERT INTO members (id, workspace_id, role, tier, status)
       VALUES ('mem_gone', 'ws_1', 'member', 'basic', 'deleted')`,
    );
    await runMigrations(url);
    const verified = await scratch.query(`SELECT id FROM profiles WHERE verified_at IS NOT NULL`);
    t.deepEqual(verified, [{ id: 'prof_true' }]);
    t.deepEqual(await scratch.query(`SELECT profile_id FROM second_factors`), [{ profile_id: 'prof_true' }]);
    t.deepEqual(await scratch.query(`SELECT id_hash FROM sessions`), []);
    t.deepEqual(
      await scratch.query(`SELECT id, name, email FROM members ORDER BY id`),
      [
        { id: 'mem_gone', name: null, email: null },
        ...people.map(([name]) => ({ id: `mem_${name}`, name, email: `${name}@example.com` })),
      ].toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    );
  });
});
