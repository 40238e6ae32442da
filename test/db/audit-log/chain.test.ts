import { execFile } from 'node:child_process';
import type { DataSource } from 'typeorm';
import test from 'ava';
import { audit, eraseAuditDetails } from '../../../commands/audit-log/audit.js';
import { deleteExpired } from '../../../commands/retention/delete-expired.js';
import { verifyAuditLog, type AuditFault } from '../../../db/queries/audit-log/chain.js';
import { transaction } from '../../../db/transaction.js';
import { newPlace, withServiceRole } from '../../support/scratch-database.js';

interface AuditedWorkspace {
  service: DataSource;
  owner: DataSource;
  ownerUrl: string;
  id: string;
}

/** Runs `work` with two workspaces with six entries each, numbered from 0 in `details.n`. */
const withEntries = (work: (workspace: AuditedWorkspace) => Promise<void>): Promise<void> =>
  withServiceRole(async (service, owner, ownerUrl) => {
    const [{ workspace_id: id }, { workspace_id: other }] = [await newPlace(owner), await newPlace(owner)];
    for (let n = 0; n < 6; n++) for (const workspace of [id, other]) await add(service, workspace, n);
    await work({ service, owner, ownerUrl, id });
    const { fault } = await verify(service, other);
    if (fault) throw new Error(`the log of the other workspace: ${JSON.stringify(fault)}`);
  });

const add = (db: DataSource, workspace_id: string, n: number): Promise<void> =>
  transaction(db, (tx) =>
    audit(
      tx,
      { workspace_id, system: 'operator' },
      { action: 'test', object: 'o', details: { n, name: 'Ada' } },
    ),
  );

const verify = (db: DataSource, id: string, head?: { position: number; hash: string }) =>
  db.transaction('REPEATABLE READ', (tx) => verifyAuditLog(tx, id, head));

const findEntryIds = async (db: DataSource, id: string): Promise<number[]> =>
  (await db.query(`SELECT id FROM audit_log WHERE workspace_id = $1 ORDER BY id`, [id])).map(
    (entry: { id: number }) => entry.id,
  );

test('entries are chained in the order in which they are committed, one workspace independent of others', async (t) => {
  await withEntries(async ({ service, id }) => {
    t.like(await verify(service, id), { fault: null, verified: 6 });
    const [slow, fast] = [service.createQueryRunner(), service.createQueryRunner()];
    await slow.startTransaction();
    const entry = (n: number) => ({ action: 'test', object: 'o', details: { n } });
    await audit(slow.manager, { workspace_id: id, system: 'operator' }, entry(6));
    await fast.startTransaction();
    await audit(fast.manager, { workspace_id: id, system: 'operator' }, entry(7));
    await fast.commitTransaction();
    await slow.commitTransaction();
    await Promise.all([slow.release(), fast.release()]);
    await Promise.all(Array.from({ length: 8 }, (_, n) => add(service, id, 8 + n)));
    t.like(await verify(service, id), { fault: null, verified: 16 });
  });
});

const TAMPERING: Record<string, [kind: AuditFault['kind'], n: number | null, sql: string]> = {
  'other details': [
    'changed',
    2,
    `UPDATE audit_log SET details = details || '{"name": "Eve"}' WHERE id = $1`,
  ],
  'another action': ['changed', 2, `UPDATE audit_log SET action = 'else' WHERE id = $1`],
  'another actor': ['changed', 2, `UPDATE audit_log SET actor = '{"system": "webhooks"}' WHERE id = $1`],
  'another time': ['changed', 2, `UPDATE audit_log SET at = at + interval '1 ms' WHERE id = $1`],
  'a deleted entry': ['missing', 2, `DELETE FROM audit_log WHERE id = $1`],
  'an entry that is moved to another workspace': [
    'changed',
    2,
    `UPDATE audit_log
      SET workspace_id = (SELECT max(id) FROM workspaces w WHERE w.id <> audit_log.workspace_id)
      WHERE id = $1`,
  ],
  'an entry and its link deleted': [
    'missing',
    null,
    `WITH gone AS (DELETE FROM audit_log WHERE id = $1 RETURNING id) DELETE FROM audit_links
      WHERE entry IN (SELECT id FROM gone)`,
  ],
  'a link without its entry': ['inserted', 2, `DELETE FROM audit_links WHERE entry = $1`],
  'a digest that fits a change': [
    'changed',
    2,
    `WITH forged AS (UPDATE audit_log SET details = '{}' WHERE id = $1 RETURNING audit_log)
     UPDATE audit_links SET digest = audit_entry_digest(forged.audit_log, salt) FROM forged WHERE entry = $1`,
  ],
  'blanked without an erasure': [
    'changed',
    2,
    `WITH blank AS (UPDATE audit_log SET details = '{"n": 2, "name": null}' WHERE id = $1 RETURNING id)
     UPDATE audit_links SET salt = NULL FROM blank WHERE entry = blank.id`,
  ],
};

for (const [what, [kind, n, sql]] of Object.entries(TAMPERING))
  test(`the verification names the first of two changes: ${what}`, async (t) => {
    await withEntries(async ({ owner, service, id }) => {
      const ids = await findEntryIds(owner, id);
      for (const at of [4, 2]) await owner.query(sql, [ids[at]]);
      const { fault } = await verify(service, id);
      t.like(fault, n === null ? { kind, position: 3 } : { kind, entry: ids[n]! });
    });
  });

test('an entry that the service did not add, or whose date is not when it was added, counts as inserted', async (t) => {
  await withEntries(async ({ service, id }) => {
    const insert = `INSERT INTO audit_log (workspace_id, at, action, actor, object, details)
      SELECT workspace_id, $2, action, actor, object, details FROM audit_log WHERE workspace_id = $1 LIMIT 1
      RETURNING id`;
    const [{ id: late }] = await service.query(insert, [id, '2026-01-01T00:00:00Z']);
    t.like((await verify(service, id)).fault, { kind: 'inserted', entry: Number(late) });
  });
  await withEntries(async ({ owner, service, id }) => {
    const [{ id: foreign }] = await owner.query(
      `INSERT INTO audit_log (workspace_id, action, actor, object, details)
       VALUES ($1, 'test', '{"system": "operator"}', 'o', '{}') RETURNING id`,
      [id],
    );
    await add(service, id, 7);
    t.like((await verify(service, id)).fault, { kind: 'inserted', entry: Number(foreign) });
  });
});

test('an erasure is an entry, and entries that it erased still verify', async (t) => {
  await withEntries(async ({ owner, service, id }) => {
    const ids = await findEntryIds(owner, id);
    const by = { workspace_id: id, member_id: 'mem_1', key_id: null };
    const erase = (entries: number[], n: unknown) =>
      transaction(service, (tx) =>
        eraseAuditDetails(
          tx,
          by,
          entries.map((entry) => ({ id: entry, details: { n, name: null } })),
        ),
      );
    await erase([ids[1]!], 1);
    await erase([ids[1]!], null);
    t.like(await verify(service, id), { fault: null, verified: 8 });
    const [{ actor, object, details }] = await owner.query(
      `SELECT * FROM audit_log WHERE action = 'audit_log.erased' ORDER BY id LIMIT 1`,
    );
    t.deepEqual([actor, object], [{ member_id: 'mem_1', key_id: null }, id]);
    t.notRegex(JSON.stringify(details), /Ada/);
    const [{ salt }] = await owner.query(`SELECT salt FROM audit_links WHERE entry = $1`, [ids[1]]);
    t.is(salt, null, 'the digest of what was erased cannot be guessed from');

    const [{ workspace_id }] = await owner.query(
      `SELECT workspace_id FROM audit_log WHERE workspace_id <> $1`,
      [id],
    );
    const [foreign] = await findEntryIds(owner, workspace_id);
    await t.throwsAsync(erase([foreign!], null), undefined, "another workspace's entry is not erased");

    await owner.query(`UPDATE audit_log SET details = '{"n": null, "name": "Ada"}' WHERE id = $1`, [ids[1]]);
    t.like((await verify(service, id)).fault, { kind: 'changed', entry: ids[1] });
  });
});

test('entries deleted because of their age don’t count as missing, and younger deleted ones do', async (t) => {
  await withEntries(async ({ owner, service, id }) => {
    // As if they had been stored then.
    await owner.query(
      `UPDATE audit_log SET at = at - interval '1096 days' WHERE details ->> 'n' IN ('0', '1', '2')`,
    );
    await owner.query(`DELETE FROM audit_links`);
    await owner.query(`CREATE FUNCTION pg_temp.chain_again() RETURNS void LANGUAGE plpgsql AS $$
      DECLARE entry audit_log; link audit_links;
      BEGIN
        FOR entry IN SELECT * FROM audit_log ORDER BY workspace_id, id LOOP
          IF link.workspace_id IS DISTINCT FROM entry.workspace_id
            THEN link.position := 0; link.hash := ''; END IF;
          link.workspace_id := entry.workspace_id; link.position := link.position + 1; link.entry := entry.id;
          link.stored_at := entry.at; link.salt := gen_random_uuid();
          link.digest := audit_entry_digest(entry, link.salt); link.hash := audit_link_hash(link.hash, link);
          INSERT INTO audit_links SELECT link.*;
        END LOOP;
      END $$; SELECT pg_temp.chain_again()`);
    t.like(await verify(service, id), { fault: null, verified: 6 });
    const step = { before: new Date(), limit: 4, after: '' };
    t.is((await transaction(service, (tx) => deleteExpired(tx, 'audit_log', step))).deleted, 4);
    t.like(await verify(service, id), { fault: null, verified: 5 }, 'the last link of those deleted stays');
    await transaction(service, (tx) => deleteExpired(tx, 'audit_log', step));
    const { fault, verified, head } = await verify(service, id);
    t.deepEqual([fault, verified], [null, 4]);

    const [position, hash] = [Number(head!.split(':')[0]), head!.split(':')[1]!];
    t.is((await verify(service, id, { position, hash })).fault, null);
    t.like((await verify(service, id, { position, hash: hash.replace(/./g, '0') })).fault, {
      kind: 'changed',
    });
    t.like((await verify(service, id, { position: position + 1, hash })).fault, { kind: 'missing' });
    await owner.query(`DELETE FROM audit_log WHERE details ->> 'n' = '3' AND workspace_id = $1`, [id]);
    await owner.query(`DELETE FROM audit_links WHERE position <= 4 AND workspace_id = $1`, [id]);
    t.like((await verify(service, id)).fault, { kind: 'missing' });
  });
});

test('npm run audit:verify exits 1 and names the entry', async (t) => {
  await withEntries(async ({ owner, ownerUrl, id }) => {
    const run = (...args: string[]): Promise<{ code: unknown; stdout: string; stderr: string }> =>
      new Promise((resolve) => {
        const env = { PATH: process.env.PATH, DATABASE_URL: ownerUrl };
        execFile(
          'npm',
          ['run', '--silent', 'audit:verify', '--', ...args],
          { env },
          (error, stdout, stderr) => resolve({ code: error?.code ?? 0, stdout, stderr }),
        );
      });
    const whole = await run(`--workspace=${id}`);
    t.is(whole.code, 0, whole.stderr);
    const { head } = JSON.parse(whole.stdout);
    t.is((await run(`--workspace=${id}`, `--head=${head}`)).code, 0);
    t.like(await run('--workspace=ws_none'), { code: 1, stderr: 'There is no workspace ws_none.\n' });
    t.like(await run(), { code: 1 });
    const [, , third] = await findEntryIds(owner, id);
    await owner.query(`UPDATE audit_log SET object = 'x' WHERE id = $1`, [third]);
    const { code, stdout, stderr } = await run(`--workspace=${id}`);
    t.is(code, 1);
    t.deepEqual(JSON.parse(stdout).fault, { kind: 'changed', entry: third, position: 3 });
    t.is(stderr, `The audit log was changed: entry ${third} is changed.\n`);
  });
});
