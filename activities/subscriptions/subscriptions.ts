import { heartbeat } from '@temporalio/activity';
import type { DataSource } from 'typeorm';
import { draftPeriods, finishDrafts } from '../../commands/subscriptions/invoices.js';
import {
  type PlannedWorkspace,
  type SubscriptionDay,
  countPayers,
  listDrafts,
  listDuePayers,
  listPlannedWorkspaces,
} from '../../db/queries/subscriptions/subscription.js';
import { listPlannedStatements } from '../../db/queries/invoices/statement.js';
import { enqueueStatement } from '../../commands/invoices/statements.js';
import { beginRun, endRun, errorReason } from '../../commands/workspaces/job-failures.js';
import { billingDay, latestDay, utcDay, type Day } from '../../domain/cycle.js';
import type { SweptJob } from '../../domain/workspaces/swept-jobs.js';
import { transaction } from '../../db/transaction.js';
import { isKnownZone } from '../../domain/time-zone.js';
import { takeDue, recordFailure, sweep, sweepInBatches } from '../sweep.js';

export type { SubscriptionDay };

const PAGE = 200;
/** How many payers of statements are checked. Those in time zones where it is too early cost nothing more. */
const LOOKED_AT = 2_000;

/** The result for a page of payers or drafts. */
export interface SubscriptionPage {
  /** Payers with a draft, or drafts that were opened. */
  done: number;
  /** The ids of those that failed and are left for the next run. */
  failed: string[];
  /**
   * The last id of the page; null at the end. Most workspaces have only one page, which is not followed by an
   * empty one.
   */
  last: string | null;
}

/** Returns the last item of a full page; null if the page is the last one. */
const lastOfFullPage = <T>(page: T[]): T | null => (page.length < PAGE ? null : page.at(-1)!);

/** The result for several workspaces. */
export interface InvoicedWorkspaces {
  /** Payers with a draft, and drafts that were opened. */
  drafted: number;
  opened: number;
  /** Payers and drafts that failed and are left for the next run, and the ids of the first. */
  failed: number;
  left: string[];
  /** How many workspaces were finished, from the first on. */
  finished: number;
}

/** No further workspace is started after this time. */
const WORKING_MS = 60_000;

/**
 * Subscription invoices (docs/rules/billing.md#subscription-invoices). Each page of them is written in one
 * transaction.
 */
export function createSubscriptionActivities({ db }: { db: DataSource }) {
  const recordFor = (job: SweptJob, workspace_id: string) => (_item: string, error: unknown) =>
    recordFailure(db, { workspace_id, job, error });

  /**
   * Writes draft invoices for a page of due payers, one month of each per transaction, including missed
   * months.
   */
  async function draftInvoices(input: SubscriptionDay & { after: string }): Promise<SubscriptionPage> {
    const { workspaceId, day } = input;
    const payers = await listDuePayers(db.manager, input, input.after, PAGE);
    const done = new Set<string>();
    const draft = async (set: string[]): Promise<void> => {
      for (let left = set; left.length > 0;) {
        heartbeat();
        const payerIds = left;
        const { due, drafted } = await transaction(db, (tx) => draftPeriods(tx, workspaceId, payerIds, day));
        for (const payer of drafted) done.add(payer);
        left = due;
      }
    };
    const record = recordFor('subscription_invoices', workspaceId);
    const failed = await sweepInBatches(payers, 'drafting subscription invoices', draft, record);
    return { done: done.size, failed, last: lastOfFullPage(payers) };
  }

  /** Opens a page of a workspace's drafts for a job. */
  async function openDrafts(input: {
    workspaceId: string;
    after: string;
    job: string;
  }): Promise<SubscriptionPage> {
    const drafts = await listDrafts(db.manager, input.workspaceId, input.after, PAGE);
    let done = 0;
    const open = async (ids: string[]): Promise<void> => {
      heartbeat();
      done += await transaction(db, (tx) => finishDrafts(tx, ids, input.job));
    };
    const record = recordFor('subscription_invoices', input.workspaceId);
    const failed = await sweepInBatches(drafts, 'opening subscription invoices', open, record);
    return { done, failed, last: lastOfFullPage(drafts) };
  }

  async function invoiceWorkspace(
    day: SubscriptionDay,
    job: string,
  ): Promise<{ drafted: number; opened: number; failed: string[] }> {
    if (day.failure !== undefined) throw new Error(day.failure);
    const failed: string[] = [];
    const everyPage = async (work: (after: string) => Promise<SubscriptionPage>): Promise<number> => {
      let done = 0;
      for (let after: string | null = ''; after !== null;) {
        const page: SubscriptionPage = await work(after);
        done += page.done;
        failed.push(...page.failed);
        after = page.last;
      }
      return done;
    };
    const drafted = await everyPage((after) => draftInvoices({ ...day, after }));
    const { workspaceId } = day;
    const opened = await everyPage((after) => openDrafts({ workspaceId, after, job }));
    return { drafted, opened, failed };
  }

  return {
    /**
     * Returns a page of the workspaces with something to invoice, each with its day, by id: the given day, or
     * by default their current day. Workspaces whose day cannot be determined are included, with the reason.
     */
    async listSubscriptionDays(input: {
      workspaceId?: string;
      asOf?: Day;
      after: string;
    }): Promise<SubscriptionDay[]> {
      const { workspaceId, asOf } = input;
      if (input.after === '') await beginRun(db.manager, { job: 'subscription_invoices', workspaceId });
      const now = new Date();
      const days: SubscriptionDay[] = [];
      // Workspaces for which it is too early on their clock have no entry; an empty page means the end.
      for (let after: string | null = input.after; days.length === 0 && after !== null;) {
        const query = { workspaceId, until: asOf ?? latestDay(now), after, limit: PAGE };
        const planned: PlannedWorkspace[] = await listPlannedWorkspaces(db.manager, query);
        days.push(...planned.flatMap((workspace) => subscriptionDay(workspace, asOf, now) ?? []));
        after = lastOfFullPage(planned)?.id ?? null;
      }
      if (days.length === 0) await endRun(db.manager, { job: 'subscription_invoices', workspaceId });
      return days;
    },

    /** Returns the number of payers of a workspace, or of all workspaces. */
    async countPayers({ workspaceId }: { workspaceId?: string }): Promise<number> {
      return countPayers(db.manager, workspaceId);
    },

    /**
     * Invoices workspaces, one after another, for a minute; a workspace that was started is finished. A
     * workspace that fails does not stop the others, unless the database is unavailable, and is recorded.
     */
    async invoiceWorkspaces(input: { days: SubscriptionDay[]; job: string }): Promise<InvoicedWorkspaces> {
      const until = Date.now() + WORKING_MS;
      const sum: InvoicedWorkspaces = { drafted: 0, opened: 0, failed: 0, left: [], finished: 0 };
      const add = (failed: string[]): void => {
        sum.failed += failed.length;
        if (sum.left.length < PAGE) sum.left.push(...failed);
      };
      const daysByWorkspace = new Map(input.days.map((day) => [day.workspaceId, day]));
      for (const { workspaceId } of input.days) {
        heartbeat();
        const failed = await sweep(
          [workspaceId],
          'invoicing a workspace',
          async () => {
            const {
              drafted,
              opened,
              failed: left,
            } = await invoiceWorkspace(daysByWorkspace.get(workspaceId)!, input.job);
            sum.drafted += drafted;
            sum.opened += opened;
            add(left);
          },
          recordFor('subscription_invoices', workspaceId),
        );
        add(failed);
        sum.finished++;
        if (Date.now() > until) break;
      }
      return sum;
    },

    /** Enqueues the monthly statements of a page of payers (docs/rules/billing.md#monthly-statements). */
    async enqueueStatements(input: {
      workspaceId?: string;
      asOf?: Day;
      after: string;
    }): Promise<SubscriptionPage> {
      const { workspaceId, asOf, after } = input;
      const job = 'monthly_statements';
      const now = new Date();
      if (after === '') await beginRun(db.manager, { job, workspaceId });
      const query = { workspaceId, until: asOf ?? latestDay(now), after, limit: LOOKED_AT };
      const rows = await listPlannedStatements(db.manager, query);
      const { due, last } = takeDue(rows, PAGE, ({ time_zone, next_statement_on }) =>
        isKnownZone(time_zone) ? next_statement_on <= (asOf ?? billingDay(time_zone, now)) : true,
      );
      const planned = new Map(due.map((statement) => [statement.payer, statement]));
      let done = 0;
      const failed = await sweep(
        [...planned.keys()],
        'a monthly statement',
        async (payer) => {
          heartbeat();
          const day = asOf ?? billingDay(planned.get(payer)!.time_zone, now);
          if (await transaction(db, (tx) => enqueueStatement(tx, { payer, day }))) done++;
        },
        (payer, error) => recordFor(job, planned.get(payer)!.workspace_id)(payer, error),
      );
      const isEnd = rows.length < LOOKED_AT && last === (rows.at(-1) ?? null);
      if (isEnd) await endRun(db.manager, { job, workspaceId });
      return { done, failed, last: isEnd ? null : last!.payer };
    },
  };
}

/**
 * Returns what is to be invoiced for a workspace at a time; null if its next period begins later on its
 * clock.
 */
function subscriptionDay(
  { id: workspaceId, time_zone, next, has_drafts }: PlannedWorkspace,
  asOf: Day | undefined,
  now: Date,
): SubscriptionDay | null {
  try {
    const day = asOf ?? billingDay(time_zone, now);
    return has_drafts || (next !== null && next <= day) ? { workspaceId, day } : null;
  } catch (error) {
    return { workspaceId, day: utcDay(now.getTime()), failure: errorReason(error) };
  }
}
