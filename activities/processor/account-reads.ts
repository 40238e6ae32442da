import { log } from '@temporalio/activity';
import type { Client } from '@temporalio/client';
import type Stripe from 'stripe';
import type { DataSource } from 'typeorm';
import { reportAccount } from '../../commands/processor/events/accounts.js';
import { findHandledEvents, receiveEvent } from '../../commands/processor/events/receive.js';
import {
  recordAccountRead,
  recordBooksRead,
  recordFailedRead,
  recordNumbersKnown,
  recordReadUntil,
  recordUnusableAccount,
  takeWorkspaceAccounts,
  takeAccountsToRead,
  announceRecovery,
} from '../../commands/processor/account-reads.js';
import type { AccountRead, RecoveryReason } from '../../db/entities/payments.js';
import { isOutage } from '../../db/outage.js';
import { transaction } from '../../db/transaction.js';
import { findAccountRead } from '../../db/queries/processor/account-read.js';
import { findWorkspaceByAccount } from '../../db/queries/workspaces/workspace.js';
import { DAY_MS, MINUTE_MS } from '../../domain/durations.js';
import { failures, isAccountUnusable } from '../failures.js';
import { heartbeating } from '../heartbeating.js';
import type { Accounting } from '../gateways/accounting.js';
import { continueAboveBooks, createNumberCheck } from '../accounting/invoice-numbers.js';
import type { Processor } from '../gateways/processor.js';
import type { Period } from '../gateways/processor-reads.js';
import { processorStatus } from '../payments/disputes.js';

const PAGE = 100;
/** After this many events of an account that could not be handled, the others are left for the next read. */
const GIVE_UP_AFTER = 3;
/** The processor lists its events for 30 days. Anything older is read from the movements of money. */
const EVENTS_KEPT_MS = 29 * DAY_MS;
/** Clocks differ, and an event can be listed a little later than its time. */
const OVERLAP_MS = 5 * MINUTE_MS;
/**
 * How often an account is read again because more facts were found to be lost, before that is left to the
 * next read.
 */
const READ_AGAIN = 3;
/**
 * A long gap is read in parts of this length, so that what was read counts if the rest fails. It is longer
 * than the pause of an idle account.
 */
const PART_MS = 2 * DAY_MS;

/**
 * Returns why an event could not be handled. Throws if the database is unavailable, because then nothing can
 * be handled.
 */
function describeCause(error: unknown): string {
  if (isOutage(error)) throw error;
  return String(error);
}

/**
 * Returns the time since which numbers may be missing here, also if money moves in the meantime, until the
 * account has been read; null if none are missing. Losses are found within a month: an earlier loss has
 * already been handled.
 */
function missingSince({ recovering_since, last_read_at, lost_from, lost_until }: AccountRead): Date | null {
  if (recovering_since || last_read_at || !lost_from) return recovering_since;
  return new Date(Math.max(lost_from.getTime(), lost_until!.getTime() - EVENTS_KEPT_MS));
}

/** Informs the operators of the service that facts may be missing here. Never fails. */
export type TellOperators = (behind: {
  since: Date;
  reason: RecoveryReason;
  accounts: number;
}) => Promise<void>;

/** The result of reading an account. `unusable` accounts are left to the account's run. */
export interface AccountReadResult {
  kind: 'read' | 'failed' | 'unusable';
  /** How many events the processor recorded that we had not received. */
  events: number;
}

/**
 * Reads what the processor recorded, without waiting for its webhooks
 * (docs/internals/architecture.md#payment-confirmation).
 */
export function createAccountReadActivities(deps: {
  db: DataSource;
  client: Client;
  taskQueue: string;
  processor: Processor;
  accounting: Accounting;
  tellOperators: TellOperators;
}) {
  const checkNumbers = createNumberCheck(deps);
  const { db, processor, taskQueue } = deps;
  const events = { db, temporal: deps.client, taskQueue };

  /** Returns the events of a period that we have not received yet, oldest first. */
  async function findNew(
    list: Processor['listEvents'],
    accountId: string,
    period: Omit<Period, 'after'>,
  ): Promise<Stripe.Event[]> {
    const found: Stripe.Event[] = [];
    for (let after: string | null = null; ;) {
      const page = await list(accountId, { ...period, after });
      const handled = await findHandledEvents(
        db.manager,
        page.events.map(({ id }) => id),
      );
      found.push(...page.events.filter(({ id }) => !handled.has(id)));
      if (page.last === null) return found.reverse();
      after = page.last;
    }
  }

  /**
   * Passes the events of a period to the webhook handlers. Returns how many were new. Throws if any of them
   * fails.
   */
  async function readPeriod(
    accountId: string,
    from: Date,
    to: Date | null,
    isListed: boolean,
  ): Promise<number> {
    const list = isListed ? processor.listEvents : processor.listMovements;
    const found = await findNew(list, accountId, { from, to });
    const failed: string[] = [];
    for (const event of found) {
      const reason = await receiveEvent(events, event, 'pull').then(() => null, describeCause);
      if (reason !== null && failed.push(`${event.id}: ${reason}`) >= GIVE_UP_AFTER) break;
    }
    if (failed.length > 0) throw new Error(`events could not be handled: ${failed.join('; ')}`);
    return found.length;
  }

  /** Reads the events of an account since it was last read. Returns how many were new. */
  async function readEvents(read: AccountRead, now: Date): Promise<number> {
    const { account_id, read_until, recovering_since } = read;
    const since = Math.min(read_until.getTime(), recovering_since?.getTime() ?? Infinity) - OVERLAP_MS;
    const listedFrom = now.getTime() - EVENTS_KEPT_MS;
    let found = 0;
    for (let from = since; ;) {
      const isListed = from >= listedFrom;
      const to = Math.min(from + PART_MS, isListed ? Infinity : listedFrom);
      const isLast = to >= now.getTime();
      found += await readPeriod(account_id, new Date(from), isLast ? null : new Date(to), isListed);
      if (isLast) return found;
      await recordReadUntil(db.manager, read, new Date(to));
      from = to;
    }
  }

  /**
   * Has the run of an account store its status if it differs from ours, because the event may have been lost.
   */
  async function compareStatus(accountId: string): Promise<void> {
    const workspace = await findWorkspaceByAccount(db.manager, accountId);
    if (!workspace) return;
    const now = await processor.lookUpAccount(accountId);
    const isKnown =
      workspace.processor_status === processorStatus(now) &&
      workspace.processor_problem === now.problem &&
      workspace.processor_due_by?.getTime() === now.due_by?.getTime();
    if (!isKnown) await reportAccount(events, accountId);
  }

  /** Reads an account once. `more`: its events must be read again, since more facts were found to be lost. */
  async function readOnce(accountId: string): Promise<AccountReadResult & { more?: boolean }> {
    const began = new Date();
    const read = await findAccountRead(db.manager, accountId);
    if (!read) throw failures.referenceMissing(`account ${accountId}`);
    if (read.untold) await tell(read);
    try {
      if (read.account_id === read.workspace_id) return await readBooks(read);
      // This comes first, because what is settled needs a number.
      const missing_since = missingSince(read);
      if (missing_since) await checkNumbers(read, missing_since);
      if (read.numbers_unknown) await recordNumbersKnown(db.manager, read);
      const found = await readEvents(read, began);
      await compareStatus(accountId);
      const more = !(await recordAccountRead(db.manager, read, began));
      return { kind: 'read', events: found, more };
    } catch (error) {
      if (isOutage(error)) throw error;
      log.warn('reading an account failed, will retry', {
        account: accountId,
        reason: String(error),
      });
      await recordFailedRead(db.manager, accountId);
      if (!isAccountUnusable(error)) return { kind: 'failed', events: 0 };
      await recordUnusableAccount(db.manager, accountId);
      await reportAccount(events, accountId);
      return { kind: 'unusable', events: 0 };
    }
  }

  /**
   * Informs the workspace that facts are missing here, and the operators unless the worker that noticed it
   * has already done so.
   */
  async function tell({ workspace_id }: AccountRead): Promise<void> {
    const told = await transaction(db, (tx) => announceRecovery(tx, workspace_id));
    if (told?.reason === 'processor' || told?.reason === 'accounting')
      void deps.tellOperators({ ...told, accounts: 1 });
  }

  async function readBooks(read: AccountRead): Promise<AccountReadResult> {
    await continueAboveBooks(deps, read.workspace_id, read.recovering_since!);
    await recordBooksRead(db.manager, read);
    return { kind: 'read', events: 0 };
  }

  return {
    /**
     * Takes a page of the accounts that are due, or those of one workspace. `last` is true if there is no
     * further page.
     */
    async takeAccountsToRead(input: {
      workspaceId?: string;
    }): Promise<{ accounts: string[]; last: boolean }> {
      const { workspaceId } = input;
      if (workspaceId !== undefined)
        return { accounts: await takeWorkspaceAccounts(db.manager, workspaceId), last: true };
      const accounts = await takeAccountsToRead(db.manager, PAGE);
      return { accounts, last: accounts.length < PAGE };
    },

    /**
     * Reads the events and the status of a connected account, and has new events handled. Failures are
     * recorded, and the read is retried after a pause that grows. For a workspace without an account that can
     * be read, reads the numbers in the accounting system. Idempotent.
     */
    readAccount: (accountId: string): Promise<AccountReadResult> =>
      heartbeating(async () => {
        let events = 0;
        for (let left = READ_AGAIN; ; left--) {
          const { more, ...result } = await readOnce(accountId);
          events += result.events;
          if (!more || left === 0) return { ...result, events };
        }
      }),
  };
}
