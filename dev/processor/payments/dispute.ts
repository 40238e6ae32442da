import type Stripe from 'stripe';
import { emit } from '../events.js';
import { invalidRequest } from '../http/errors.js';
import { unixNow, type Simulator } from '../simulator.js';
import { newId } from '../state/ids.js';
import type { Stored } from '../state/records.js';
import { createBalanceTransaction } from './balance.js';
import { patchCharge } from './charge.js';

const DAYS_TO_RESPOND = 7;

/** The meaning of a status. An inquiry leaves the money where it is. */
interface Meaning {
  /** For this status Stripe documents `charge.dispute.closed`. */
  closed?: true;
  /** The bank has the money. */
  withdrawn?: true;
  refundable?: true;
}

const MEANINGS = {
  warning_needs_response: { refundable: true },
  warning_under_review: { refundable: true },
  warning_closed: { closed: true, refundable: true },
  needs_response: { withdrawn: true },
  under_review: { withdrawn: true },
  appeal_needs_response: { withdrawn: true },
  appeal_under_review: { withdrawn: true },
  won: { closed: true, refundable: true },
  lost: { closed: true, withdrawn: true },
  prevented: {},
} satisfies Record<string, Meaning>;
export type DisputeStatus = keyof typeof MEANINGS;
export const DISPUTE_STATUSES = Object.keys(MEANINGS) as DisputeStatus[];

const statusMeaning = (status: string): Meaning => MEANINGS[status as DisputeStatus];

export type StoredDispute = Stored<Stripe.Dispute>;

/** Whether the bank has the money of a dispute, if that differs from what its status implies. */
export type Funds = 'withdrawn' | 'reinstated';

/** What the account has done about evidence. */
export type Evidence = 'staged' | 'submitted' | 'late';

/** Opens a dispute in any status. A charge can have several. */
export function openDispute(
  sim: Simulator,
  { object: charge, account }: Stored<Stripe.Charge>,
  {
    amount,
    reason,
    status,
    funds,
  }: { amount?: number; reason?: string; status: DisputeStatus; funds?: Funds },
): Stripe.Dispute {
  if (charge.status !== 'succeeded')
    throw invalidRequest('Only a charge that has succeeded can be disputed.');
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
      due_by: dueBy(status),
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
    },
    is_charge_refundable: statusMeaning(status).refundable ?? false,
    livemode: false,
    metadata: {},
    payment_intent: charge.payment_intent,
    payment_method_details: {
      card: { brand: 'visa', case_type: caseType(status), network_reason_code: '83' },
      type: 'card',
    },
    reason: reason ?? 'fraudulent',
    status,
  } as unknown as Stripe.Dispute;
  const stored = sim.store.add(sim.store.disputes, object, { account });
  patchCharge(sim, charge.id, account, { disputed: true });
  emit(sim.store, 'charge.dispute.created', object, { account });
  return moveFunds(sim, stored, funds).object;
}

const dueBy = (status: DisputeStatus): number | null =>
  status.endsWith('needs_response') ? unixNow() + DAYS_TO_RESPOND * 24 * 60 * 60 : null;

const caseType = (status: DisputeStatus): string =>
  status.startsWith('warning_') ? 'inquiry' : 'chargeback';

/** Moves a dispute to any status, with the events that belong to the move. */
export function moveDispute(
  sim: Simulator,
  stored: StoredDispute,
  status: DisputeStatus,
  funds?: Funds,
  evidence?: Evidence,
): Stripe.Dispute {
  const { status: before, evidence_details, payment_method_details } = stored.object;
  const closes = statusMeaning(status).closed && !statusMeaning(before).closed;
  const moved = sim.store.patch(sim.store.disputes, stored, {
    status,
    is_charge_refundable: statusMeaning(status).refundable ?? false,
    evidence_details: {
      ...evidence_details,
      ...(evidence && {
        has_evidence: true,
        submission_count: evidence === 'staged' ? 0 : 1,
        past_due: evidence === 'late',
      }),
      due_by: dueBy(status),
    },
    payment_method_details: {
      ...payment_method_details,
      card: { ...payment_method_details?.card, case_type: caseType(status) },
    } as Stripe.Dispute['payment_method_details'],
  });
  const type = closes ? 'charge.dispute.closed' : 'charge.dispute.updated';
  emit(sim.store, type, moved.object, { account: moved.account }, { status: before });
  return moveFunds(sim, moved, funds).object;
}

/** The charge's open dispute, if there is one. */
export function findOpenDispute({ store }: Simulator, chargeId: string): StoredDispute | undefined {
  return store.disputes
    .newestFirst()
    .find(
      ({ object }) =>
        object.charge === chargeId && !statusMeaning(object.status).closed && object.status !== 'prevented',
    );
}

/** True while Stripe refuses to refund a charge because of a dispute. */
export function isChargedBack({ store }: Simulator, chargeId: string): boolean {
  return [...store.disputes.values()].some(
    ({ object }) => object.charge === chargeId && !object.is_charge_refundable,
  );
}

/** Withdraws or reinstates the amount, if the status or the caller says so. */
function moveFunds(sim: Simulator, stored: StoredDispute, funds: Funds | undefined): StoredDispute {
  const { id, amount, currency, balance_transactions, status } = stored.object;
  const atBank = balance_transactions.reduce((sum, entry) => sum + entry.amount, 0) < 0;
  const wanted = funds ? funds === 'withdrawn' : (statusMeaning(status).withdrawn ?? false);
  if (wanted === atBank) return stored;
  const { account } = stored;
  const type = wanted ? 'dispute' : 'dispute_reversal';
  const entry = createBalanceTransaction(sim, account, type, id, amount, currency);
  const moved = sim.store.patch(sim.store.disputes, stored, {
    balance_transactions: [...balance_transactions, entry],
  });
  emit(sim.store, `charge.dispute.funds_${wanted ? 'withdrawn' : 'reinstated'}`, moved.object, { account });
  return moved;
}
