import type Stripe from 'stripe';
import { unixNow, type Simulator } from '../simulator.js';
import { newId } from '../state/ids.js';

/** The processor's fee: 1.5 % plus 20 minor units of each charge. It is not refunded. */
function processorFee(amount: number): number {
  return Math.round(amount * 0.015) + 20;
}

type BalanceType = 'charge' | 'refund' | 'refund_failure' | 'dispute' | 'dispute_reversal';

/** Creates the balance transaction of a charge, refund or dispute. */
export function createBalanceTransaction(
  { store }: Simulator,
  account: string | null,
  type: BalanceType,
  source: string,
  amount: number,
  currency: string,
): Stripe.BalanceTransaction {
  const fee = type === 'charge' ? processorFee(amount) : 0;
  const signed = type === 'refund' || type === 'dispute' ? -amount : amount;
  const details = {
    amount: fee,
    application: null,
    currency,
    description: 'Processing fees',
    type: 'stripe_fee',
  };
  const object: Stripe.BalanceTransaction = {
    id: newId('txn'),
    object: 'balance_transaction',
    amount: signed,
    available_on: unixNow() + (type === 'charge' ? 2 * 24 * 60 * 60 : 0),
    balance_type: 'payments',
    created: unixNow(),
    currency,
    description: null,
    exchange_rate: null,
    fee,
    fee_details: fee ? [details] : [],
    net: signed - fee,
    reporting_category: type,
    source,
    status: type === 'charge' ? 'pending' : 'available',
    type: type.startsWith('dispute') ? 'adjustment' : (type as Stripe.BalanceTransaction.Type),
  };
  return store.add(store.balance_transactions, object, { account }, { payout: null }).object;
}

/** Creates the balance transaction of a payout, or of the return of its money. */
export function createPayoutTransaction(
  { store }: Simulator,
  account: string,
  type: 'payout' | 'payout_cancel' | 'payout_failure',
  { id, amount, currency }: Stripe.Payout,
): Stripe.BalanceTransaction {
  const signed = type === 'payout' ? -amount : amount;
  const object: Stripe.BalanceTransaction = {
    id: newId('txn'),
    object: 'balance_transaction',
    amount: signed,
    available_on: unixNow(),
    balance_type: 'payments',
    created: unixNow(),
    currency,
    description: type === 'payout' ? 'STRIPE PAYOUT' : null,
    exchange_rate: null,
    fee: 0,
    fee_details: [],
    net: signed,
    reporting_category: type === 'payout' ? 'payout' : 'payout_reversal',
    source: id,
    status: 'available',
    type,
  };
  const payout = type === 'payout' ? id : null;
  return store.add(store.balance_transactions, object, { account }, { payout }).object;
}
