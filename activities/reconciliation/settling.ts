import { heartbeat, log } from '@temporalio/activity';
import type { Client } from '@temporalio/client';
import type { DataSource } from 'typeorm';
import { saveCharges, saveDisputes } from '../../commands/reconciliation/reconciliations.js';
import { report } from '../../commands/processor/events/checkouts.js';
import { followRefund, requestAdoption } from '../../commands/processor/events/refunds.js';
import type { Reconciliation } from '../../db/entities/reconciliation.js';
import {
  listComparedPayments,
  listUnknownCharges,
  type StoredPayment,
} from '../../db/queries/reconciliation/reconciliation.js';
import { listPaymentRefunds } from '../../db/queries/payments/refund.js';
import { findWorkspace } from '../../db/queries/workspaces/workspace.js';
import { isAccountUnusable } from '../failures.js';
import type { Processor } from '../gateways/processor.js';
import { existingReconciliation, toCompared } from './reconciliation.js';

/** How much of one kind a reconciliation looks up or settles. The rest is left to the next one. */
const LIMIT = 200;

export interface PaymentThere {
  accountId: string;
  paymentIntentId: string;
}

/** Settles what a reconciliation finds that belongs to us (docs/rules/billing.md#reconciliation). */
export function createReconciliationSettlingActivities(deps: {
  db: DataSource;
  client: Client;
  taskQueue: string;
  processor: Processor;
}) {
  const { db, processor, taskQueue } = deps;
  const events = { db, temporal: deps.client, taskQueue };

  const existing = (id: string): Promise<Reconciliation> => existingReconciliation(db, id);

  /** Stores the charge and the disputes of a payment with their current state. */
  async function readPayment(
    run: Reconciliation,
    { accountId, paymentIntentId }: PaymentThere,
  ): Promise<void> {
    const charge = await processor.findCharge(accountId, paymentIntentId);
    if (!charge) return;
    const disputes = await processor.listDisputes(accountId, paymentIntentId);
    await saveCharges(db.manager, run.id, [charge]);
    await saveDisputes(db.manager, run.id, disputes.map(toCompared));
  }

  /** Has the runs of a payment's refunds find unknown refunds, or check the status of known ones. */
  async function settleRefunds(run: Reconciliation, payment: StoredPayment): Promise<void> {
    if (payment.charge!.refunded_minor > payment.refunded_minor) {
      const about = { id: run.id, account: payment.account_id };
      await requestAdoption(events, about, payment.payment_intent_id);
      return;
    }
    for (const refund of await listPaymentRefunds(db.manager, payment.payment_id))
      if (refund.processor_refund_id && refund.status !== 'failed') await followRefund(events, refund);
  }

  return {
    /**
     * Stores a page of the charges that were refunded in the period. Returns the next cursor; null at the
     * end.
     */
    async readRefundedCharges(input: { id: string; after: string | null }): Promise<string | null> {
      const run = await existing(input.id);
      const workspace = await findWorkspace(db.manager, run.workspace_id);
      if (!workspace?.processor_account_id) return null;
      const period = { from: run.from_at, to: run.to_at, after: input.after };
      const { charges, last } = await processor.listRefundedCharges(workspace.processor_account_id, period);
      const byId = new Map(charges.map((charge) => [charge.charge_id, charge]));
      await saveCharges(db.manager, run.id, [...byId.values()]);
      return last;
    },

    /**
     * Stores the charges and disputes of these payments; by default of those that are compared and whose
     * charge was made, or was disputed, before the period.
     */
    async readPayments(input: { id: string; payments?: PaymentThere[] }): Promise<void> {
      const run = await existing(input.id);
      const payments =
        input.payments ?? (await listComparedPayments(db.manager, run)).filter(isIncomplete).map(toThere);
      for (const payment of payments.slice(0, LIMIT)) {
        heartbeat();
        await readPayment(run, payment).catch((error) => {
          if (!isAccountUnusable(error)) throw error;
        });
      }
    },

    /**
     * Reports payments that the ledger lacks, and refunds that it lacks or that failed, as a webhook would.
     * Returns what was reported: their runs settle it.
     */
    async settleDifferences(id: string): Promise<PaymentThere[]> {
      const run = await existing(id);
      const workspace = await findWorkspace(db.manager, run.workspace_id);
      const account = workspace?.processor_account_id;
      if (!account) return [];
      const reported: PaymentThere[] = [];
      const unknown = (await listUnknownCharges(db.manager, run)).slice(0, LIMIT);
      for (const { payment_intent_id: intent } of unknown) {
        heartbeat();
        const charge = intent && (await processor.findCharge(account, intent));
        if (!charge) continue;
        await report(events, { account }, 'pull', charge.metadata, intent).catch(leave);
        reported.push({ accountId: account, paymentIntentId: intent });
      }
      const payments = (await listComparedPayments(db.manager, run)).filter(hasOtherRefunds);
      for (const payment of payments.slice(0, LIMIT)) {
        heartbeat();
        await settleRefunds(run, payment);
        reported.push(toThere(payment));
      }
      return reported;
    },
  };
}

const leave = (error: unknown): void =>
  log.warn('a payment of the processor could not be settled', { reason: String(error) });

const toThere = ({ account_id, payment_intent_id }: StoredPayment): PaymentThere => ({
  accountId: account_id,
  paymentIntentId: payment_intent_id,
});

const isIncomplete = ({ charge, disputed_minor }: StoredPayment): boolean =>
  !charge || charge.disputed_minor !== disputed_minor;

const hasOtherRefunds = ({ charge, refunded_minor }: StoredPayment): boolean =>
  charge !== null && charge.refunded_minor !== refunded_minor;
