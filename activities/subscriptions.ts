import { heartbeat } from '@temporalio/activity';
import type { DataSource } from 'typeorm';
import { draftPeriod, finishDraft } from '../db/repositories/billing/subscription-invoices.js';
import {
  type SubscriptionDay,
  countPayers,
  listDrafts,
  listDuePayers,
  listSubscriptionDays,
} from '../db/repositories/billing/subscription-queries.js';
import { transaction } from '../db/transaction.js';

const PAGE = 200;

/** Subscription invoices (docs/rules/billing.md#subscription-invoices). Each payer's month is its own transaction. */
export function createSubscriptionActivities({ db }: { db: DataSource }) {
  return {
    /** The workspaces with something to invoice, each with its day, and the total number of payers. */
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
     * Writes draft invoices for a page of due payers, one per month, including months that were missed. Returns how many
     * payers got a draft, and the last payer's id; null at the end.
     */
    async draftInvoices(
      input: SubscriptionDay & { after: string },
    ): Promise<{ begun: number; last: string | null }> {
      const { workspaceId, day } = input;
      const payers = await listDuePayers(db.manager, input, input.after, PAGE);
      let begun = 0;
      for (const payer of payers) {
        heartbeat();
        for (let first = true; ;) {
          const result = await transaction(db, (tx) => draftPeriod(tx, workspaceId, payer, day));
          if (result === 'nothing_due') break;
          if (result !== 'nothing_to_pay' && first) {
            begun++;
            first = false;
          }
        }
      }
      return { begun, last: payers.at(-1) ?? null };
    },

    /** Opens a page of a workspace's drafts. Returns the opened invoices' ids, and whether there may be more drafts. */
    async openDrafts(workspaceId: string): Promise<{ opened: string[]; more: boolean }> {
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
