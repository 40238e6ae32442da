import joi from 'joi';
import { isId } from '../../../db/ids.js';
import { REFUND_REASONS, type RefundReason } from '../../../commands/billing/refunds.js';
import { PAYMENT_KINDS, type PaymentKind } from '../../../domain/presenters/payment.js';
import { PAYMENT_STATUSES, type PaymentStatus } from '../../../domain/states.js';
import { pageFields, type PageQuery } from '../../http/cursor.js';
import { text, rangeEnd, timestamp } from '../../http/fields.js';

/** Query of `GET /v1/payments`. */
export const listSchema = joi.object({
  from: timestamp.description('Returns only payments created at or after this time.'),
  to: rangeEnd.description('Returns only payments created before this time.'),
  invoice_id: text(64).description('Returns only payments of this invoice.'),
  booking_id: text(64).description('Returns only payments of this booking.'),
  status: joi
    .string()
    .valid(...PAYMENT_STATUSES)
    .description('Returns only payments with this status.'),
  kind: joi
    .string()
    .valid(...PAYMENT_KINDS)
    .description('Returns only payments of this kind.'),
  ...pageFields,
});

export interface ListQuery extends PageQuery {
  from?: Date;
  to?: Date;
  invoice_id?: string;
  booking_id?: string;
  status?: PaymentStatus;
  kind?: PaymentKind;
}

/** Body of `POST /v1/payments/{id}/refund`; every field is optional. */
export const refundSchema = joi
  .object({
    amount_minor: joi
      .number()
      .integer()
      .min(1)
      .max(Number.MAX_SAFE_INTEGER)
      .description(
        'The amount to refund, in minor units. Defaults to the amount that has not been refunded yet.',
      ),
    reason: joi
      .string()
      .valid(...REFUND_REASONS)
      .default('requested_by_customer')
      .description('Why the payment is refunded, as the payment processor records it.'),
    notify_payer: joi.boolean().default(true).description('Whether to email the payer about the refund.'),
  })
  .required();

export interface RefundBody {
  amount_minor?: number;
  reason: RefundReason;
  notify_payer: boolean;
}

export const isPaymentId = (id: string): boolean => isId('pay', id);
