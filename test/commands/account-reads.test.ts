import test from 'ava';
import {
  addAccountRead,
  recordAccountRead,
  recordFailedRead,
  takeAccountsToRead,
} from '../../commands/workspaces/account-reads.js';
import { findAccountRead } from '../../db/queries/workspaces/account-read.js';
import { newPlace, reserve, withScratchDatabase } from '../db/scratch.js';

test('accounts where money is expected are due hourly, others daily, those that recover first', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const tx = scratch.manager;
    const [busy, idle, other] = [await newPlace(scratch), await newPlace(scratch), await newPlace(scratch)];
    await addAccountRead(tx, busy.workspace_id, 'acct_busy');
    await addAccountRead(tx, idle.workspace_id, 'acct_idle');
    const take = (workspaceId?: string) => takeAccountsToRead(tx, { workspaceId, limit: 10 });
    const read = async (id: string) => recordAccountRead(tx, (await findAccountRead(tx, id))!, new Date());
    const pass = (minutes: number) =>
      scratch.query(
        `UPDATE account_reads SET next_read_at = next_read_at - make_interval(mins => $1),
           last_read_at = last_read_at - make_interval(mins => $1)`,
        [minutes],
      );

    t.deepEqual(await take(), ['acct_busy', 'acct_idle'], 'a new account is due');
    t.deepEqual(await take(), [], 'taken by another job');
    t.deepEqual(await take(idle.workspace_id), ['acct_idle'], 'a workspace by hand, due or not');
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
    await scratch.query(`UPDATE account_reads SET recovering_since = now() - interval '4 hours'
      WHERE account_id = 'acct_other'`);
    await recordAccountRead(tx, before, new Date());
    t.truthy((await findAccountRead(tx, 'acct_other'))!.recovering_since, 'set again during the read');
    await read('acct_other');
    t.is((await findAccountRead(tx, 'acct_other'))!.recovering_since, null);
  });
});
