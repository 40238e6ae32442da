import { heartbeat } from '@temporalio/activity';
import type { DataSource } from 'typeorm';
import { draftPeriod, finishDraft } from '../db/repositories/billing/subscription-invoices.js';
import {
  countPayers,
  listDrafts,
  listDuePayers,
  listSubscriptionDays,
  type SubscriptionDay,
} from '../db/repositories/billing/subscription-queries.js';
import { transaction } from '../db/transaction.js';

const PAGE = 200;

/** Subscription invoices (decisions.md, "Subscription invoices"); each payer's month is a transaction of its own. */
export function createSubscriptionActivities({ db }: { db: DataSource }) {
  return {
    /** The workspaces with something to invoice, each with its day, and how many payers there are in all. */
    async listSubscriptionDays(input: {
      workspaceId?: string;
      asOf?: string;
    }): Promise<{ days: SubscriptionDay[]; payers: number }> {
      return {
        days: await listSubscriptionDays(db.manager, input),
        payers: await countPayers(db.manager, input.workspaceId),
      };
    },

    /**
     * Begins the months of a page of payers that are due: drafts. One that has missed some has all of them made up
     * for. Returns how many payers have a draft, and the last one's id, null behind the last page.
     */
    async beginPeriods(
      input: SubscriptionDay & { after: string },
    ): Promise<{ begun: number; last: string | null }> {
      const { workspaceId, day } = input;
      const payers = await listDuePayers(db.manager, input, input.after, PAGE);
      let begun = 0;
      for (const payer of payers) {
        heartbeat();
        for (let first = true; ;) {
          const made = await transaction(db, (tx) => draftPeriod(tx, workspaceId, payer, day));
          if (made === 'nothing_due') break;
          if (made !== 'nothing_to_pay' && first) {
            begun++;
            first = false;
          }
        }
      }
      return { begun, last: payers.at(-1) ?? null };
    },

    /** Finishes a page of a workspace's drafts. Returns those that are open now, and whether there may be more. */
    async finishDrafts(workspaceId: string): Promise<{ opened: string[]; more: boolean }> {
      const drafts = await listDrafts(db.manager, workspaceId, PAGE);
      const opened: string[] = [];
      for (const id of drafts) {
        heartbeat();
        if (await transaction(db, (tx) => finishDraft(tx, id))) opened.push(id);
      }
      return { opened, more: drafts.length === PAGE };
    },
  };
}
