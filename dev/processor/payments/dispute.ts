import type Stripe from 'stripe';
import { emit } from '../events.js';
import { invalidRequest } from '../http/errors.js';
import { unixNow, type Simulator } from '../simulator.js';
import { newId } from '../state/ids.js';
import type { Stored } from '../state/records.js';
import { patchCharge } from './charge.js';

const DAYS_TO_RESPOND = 7;

/** Opens a dispute. */
export function openDispute(
  sim: Simulator,
  { object: charge, account }: Stored<Stripe.Charge>,
  { amount, reason }: { amount?: number; reason?: string },
): Stripe.Dispute {
  if (charge.status !== 'succeeded')
    throw invalidRequest('Only a charge that has succeeded can be disputed.');
  if (charge.disputed) throw invalidRequest('This charge has been disputed before.');
  const object = {
    id: newId('dp'),
    object: 'dispute',
    amount: amount ?? charge.amount,
    balance_transactions: [],
    charge: charge.id,
    created: unixNow(),
    currency: charge.currency,
    enhanced_eligibility_types: [],
    evidence: {},
    evidence_details: {
      due_by: unixNow() + DAYS_TO_RESPOND * 24 * 60 * 60,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
    },
    is_charge_refundable: false,
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    payment_method_details: {
      card: { brand: 'visa', case_type: 'chargeback', network_reason_code: '83' },
      type: 'card',
    },
    reason: reason ?? 'fraudulent',
    status: 'needs_response',
  } as unknown as Stripe.Dispute;
  sim.store.disputes.set(object.id, { object, account, idempotency_key: null });
  patchCharge(sim, charge.id, account, { disputed: true });
  emit(sim.store, 'charge.dispute.created', object, { account });
  return object;
}

/** Closes a dispute. */
export function closeDispute(
  sim: Simulator,
  charge: Stripe.Charge,
  status: 'won' | 'lost' | 'warning_closed',
) {
  const stored = [...sim.store.disputes.values()].find(
    ({ object }) => object.charge === charge.id && !['won', 'lost', 'warning_closed'].includes(object.status),
  );
  if (!stored) throw invalidRequest('This charge has no dispute that is open.');
  const closed = sim.store.patch(sim.store.disputes, stored, { status });
  emit(sim.store, 'charge.dispute.closed', closed.object, { account: closed.account });
  return closed.object;
}
