import type Stripe from 'stripe';
import type { ReportedDispute } from '../../commands/payments/disputes.js';
import type { DisputeEvidence } from '../../domain/payments/dispute-words.js';
import { fromProcessorAmount } from '../../domain/processor/amounts.js';
import type { DisputeStatus } from '../../domain/states.js';
import { referenceId } from './stripe-objects.js';

/**
 * Maps Stripe's statuses to ours. Any other status in a bank's procedure, such as an appeal, counts as open.
 * The movements show where the money is.
 */
const STATUS: Record<string, DisputeStatus> = {
  warning_needs_response: 'inquiry',
  warning_under_review: 'inquiry',
  warning_closed: 'won',
  won: 'won',
  lost: 'lost',
  prevented: 'prevented',
};

function toEvidence(details: Stripe.Dispute.EvidenceDetails | undefined): DisputeEvidence {
  if (!details || (details.submission_count === 0 && !details.has_evidence)) return 'none';
  if (details.submission_count === 0) return 'staged';
  return details.past_due ? 'late' : 'submitted';
}

/**
 * Converts a dispute to the form in which the ledger stores it; null for a dispute of a charge without a
 * payment intent.
 */
export function toDispute(dispute: Stripe.Dispute): ReportedDispute | null {
  const { id, status, amount, currency, evidence_details, created, balance_transactions } = dispute;
  const payment_intent_id = referenceId(dispute.payment_intent);
  if (!payment_intent_id) return null;
  const amount_minor = fromProcessorAmount(amount, currency);
  const dueBy = evidence_details?.due_by;
  return {
    id,
    payment_intent_id,
    status: STATUS[status] ?? 'open',
    amount_minor,
    reason: dispute.reason,
    evidence: toEvidence(evidence_details),
    due_by: dueBy ? new Date(dueBy * 1000) : null,
    created_at: new Date(created * 1000),
    movements: balance_transactions
      .filter((entry) => entry.amount !== 0)
      .map((entry) => ({
        id: entry.id,
        // In the account's settlement currency, which can be another one, so only its sign is used.
        amount_minor:
          entry.currency === currency
            ? fromProcessorAmount(entry.amount, currency)
            : Math.sign(entry.amount) * amount_minor,
        created_at: new Date(entry.created * 1000),
      })),
  };
}
