import type { DisputeEvidence } from './dispute-words.js';
import type { ConfirmationSource, DisputeStatus, PaymentStatus } from '../states.js';
import { iso } from '../iso.js';
import { toPaymentMethod } from './methods.js';

export const PAYMENT_KINDS = ['charge', 'top_up', 'manual', 'refund'] as const;
export type PaymentKind = (typeof PAYMENT_KINDS)[number];

export const REFUND_ORIGINS = ['service', 'processor'] as const;
/** Who made a refund: the service, or somebody at the processor. */
export type RefundOrigin = (typeof REFUND_ORIGINS)[number];

/** A refund as listed on its payment. Amounts in minor units. */
export interface RefundFacts {
  id: string;
  amount_minor: number;
  status: PaymentStatus;
  reason: string | null;
  created_at: Date | string;
}

/** A dispute as listed on its payment. Amounts in minor units. */
export interface DisputeFacts {
  id: string;
  status: DisputeStatus;
  amount_minor: number;
  reason: string | null;
  evidence: DisputeEvidence | null;
  due_by: Date | string | null;
  created_at: Date | string;
}

/** The input of `presentPayment`: the row, its refunds and its disputes. */
export interface PaymentFacts {
  id: string;
  invoice_id: string | null;
  booking_id: string | null;
  kind: PaymentKind;
  status: PaymentStatus;
  amount_minor: number;
  refunded_minor: number;
  currency: string;
  /** What a person recorded, or the processor's type. */
  method: string;
  /** Null for a payment that was not made through the processor. */
  account_id: string | null;
  reference: string | null;
  processor_payment_intent_id: string | null;
  refund_of: string | null;
  origin: RefundOrigin | null;
  reason: string | null;
  source: ConfirmationSource | null;
  paid_at: Date | null;
  settled_at: Date | null;
  created_at: Date;
  refunds: RefundFacts[];
  disputed_minor: number;
  disputes: DisputeFacts[];
}

/**
 * A payment as the API returns it and events contain it (docs/rules/billing.md#payments). Amounts in minor
 * units.
 */
export function presentPayment(payment: PaymentFacts) {
  return {
    id: payment.id,
    invoice_id: payment.invoice_id,
    booking_id: payment.booking_id,
    kind: payment.kind,
    status: payment.status,
    amount_minor: payment.amount_minor,
    currency: payment.currency,
    method: toPaymentMethod(payment.method),
    processor_method: payment.account_id === null ? null : payment.method,
    reference: payment.reference,
    processor_payment_intent_id: payment.processor_payment_intent_id,
    refunded_minor: payment.refunded_minor,
    refunds: payment.refunds.map(({ id, amount_minor, status, reason, created_at }) => ({
      id,
      amount_minor,
      status,
      reason,
      created_at: new Date(created_at).toISOString(),
    })),
    disputed_minor: payment.disputed_minor,
    disputes: payment.disputes.map(({ id, status, amount_minor, reason, evidence, due_by, created_at }) => ({
      id,
      status,
      amount_minor,
      reason,
      evidence,
      due_by: due_by && new Date(due_by).toISOString(),
      created_at: new Date(created_at).toISOString(),
    })),
    refund_of: payment.refund_of,
    origin: payment.origin,
    reason: payment.reason,
    source: payment.source,
    paid_at: iso(payment.paid_at),
    settled_at: iso(payment.settled_at),
    created_at: payment.created_at.toISOString(),
  };
}

export type PresentedPayment = ReturnType<typeof presentPayment>;
