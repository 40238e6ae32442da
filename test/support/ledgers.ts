import type Stripe from 'stripe';
import type { ledger as accountingLedger } from '../../dev/accounting/controls/ledger.js';
import type { ledger as processorLedger } from '../../dev/processor/controls/ledger.js';

type Stored<T> = T & { account: string | null; idempotency_key: string | null };
type Charge = Omit<Stripe.Charge, 'payment_intent' | 'customer' | 'payment_method'> & {
  payment_intent: string;
  customer: string | null;
  payment_method: string;
};
type Refund = Omit<Stripe.Refund, 'payment_intent' | 'charge'> & { payment_intent: string; charge: string };

/** The state of the processor simulator, with objects in Stripe's shape, which refer to each other by id. */
export interface ProcessorLedger extends Omit<ReturnType<typeof processorLedger>, keyof Objects>, Objects {}
interface Objects {
  sessions: Stored<Stripe.Checkout.Session>[];
  payment_intents: Stored<Stripe.PaymentIntent & { latest_charge: string }>[];
  charges: Stored<Charge>[];
  refunds: Stored<Refund>[];
  disputes: Stored<Stripe.Dispute>[];
  customers: Stored<Stripe.Customer>[];
  subscriptions: Stored<Stripe.Subscription>[];
}

export type AccountingLedger = ReturnType<typeof accountingLedger>;
/** An invoice or a credit note. */
export type AccountingDocument = AccountingLedger['invoices'][number] &
  AccountingLedger['credit_notes'][number];
