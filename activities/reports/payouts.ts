import { heartbeat } from '@temporalio/activity';
import type { DataSource } from 'typeorm';
import {
  listUnreadPayouts,
  recordPayoutsRead,
  storePayoutEntries,
  storePayouts,
  type ReportedPayoutEntry,
} from '../../commands/reports/payouts.js';
import { beginRun, endRun } from '../../commands/workspaces/job-failures.js';
import { listPayoutAccounts, type PayoutAccount } from '../../db/queries/reports/payouts.js';
import { transaction } from '../../db/transaction.js';
import { DAY_MS } from '../../domain/durations.js';
import { isAccountUnusable } from '../failures.js';
import type { Processor } from '../gateways/processor.js';
import { recordFailure, sweep } from '../sweep.js';

const PAGE = 50;
const job = 'payouts';
/** A payout can still fail this long after it was created: its status is read again. */
const CAN_CHANGE_MS = 45 * DAY_MS;

/** The counts of one page of accounts. `last` is the id of its last one, null at the end. */
export interface PayoutsPage {
  last: string | null;
  accounts: number;
  failed: number;
}

/** The job that reads the payouts of connected accounts (docs/rules/reports.md#payouts). */
export function createPayoutActivities({ db, processor }: { db: DataSource; processor: Processor }) {
  /** Stores the payouts of an account since the last read, and those whose status can still change. */
  async function readNew(account: PayoutAccount): Promise<void> {
    const { account_id, payouts_read_at } = account;
    const since = new Date((payouts_read_at?.getTime() ?? CAN_CHANGE_MS) - CAN_CHANGE_MS);
    for (let after: string | null = null; ;) {
      heartbeat();
      const { payouts, last } = await processor.listPayouts(account_id, since, after);
      await storePayouts(db.manager, account, payouts);
      if (last === null) return;
      after = last;
    }
  }

  /** Stores what is in a payout, all at once. */
  async function readEntries(account: PayoutAccount, payoutId: string): Promise<void> {
    const entries: ReportedPayoutEntry[] = [];
    for (let after: string | null = null; ;) {
      heartbeat();
      const page = await processor.listPayoutEntries(account.account_id, payoutId, after);
      entries.push(...page.entries);
      if (page.last === null) break;
      after = page.last;
    }
    await transaction(db, (tx) => storePayoutEntries(tx, account, payoutId, entries));
  }

  /** Reads an account. The payouts of one that is disconnected are read once it is connected again. */
  async function readAccount(account: PayoutAccount): Promise<void> {
    const began = new Date();
    try {
      await readNew(account);
      for (const id of await listUnreadPayouts(db.manager, account)) await readEntries(account, id);
      await recordPayoutsRead(db.manager, account, began);
    } catch (error) {
      if (!isAccountUnusable(error)) throw error;
    }
  }

  return {
    /**
     * Reads the payouts of a page of accounts, one after the other. A failure does not stop the others,
     * unless the database is unavailable, and is recorded for its workspace.
     */
    async readPayouts(input: { workspaceId?: string; after: string }): Promise<PayoutsPage> {
      const { workspaceId, after } = input;
      if (after === '') await beginRun(db.manager, { job, workspaceId });
      const accounts = await listPayoutAccounts(db.manager, { workspaceId, after, limit: PAGE });
      const byId = new Map(accounts.map((account) => [account.account_id, account]));
      const last = accounts.length < PAGE ? null : accounts.at(-1)!.account_id;
      const failed = await sweep(
        [...byId.keys()],
        'reading the payouts of an account',
        (id) => readAccount(byId.get(id)!),
        (id, error) => recordFailure(db, { workspace_id: byId.get(id)!.workspace_id, job, error }),
      );
      if (last === null) await endRun(db.manager, { job, workspaceId });
      return { last, accounts: accounts.length - failed.length, failed: failed.length };
    },
  };
}
