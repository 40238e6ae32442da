import test, { type ExecutionContext } from 'ava';
import { addAccountRead, announceRecovery } from '../../../commands/processor/account-reads.js';
import { recordBeat } from '../../../commands/workspaces/recovery.js';
import { assignDocumentNumbers } from '../../../commands/invoices/numbers.js';
import { newId } from '../../../db/ids.js';
import { findRecovery } from '../../../db/queries/workspaces/recovery.js';
import { transaction, type Tx } from '../../../db/transaction.js';
import { newPlace, withScratchDatabase } from '../../support/scratch-database.js';
import { storeInvoices } from '../../support/rows.js';

type Scratch = Parameters<Parameters<typeof withScratchDatabase>[0]>[0];

/** A database with an account, whose first worker has started with the run `run_1`. */
async function withBeats(
  work: (scene: { scratch: Scratch; tx: Tx; workspace_id: string; beat: number }) => Promise<void>,
): Promise<void> {
  await withScratchDatabase(async (scratch) => {
    const tx = scratch.manager;
    const { workspace_id } = await newPlace(scratch);
    await addAccountRead(tx, workspace_id, 'acct_1');
    const first = await recordBeat(tx, { beat: 0, runId: 'run_1' });
    if (first.behind) throw new Error('the first worker of all notices nothing');
    await work({ scratch, tx, workspace_id, beat: first.beat });
  });
}

/** Each worker continues counting. A lower beat, another database or another Temporal is noticed once. */
async function isNoticedOnce(
  t: ExecutionContext,
  { tx, workspace_id }: { tx: Tx; workspace_id: string },
  witness: Parameters<typeof recordBeat>[1],
  reason: string,
): Promise<void> {
  const { beat, behind } = await recordBeat(tx, witness);
  t.like(behind, { reason, accounts: 1 });
  t.true(beat > witness.beat, 'beats continue above those that were seen');
  t.like(await findRecovery(tx, workspace_id), { accounts_left: 1, since: behind!.since });
  for (const runId of [null, witness.runId])
    t.is((await recordBeat(tx, { ...witness, runId })).behind, null, 'another worker has noticed it');
}

test('beats continue across worker restarts, and nothing is reported', (t) =>
  withBeats(async ({ tx, workspace_id, beat }) => {
    for (const runId of [null, null, 'run_1', null]) {
      const next = await recordBeat(tx, { beat, runId });
      t.deepEqual(next, { beat: beat + 1, behind: null });
      beat = next.beat;
    }
    t.is(await findRecovery(tx, workspace_id), null);
  }));

test('a database with a lower beat than one that was seen is behind', (t) =>
  withBeats(async (scene) => isNoticedOnce(t, scene, { beat: scene.beat + 1, runId: null }, 'beat_lost')));

test('a database that Postgres has recovered or promoted is behind too, and payments are paused before a worker notices it', (t) =>
  withBeats(async (scene) => {
    const { scratch, tx, workspace_id, beat } = scene;
    const invoices = [newId('inv')];
    await storeInvoices(scratch, [
      { id: invoices[0]!, workspace_id, number: 1, accounting_reference: 'Holdfast #1' },
    ]);
    await scratch.query(`DELETE FROM database_marks`);
    const give = () => transaction(scratch, (own) => assignDocumentNumbers(own, invoices));
    await t.throwsAsync(give, { message: /^Payments are paused/ });
    await isNoticedOnce(t, scene, { beat, runId: null }, 'other_database');
    await t.throwsAsync(give, { message: /^Payments are paused/ });
    await scratch.query(`UPDATE account_reads SET numbers_unknown = false`);
    await t.notThrowsAsync(give, 'the numbers are known, and the account is still being read');
    await announceRecovery(tx, workspace_id);
    await announceRecovery(tx, workspace_id);
    const told = await scratch.query(
      `SELECT details ->> 'reason' AS reason FROM audit_log WHERE action = 'database.behind'`,
    );
    t.deepEqual(told, [{ reason: 'other_database' }], 'once');
    t.is((await scratch.query(`SELECT FROM mails WHERE kind = 'database_behind'`)).length, 1);
  }));

test('a database that Temporal has never seen is behind too', (t) =>
  withBeats(async (scene) => isNoticedOnce(t, scene, { beat: 0, runId: 'run_2' }, 'unknown_run')));

test('the books of a workspace without an account are read too', (t) =>
  withBeats(async ({ scratch, tx, beat }) => {
    const { workspace_id } = await newPlace(scratch);
    await scratch.query(
      `INSERT INTO accounting_connections (workspace_id, status, tenant_id, organisation, access_token,
                                           refresh_token, access_expires_at, connected_at)
       VALUES ($1, 'active', gen_random_uuid(), 'Test', '', '', now(), now())`,
      [workspace_id],
    );
    t.like((await recordBeat(tx, { beat: beat + 9, runId: null })).behind, { accounts: 2 });
    t.like(await findRecovery(tx, workspace_id), { accounts_left: 1 });
  }));

test('where the service may not query the cluster, the database and its mark are enough', (t) =>
  withScratchDatabase(async (scratch) => {
    await scratch.query(`REVOKE EXECUTE ON FUNCTION pg_control_system() FROM PUBLIC`);
    await scratch.transaction(async (tx) => {
      await tx.query(`SET LOCAL ROLE pg_read_all_data`);
      const [{ identity }] = await tx.query(`SELECT database_identity() AS identity`);
      t.regex(identity, /^-\/\d+\/-$/);
    });
  }));
