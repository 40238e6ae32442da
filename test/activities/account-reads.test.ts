import { MockActivityEnvironment } from '@temporalio/testing';
import test from 'ava';
import { createAccountReadActivities } from '../../activities/account-reads.js';
import { failures } from '../../activities/failures.js';
import type { Period } from '../../activities/gateways/processor-reads.js';
import { addAccountRead } from '../../commands/workspaces/account-reads.js';
import { rereadSince } from '../../commands/workspaces/recovery.js';
import { findAccountRead } from '../../db/queries/workspaces/account-read.js';
import { DAY_MS, HOUR_MS } from '../../domain/durations.js';
import { newPlace, withScratchDatabase } from '../db/scratch.js';

const ago = (ms: number): Date => new Date(Date.now() - ms);

/** Reads an account. The books have the numbers up to `inBooks`, or do not respond; the processor has those up to 7. */
function scene(scratch: Parameters<Parameters<typeof withScratchDatabase>[0]>[0], inBooks: number | null) {
  const asked: Period[] = [];
  const paid = {
    type: 'charge.succeeded',
    data: { object: { description: 'Invoice HH-7', metadata: { invoice_id: 'inv_lost' } } },
  };
  const { readAccount } = createAccountReadActivities({
    db: scratch,
    processor: {
      listEvents: async () => ({ events: [], last: null }),
      listMovements: async (_: string, period: Period) => {
        asked.push(period);
        return { events: [paid], last: null };
      },
    },
    accounting: {
      highestNumber: async () => {
        if (inBooks === null) throw failures.accountingUnavailable('down');
        return inBooks;
      },
    },
  } as never);
  return { asked, read: (accountId: string) => new MockActivityEnvironment().run(readAccount, accountId) };
}

test('numbers continue above those of the processor although the books do not respond', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const tx = scratch.manager;
    const { workspace_id } = await newPlace(scratch);
    await addAccountRead(tx, workspace_id, 'acct_1');
    await scratch.query(
      `INSERT INTO accounting_connections (workspace_id, status, tenant_id, organisation, access_token,
                                           refresh_token, access_expires_at, connected_at)
       VALUES ($1, 'active', gen_random_uuid(), 'Test', '', '', now(), now())`,
      [workspace_id],
    );
    const { read } = scene(scratch, null);
    const since = ago(5 * DAY_MS);
    await rereadSince(tx, { account_id: 'acct_1' }, since);
    t.like(await read('acct_1'), { kind: 'failed' });
    t.deepEqual(await scratch.query(`SELECT last_number FROM invoice_counters`), [{ last_number: 7 }]);
    t.like(
      await findAccountRead(tx, 'acct_1'),
      { read_until: since },
      'the books are asked for all of it again',
    );
  });
});

test('numbers are looked at since what was lost now, not since what was lost long ago', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const tx = scratch.manager;
    const { workspace_id } = await newPlace(scratch);
    await addAccountRead(tx, workspace_id, 'acct_1');
    const { asked, read } = scene(scratch, 0);
    await rereadSince(tx, { account_id: 'acct_1' }, ago(20 * DAY_MS));
    t.like(await read('acct_1'), { kind: 'read' });
    await rereadSince(tx, { account_id: 'acct_1' }, ago(HOUR_MS));
    t.like(await read('acct_1'), { kind: 'read' });
    t.deepEqual(
      asked.map(({ from }) => Math.round((Date.now() - from.getTime()) / HOUR_MS)),
      [20 * 24, 1],
    );
    await read('acct_1');
    t.is(asked.length, 2, 'nothing more is lost');
  });
});
