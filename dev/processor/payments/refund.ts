import type Stripe from 'stripe';
import { emit } from '../events.js';
import { invalidRequest } from '../http/errors.js';
import { formatAmount } from '../currencies.js';
import { refundMode, unixNow, type Simulator } from '../simulator.js';
import { newId } from '../state/ids.js';
import type { StoredRefund, Origin } from '../state/records.js';
import { createBalanceTransaction } from './balance.js';
import { patchCharge } from './charge.js';
import { isChargedBack } from './dispute.js';

/** With `fail_later` and `no_balance`: how long a refund is pending. */
const FAILS_AFTER_MS = 1000;

interface NewRefund {
  charge: Stripe.Charge;
  amount?: number;
  reason?: 'duplicate' | 'fraudulent' | 'requested_by_customer';
  metadata?: Record<string, string>;
}

/**
 * Refunds a charge. As with Stripe, a pending refund counts as refunded on the charge, and `charge.refunded`
 * is sent when it is created. Only the refund's own status shows whether it succeeded.
 */
export function createRefund(
  sim: Simulator,
  { charge, amount, reason, metadata }: NewRefund,
  origin: Origin,
): StoredRefund {
  const wanted = checkedAmount(sim, charge, amount);
  const { account } = origin;
  const mode = refundMode(sim, account);
  const pending_reason = ['no_balance', 'held'].includes(mode) ? 'insufficient_funds' : 'processing';
  const id = newId('re');
  const succeeds = mode === 'succeed';
  const balance = succeeds
    ? createBalanceTransaction(sim, account, 'refund', id, wanted, charge.currency)
    : null;
  const object: Stripe.Refund = {
    id,
    object: 'refund',
    amount: wanted,
    balance_transaction: balance?.id ?? null,
    charge: charge.id,
    created: unixNow(),
    currency: charge.currency,
    customer: charge.customer,
    customer_account: null,
    destination_details: {
      card: { reference_status: 'pending', reference_type: 'acquirer_reference_number', type: 'refund' },
      type: 'card',
    },
    metadata: metadata ?? {},
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    ...(!succeeds && { pending_reason }),
    reason: reason ?? null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: succeeds ? 'succeeded' : 'pending',
    transfer_reversal: null,
  };
  const fails_at = mode === 'fail_later' || mode === 'no_balance' ? Date.now() + FAILS_AFTER_MS : null;
  const stored = sim.store.add(sim.store.refunds, object, origin, { fails_at });
  emit(sim.store, 'refund.created', object, origin);
  const previous = { amount_refunded: charge.amount_refunded, refunded: charge.refunded };
  const refunded = setRefunded(sim, charge, account, charge.amount_refunded + wanted);
  emit(sim.store, 'charge.refunded', refunded, origin, previous);
  failInTime(sim, stored);
  return stored;
}

/** Ends a pending refund, or fails one that had succeeded. */
export function settleRefund(
  sim: Simulator,
  stored: StoredRefund,
  status: 'succeeded' | 'failed' | 'canceled' | 'requires_action',
): StoredRefund {
  const { store } = sim;
  const { id, amount, currency, charge, status: before } = stored.object;
  const possible =
    before === 'succeeded' ? ['failed'] : ['succeeded', 'failed', 'canceled', 'requires_action'];
  if (before === 'failed' || before === 'canceled' || !possible.includes(status)) {
    throw invalidRequest(`A refund that is ${before} cannot become ${status}.`);
  }
  const origin = { account: stored.account };
  const failed = status === 'failed' || status === 'canceled';
  const booked =
    status === 'requires_action'
      ? null
      : before === 'succeeded'
        ? 'refund_failure'
        : failed
          ? null
          : 'refund';
  const balance = booked && createBalanceTransaction(sim, stored.account, booked, id, amount, currency);
  const { pending_reason, ...rest } = stored.object;
  const settled: StoredRefund = {
    ...stored,
    fails_at: null,
    object: {
      ...rest,
      status,
      ...(status === 'requires_action' && { pending_reason }),
      ...(booked === 'refund' && balance && { balance_transaction: balance.id }),
      ...(status === 'failed' && { failure_reason: failureReason(pending_reason) }),
      ...(booked === 'refund_failure' && balance && { failure_balance_transaction: balance.id }),
    },
  };
  store.refunds.set(id, settled);
  if (failed) {
    const { object } = store.require(store.charges, String(charge), stored.account, 'charge');
    setRefunded(sim, object, stored.account, object.amount_refunded - amount);
  }
  emit(store, 'refund.updated', settled.object, origin, { status: before });
  if (status === 'failed') emit(store, 'refund.failed', settled.object, origin);
  return settled;
}

/** Why a refund fails: it never got the balance it waited for, or the card no longer exists. */
const failureReason = (pendingReason: string | undefined): string =>
  pendingReason === 'insufficient_funds' ? 'insufficient_funds' : 'expired_or_canceled_card';

/** Schedules the failure of a refund. */
export function failInTime(sim: Simulator, { object, fails_at }: StoredRefund): void {
  if (fails_at === null) return;
  sim.timers.at(fails_at, () => {
    const stored = sim.store.refunds.get(object.id);
    if (!stored?.fails_at) return;
    sim.store.transaction(() => settleRefund(sim, stored, 'failed'));
  });
}

function checkedAmount(sim: Simulator, charge: Stripe.Charge, wanted: number | undefined): number {
  if (charge.status !== 'succeeded') {
    throw invalidRequest(`Charge ${charge.id} has not succeeded and cannot be refunded.`, 'charge');
  }
  if (isChargedBack(sim, charge.id)) {
    const message = `Charge ${charge.id} has been charged back; cannot issue a refund.`;
    throw invalidRequest(message, { code: 'charge_disputed' });
  }
  const left = charge.amount - charge.amount_refunded;
  if (left === 0) {
    const message = `Charge ${charge.id} has already been refunded.`;
    throw invalidRequest(message, { code: 'charge_already_refunded' });
  }
  const amount = wanted ?? left;
  if (amount <= left) return amount;
  throw invalidRequest(
    `Refund amount (${formatAmount(amount, charge.currency)}) is greater than unrefunded ` +
      `amount on charge (${formatAmount(left, charge.currency)})`,
    'amount',
  );
}

function setRefunded(
  sim: Simulator,
  charge: Stripe.Charge,
  account: string | null,
  amount: number,
): Stripe.Charge {
  return patchCharge(sim, charge.id, account, { amount_refunded: amount, refunded: amount === charge.amount })
    .object;
}
