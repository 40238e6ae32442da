import { heartbeat } from '@temporalio/activity';
import type { DataSource } from 'typeorm';
import { draftPeriods, finishDrafts } from '../commands/billing/subscription-invoices.js';
import {
  type SubscriptionDay,
  countPayers,
  FROM_HOUR,
  listDrafts,
  listDuePayers,
  listSubscriptionDays,
} from '../db/queries/billing/subscription.js';
import { listDueStatements } from '../db/queries/billing/statement.js';
import { enqueueStatement } from '../commands/billing/statements.js';
import { transaction } from '../db/transaction.js';
import { sweep, sweepSet } from './sweep.js';

export type { SubscriptionDay };

const PAGE = 200;

/** What was done for a page of payers or drafts. */
export interface SubscriptionPage {
  /** Payers with a draft, or drafts opened. */
  done: number;
  /** The ids of those that failed and are left for the next run. */
  failed: string[];
  /** The last id of the page; null at the end. Most workspaces have one page, so it is not followed by an empty one. */
  last: string | null;
}

/** The last of a full page; null if the page is the last one. */
const lastOf = <T>(page: T[]): T | null => (page.length < PAGE ? null : page.at(-1)!);

/** What was done for some workspaces. */
export interface InvoicedWorkspaces {
  /** Payers with a draft, and drafts opened. */
  drafted: number;
  opened: number;
  /** Payers and drafts that failed and are left for the next run, and the ids of the first. */
  failed: number;
  left: string[];
  /** How many workspaces, from the first on. */
  finished: number;
}

/** No further workspace is begun after this long. */
const WORKING_MS = 60_000;

/** Subscription invoices (docs/rules/billing.md#subscription-invoices). A page of them is written in one transaction. */
export function createSubscriptionActivities({ db }: { db: DataSource }) {
  /** Writes draft invoices for a page of due payers, a month of each in a transaction, including months that were missed. */
  async function draftInvoices(input: SubscriptionDay & { after: string }): Promise<SubscriptionPage> {
    const { workspaceId, day } = input;
    const payers = await listDuePayers(db.manager, input, input.after, PAGE);
    const done = new Set<string>();
    const failed = await sweepSet(payers, 'drafting subscription invoices', async (set) => {
      for (let left = set; left.length > 0;) {
        heartbeat();
        const payerIds = left;
        const { due, drafted } = await transaction(db, (tx) => draftPeriods(tx, workspaceId, payerIds, day));
        for (const payer of drafted) done.add(payer);
        left = due;
      }
    });
    return { done: done.size, failed, last: lastOf(payers) };
  }

  /** Opens a page of a workspace's drafts for a job. */
  async function openDrafts(input: {
    workspaceId: string;
    after: string;
    job: string;
  }): Promise<SubscriptionPage> {
    const drafts = await listDrafts(db.manager, input.workspaceId, input.after, PAGE);
    let done = 0;
    const failed = await sweepSet(drafts, 'opening subscription invoices', async (ids) => {
      heartbeat();
      done += await transaction(db, (tx) => finishDrafts(tx, ids, input.job));
    });
    return { done, failed, last: lastOf(drafts) };
  }

  return {
    /** A page of the workspaces with something to invoice, each with its day, by id. */
    async listSubscriptionDays(input: {
      workspaceId?: string;
      asOf?: string;
      after: string;
    }): Promise<SubscriptionDay[]> {
      return listSubscriptionDays(db.manager, { ...input, limit: PAGE });
    },

    /** How many payers a workspace has, or all workspaces have. */
    async countPayers({ workspaceId }: { workspaceId?: string }): Promise<number> {
      return countPayers(db.manager, workspaceId);
    },

    draftInvoices,
    openDrafts,

    /**
     * Invoices workspaces, one after another, for a minute or until the one that was begun is finished: writes all drafts of a
     * workspace, then opens them.
     */
    async invoiceWorkspaces(input: { days: SubscriptionDay[]; job: string }): Promise<InvoicedWorkspaces> {
      const until = Date.now() + WORKING_MS;
      const sum: InvoicedWorkspaces = { drafted: 0, opened: 0, failed: 0, left: [], finished: 0 };
      const everyPage = async (work: (after: string) => Promise<SubscriptionPage>): Promise<number> => {
        let done = 0;
        for (let after: string | null = ''; after !== null;) {
          const page: SubscriptionPage = await work(after);
          done += page.done;
          sum.failed += page.failed.length;
          if (sum.left.length < PAGE) sum.left.push(...page.failed);
          after = page.last;
        }
        return done;
      };
      for (const day of input.days) {
        sum.drafted += await everyPage((after) => draftInvoices({ ...day, after }));
        sum.opened += await everyPage((after) =>
          openDrafts({ workspaceId: day.workspaceId, after, job: input.job }),
        );
        sum.finished++;
        if (Date.now() > until) break;
      }
      return sum;
    },

    /** Enqueues the monthly statements of a page of payers (docs/rules/billing.md#monthly-statements). */
    async enqueueStatements(input: {
      workspaceId?: string;
      asOf?: string;
      after: string;
    }): Promise<SubscriptionPage> {
      const due = await listDueStatements(db.manager, { ...input, fromHour: FROM_HOUR, limit: PAGE });
      const days = new Map(due.map(({ payer, day }) => [payer, day]));
      let done = 0;
      const failed = await sweep([...days.keys()], 'a monthly statement', async (payer) => {
        heartbeat();
        const statement = { payer, day: days.get(payer)! };
        if (await transaction(db, (tx) => enqueueStatement(tx, statement))) done++;
      });
      return { done, failed, last: lastOf(due)?.payer ?? null };
    },
  };
}
