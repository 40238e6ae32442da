import {
  WithStartWorkflowOperation,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  type Client,
} from '@temporalio/client';
import type { DataSource } from 'typeorm';
import { findCheckout } from '../../db/queries/payments/checkout.js';
import { findInvoiceById } from '../../db/queries/invoices/invoice.js';
import {
  advanceCollection,
  endUnmadeCharge,
  recordPendingCharge,
  recordRefusedCharge,
  type CollectionAction,
} from '../../commands/invoices/collections.js';
import { outstandingMinor } from '../../domain/invoices/invoice-presenter.js';
import { transaction } from '../../db/transaction.js';
import { closeCheckoutUpdate } from '../../contract/payments/checkouts.js';
import { WORKFLOWS } from '../../contract/names.js';
import { starts } from '../../contract/starts.js';
import { createCharging } from '../payments/charging.js';
import { failures } from '../failures.js';
import type { ChargeResult, Processor } from '../gateways/processor.js';

/** The result of charging a card on file. `ended`: another run has handled the result. */
export type InvoiceCharge =
  | { kind: 'paid'; paymentIntentId: string }
  | { kind: 'refused'; code: string; paymentIntentId: string | null }
  | { kind: 'pending' }
  | { kind: 'ended' };

const toInvoiceCharge = (result: ChargeResult): InvoiceCharge => {
  if (result.kind === 'paid') return { kind: 'paid', paymentIntentId: result.money.payment_intent_id };
  if (result.kind === 'pending') return { kind: 'pending' };
  return { kind: 'refused', code: result.reason, paymentIntentId: result.payment_intent_id ?? null };
};

/** The collection of invoices (docs/rules/billing.md#collection). */
export function createCollectionActivities(deps: {
  db: DataSource;
  client: Client;
  taskQueue: string;
  processor: Processor;
}) {
  const { db, client } = deps;
  const chargeCard = createCharging(deps);

  return {
    /** Takes the steps of a collection that are due. Returns what its run does next. */
    async advanceCollection(invoiceId: string): Promise<CollectionAction> {
      return transaction(db, (tx) => advanceCollection(tx, invoiceId, new Date()));
    },

    /** Closes the hosted page of an invoice. A payment that was received in the meantime is settled first. */
    async closeOpenCheckout(checkoutId: string): Promise<void> {
      try {
        await client.workflow.executeUpdateWithStart(closeCheckoutUpdate, {
          startWorkflowOperation: new WithStartWorkflowOperation(
            WORKFLOWS.invoiceCheckout,
            starts(deps.taskQueue).invoiceCheckout(checkoutId),
          ),
        });
      } catch (error) {
        // The run has completed in the meantime.
        if (!(error instanceof WorkflowNotFoundError) && !(error instanceof WorkflowUpdateFailedError))
          throw error;
      }
    },

    /**
     * Charges the card on file, once per charge; a repeated call returns the current result. If the invoice
     * can no longer be paid, nothing is charged, and an existing charge is cancelled if possible. A charge
     * that was lost in a failover is also over: the next step of the collection stores it again with the same
     * ordinal, and therefore the same key.
     */
    async chargeInvoice(checkoutId: string): Promise<InvoiceCharge> {
      const checkout = await findCheckout(db.manager, checkoutId);
      if (!checkout || checkout.state === 'paid' || checkout.state === 'closed') return { kind: 'ended' };
      const { customer_id, payment_method_id } = checkout;
      if (!payment_method_id) throw failures.referenceMissing(`charge ${checkoutId}`);
      const invoice = (await findInvoiceById(db.manager, checkout.invoice_id!))!;
      const isDue = outstandingMinor(invoice) > 0;
      const card = { customer_id: customer_id!, payment_method_id };
      const charge = { checkout, purpose: checkout, since: invoice.created_at, isDue };
      const result = await chargeCard({ ...charge, findCard: () => Promise.resolve(card) });
      if (isDue || result.kind !== 'refused' || result.payment_intent_id) return toInvoiceCharge(result);
      await transaction(db, (tx) => endUnmadeCharge(tx, checkoutId, result.reason));
      return { kind: 'ended' };
    },

    /** Stores a declined charge. */
    async recordRefusedCharge(input: {
      checkoutId: string;
      code: string;
      paymentIntentId: string | null;
    }): Promise<void> {
      const { checkoutId, code, paymentIntentId } = input;
      await transaction(db, (tx) =>
        recordRefusedCharge(tx, checkoutId, { code, payment_intent_id: paymentIntentId }),
      );
    },

    /** Stores that a charge is pending. Returns when it is checked again, in ISO 8601. */
    async recordPendingCharge(checkoutId: string): Promise<string> {
      const until = await transaction(db, (tx) => recordPendingCharge(tx, checkoutId, new Date()));
      return until.toISOString();
    },
  };
}
