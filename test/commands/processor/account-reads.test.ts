import test from 'ava';
import {
  addAccountRead,
  recordAccountRead,
  recordFailedRead,
  recordReadUntil,
  takeWorkspaceAccounts,
  takeAccountsToRead,
} from '../../../commands/processor/account-reads.js';
import { recoverFrom, recoverSince } from '../../../commands/workspaces/recovery.js';
import { findAccountRead } from '../../../db/queries/processor/account-read.js';
import { HOUR_MS } from '../../../domain/durations.js';
import { newPlace, reserve, untilLocked, withScratchDatabase } from '../../support/scratch-database.js';

const hoursAgo = (hours: number): Date => new Date(Date.now() - hours * HOUR_MS);

test('accounts that expect money are due hourly and others daily, and those that recover come first', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const tx = scratch.manager;
    const [busy, idle, other] = [await newPlace(scratch), await newPlace(scratch), await newPlace(scratch)];
    await addAccountRead(tx, busy.workspace_id, 'acct_busy');
    await addAccountRead(tx, idle.workspace_id, 'acct_idle');
    const take = () => takeAccountsToRead(tx, 10);
    const read = async (id: string) => recordAccountRead(tx, (await findAccountRead(tx, id))!, new Date());
    const pass = (minutes: number) =>
      scratch.query(
        `UPDATE account_reads SET next_read_at = next_read_at - make_interval(mins => $1),
           last_read_at = last_read_at - make_interval(mins => $1)`,
        [minutes],
      );

    t.deepEqual(await take(), ['acct_busy', 'acct_idle'], 'a new account is due');
    t.deepEqual(await take(), [], 'taken by another job');
    t.deepEqual(await takeWorkspaceAccounts(tx, idle.workspace_id), ['acct_idle'], 'by hand, due or not');
    for (const id of ['acct_busy', 'acct_idle']) await read(id);
    const booking = await reserve(scratch, busy);
    await scratch.query(`UPDATE bookings SET published_at = now() WHERE id = $1`, [booking]);
    await pass(45);
    t.deepEqual(await take(), []);
    await pass(10);
    t.deepEqual(await take(), ['acct_busy'], 'it has a live booking');
    await read('acct_busy');
    await pass(23 * 60);
    t.deepEqual(await take(), ['acct_busy', 'acct_idle']);
    for (const id of ['acct_busy', 'acct_idle']) await read(id);

    await recordFailedRead(tx, 'acct_idle');
    await addAccountRead(tx, other.workspace_id, 'acct_other');
    await scratch.query(
      `UPDATE account_reads SET recovering_since = now() - interval '3 hours', next_read_at = now()
       WHERE account_id = 'acct_other'`,
    );
    await pass(6);
    t.deepEqual(await take(), ['acct_other', 'acct_idle'], 'a failed read is tried again sooner');
    const before = (await findAccountRead(tx, 'acct_other'))!;
    await recoverSince(tx, hoursAgo(4));
    await recordAccountRead(tx, before, new Date());
    t.truthy((await findAccountRead(tx, 'acct_other'))!.recovering_since, 'set again during the read');
    await read('acct_other');
    t.is((await findAccountRead(tx, 'acct_other'))!.recovering_since, null);
  });
});

test('an account whose read is out of date because more was found to be lost is still due', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const tx = scratch.manager;
    const { workspace_id } = await newPlace(scratch);
    const account_id = 'acct_1';
    await addAccountRead(tx, workspace_id, account_id);
    const [earlier, since] = [hoursAgo(70), hoursAgo(2)];
    await recoverFrom(tx, { account_id }, { at: since, since, known_to: 'processor' });
    const began = (await findAccountRead(tx, account_id))!;
    await recoverFrom(tx, { account_id }, { at: earlier, since: earlier, known_to: 'processor' });
    await recordReadUntil(tx, began, new Date());
    t.false(await recordAccountRead(tx, began, new Date()));
    t.like(await findAccountRead(tx, account_id), { read_until: earlier, last_read_at: null });
    t.deepEqual(await takeAccountsToRead(tx, 10), [account_id]);
  });
});

test('the accounts of a workspace are taken even while a job is taking them', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const tx = scratch.manager;
    const { workspace_id } = await newPlace(scratch);
    await addAccountRead(tx, workspace_id, 'acct_1');
    const byHand = await scratch.transaction(async (job) => {
      t.deepEqual(await takeAccountsToRead(job, 10), ['acct_1']);
      const taking = takeWorkspaceAccounts(tx, workspace_id);
      await untilLocked(scratch);
      return [taking];
    });
    t.deepEqual(await byHand[0], ['acct_1']);
  });
});
