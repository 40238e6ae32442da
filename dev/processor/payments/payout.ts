import type Stripe from 'stripe';
import { emit } from '../events.js';
import { invalidRequest } from '../http/errors.js';
import { unixNow, type Simulator } from '../simulator.js';
import { newId } from '../state/ids.js';
import type { Origin, Stored, StoredBalanceTransaction } from '../state/records.js';
import { createPayoutTransaction } from './balance.js';

/** A payout arrives at the bank this many days after it was created. */
const DAYS_UNTIL_ARRIVAL = 2;
const DAY_SECONDS = 24 * 60 * 60;

export type StoredPayout = Stored<Stripe.Payout>;

/** Transactions of an account in a currency that no payout contains yet. */
const unpaid = ({ store }: Simulator, account: string, currency: string): StoredBalanceTransaction[] =>
  [...store.balance_transactions.values()].filter(
    (stored) =>
      stored.account === account &&
      stored.object.currency === currency &&
      stored.object.type !== 'payout' &&
      stored.payout === null,
  );

function buildPayout(
  account: string,
  { amount, currency, automatic }: { amount: number; currency: string; automatic: boolean },
): Stripe.Payout {
  return {
    id: newId('po'),
    object: 'payout',
    amount,
    application_fee: null,
    application_fee_amount: null,
    arrival_date: Math.ceil(unixNow() / DAY_SECONDS) * DAY_SECONDS + DAYS_UNTIL_ARRIVAL * DAY_SECONDS,
    automatic,
    balance_transaction: null,
    created: unixNow(),
    currency,
    description: automatic ? 'STRIPE PAYOUT' : null,
    destination: `ba_${account.slice(5)}`,
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    livemode: false,
    metadata: {},
    method: 'standard',
    original_payout: null,
    payout_method: null,
    // The transactions of a manual payout are not known.
    reconciliation_status: automatic ? 'in_progress' : 'not_applicable',
    reversed_by: null,
    source_type: 'card',
    statement_descriptor: null,
    status: 'pending',
    trace_id: null,
    type: 'bank_account',
  } as unknown as Stripe.Payout;
}

function addPayout(
  sim: Simulator,
  payout: Stripe.Payout,
  origin: Origin & { account: string },
): StoredPayout {
  const entry = createPayoutTransaction(sim, origin.account, 'payout', payout);
  const stored = sim.store.add(sim.store.payouts, { ...payout, balance_transaction: entry.id }, origin);
  emit(sim.store, 'payout.created', stored.object, origin);
  return stored;
}

/**
 * Pays out everything of an account in a currency, as the account's schedule does: charges are then
 * available, whatever their day. The transactions of the payout are known, so it is reconciled at once.
 */
export function payOut(sim: Simulator, account: string, currency: string): StoredPayout {
  const { store } = sim;
  const entries = unpaid(sim, account, currency);
  const amount = entries.reduce((sum, { object }) => sum + object.net, 0);
  if (amount === 0) throw invalidRequest(`The account has no ${currency} to pay out.`);
  const payout = addPayout(sim, buildPayout(account, { amount, currency, automatic: true }), { account });
  for (const entry of entries)
    store.balance_transactions.set(entry.object.id, {
      ...entry,
      payout: payout.object.id,
      object: { ...entry.object, status: 'available' },
    });
  const reconciled = store.patch(store.payouts, payout, { reconciliation_status: 'completed' });
  emit(store, 'payout.reconciliation_completed', reconciled.object, { account });
  return reconciled;
}

/** Creates a manual payout. Stripe does not say which transactions are in it. */
export function createPayout(
  sim: Simulator,
  { amount, currency }: { amount: number; currency: string },
  origin: Origin,
): StoredPayout {
  const { account } = origin;
  if (!account) throw invalidRequest('The simulator has payouts of connected accounts only.');
  return addPayout(sim, buildPayout(account, { amount, currency, automatic: false }), { ...origin, account });
}

/** The statuses that a payout can get from each status. A paid payout can still be returned by the bank. */
const NEXT: Record<string, string[]> = {
  pending: ['in_transit', 'paid', 'failed', 'canceled'],
  in_transit: ['paid', 'failed'],
  paid: ['failed'],
};
export type PayoutStatus = 'in_transit' | 'paid' | 'failed' | 'canceled';

/** Moves a payout on. The money of one that failed or was cancelled is back in the balance. */
export function movePayout(sim: Simulator, stored: StoredPayout, status: PayoutStatus): StoredPayout {
  const { store } = sim;
  const { status: before } = stored.object;
  if (!NEXT[before]?.includes(status))
    throw invalidRequest(`A payout that is ${before} cannot become ${status}.`);
  const account = stored.account!;
  const returned =
    status === 'failed' || status === 'canceled'
      ? createPayoutTransaction(
          sim,
          account,
          status === 'failed' ? 'payout_failure' : 'payout_cancel',
          stored.object,
        )
      : null;
  const moved = store.patch(store.payouts, stored, {
    status,
    ...(returned && { failure_balance_transaction: returned.id }),
    ...(status === 'failed' && {
      failure_code: 'account_closed',
      failure_message: 'The bank account has been closed.',
    }),
  });
  const type = { in_transit: 'payout.updated', canceled: 'payout.canceled' }[status as string];
  emit(store, type ?? `payout.${status}`, moved.object, { account }, { status: before });
  return moved;
}
