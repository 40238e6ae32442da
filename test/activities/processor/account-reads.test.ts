import { MockActivityEnvironment } from '@temporalio/testing';
import test from 'ava';
import { createAccountReadActivities } from '../../../activities/processor/account-reads.js';
import { failures } from '../../../activities/failures.js';
import type { Period } from '../../../activities/gateways/processor-reads.js';
import { addAccountRead } from '../../../commands/processor/account-reads.js';
import { recoverFrom } from '../../../commands/workspaces/recovery.js';
import { findAccountRead } from '../../../db/queries/processor/account-read.js';
import type { Tx } from '../../../db/transaction.js';
import { DAY_MS, HOUR_MS } from '../../../domain/durations.js';
import { newPlace, withScratchDatabase } from '../../support/scratch-database.js';

const ago = (ms: number): Date => new Date(Date.now() - ms);

/**
 * Reads an account. The books have the numbers up to `inBooks`, or do not respond. The processor has numbers
 * up to 7.
 */
function scene(scratch: Parameters<Parameters<typeof withScratchDatabase>[0]>[0], inBooks: number | null) {
  const asked: Period[] = [];
  const paid = {
    type: 'charge.succeeded',
    data: { object: { description: 'Invoice HH-7', metadata: { invoice_id: 'inv_lost' } } },
  };
  const { readAccount } = createAccountReadActivities({
    db: scratch,
    tellOperators: async () => undefined,
    processor: {
      listEvents: async () => ({ events: [], last: null }),
      listMovements: async (_: string, period: Period) => {
        asked.push(period);
        return { events: [paid], last: null };
      },
    },
    accounting: {
      listNumbers: async () => {
        if (inBooks === null) throw failures.accountingUnavailable('down');
        return inBooks === 0 ? [] : [{ number: inBooks, document: `HH-${inBooks - 1}` }];
      },
      listCreditNotes: async () => ({ notes: [], last: true }),
    },
  } as never);
  return {
    daysAgo: () => asked.map(({ from }) => Math.round((Date.now() - from.getTime()) / DAY_MS)),
    read: (accountId: string) => new MockActivityEnvironment().run(readAccount, accountId),
  };
}

/** Loses what happened on the account in the past milliseconds. */
async function lose({ manager }: { manager: Tx }, ms: number): Promise<void> {
  const fact = { at: new Date(), since: ago(ms), known_to: 'processor' } as const;
  await recoverFrom(manager, { account_id: 'acct_1' }, fact);
}

test('numbers continue above the processor’s even if the books don’t respond', async (t) => {
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
    await lose(scratch, 5 * DAY_MS);
    t.like(await read('acct_1'), { kind: 'failed' });
    const counters = () => scratch.query(`SELECT last_number, last_document_number FROM invoice_counters`);
    t.deepEqual(await counters(), [{ last_number: 7, last_document_number: 7 }]);
    t.like(
      await findAccountRead(tx, 'acct_1'),
      { numbers_unknown: true },
      'payments are paused until they do',
    );
    const later = scene(scratch, 9);
    t.like(await later.read('acct_1'), { kind: 'read' });
    t.deepEqual(later.daysAgo(), [5], 'all of that time is looked at again');
    t.deepEqual(await counters(), [{ last_number: 9, last_document_number: 8 }]);
  });
});

test('numbers are read from the time of the current loss on, not of one long ago', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const tx = scratch.manager;
    const { workspace_id } = await newPlace(scratch);
    await addAccountRead(tx, workspace_id, 'acct_1');
    const { daysAgo, read } = scene(scratch, 0);
    await lose(scratch, 2 * DAY_MS);
    t.like(await read('acct_1'), { kind: 'read' });
    await scratch.query(`UPDATE account_reads SET lost_from = lost_from - interval '1 year'`);
    await lose(scratch, HOUR_MS);
    t.like(await read('acct_1'), { kind: 'read' });
    await read('acct_1');
    t.deepEqual(daysAgo(), [2, 0], 'and not again once the account is read');
  });
});
