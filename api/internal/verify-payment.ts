import type { System } from '../../commands/audit-log/audit.js';
import { recordOperator } from '../../commands/audit-log/operator.js';
import { findPaymentByIntent } from '../../db/queries/payments/payment.js';
import { findBooking } from '../../db/queries/bookings/booking.js';
import { ApiError } from '../../domain/errors.js';
import { presentBooking } from '../../domain/bookings/booking-presenter.js';
import { CONFIRMATION_SOURCES } from '../../domain/states.js';
import type { Refusal } from '../../contract/payments/payments.js';
import type { ApiDependencies } from '../dependencies.js';
import { stillStored } from '../http/errors.js';
import { text } from '../http/fields.js';
import { RESPOND_WITHIN_MS } from '../http/runs.js';
import { object, oneOf, string, type Infer } from '../http/typed.js';
import { requestVerification } from '../resources/payments/verify.js';

const REFUSALS: Record<Refusal['code'], string> = {
  slot_already_paid: 'This slot has already been booked. The payment is being refunded in full.',
  payment_too_late: 'The payment arrived too late to be accepted. It is being refunded in full.',
};

export const verifyPaymentSchema = object(
  { action: string, payment_intent_id: text(255).min(1), source: oneOf(CONFIRMATION_SOURCES) },
  'payment_intent_id',
);
type VerifyPaymentBody = Infer<typeof verifyPaymentSchema>;

/**
 * The internal action `verify_payment` (docs/internals/architecture.md#payment-confirmation). Errors: 404
 * `payment_not_found`; 409 `payment_not_confirmed`, `slot_already_paid`, `payment_too_late`.
 */
export async function verify(
  deps: Pick<ApiDependencies, 'db' | 'temporal' | 'taskQueue'>,
  { payment_intent_id: paymentIntentId, source = 'scheduler_self_heal' }: VerifyPaymentBody,
  by: System,
): Promise<unknown> {
  const outcome = await requestVerification(deps, { paymentIntentId, source }, RESPOND_WITHIN_MS);
  switch (outcome.kind) {
    case 'unknown':
      throw new ApiError('payment_not_found', 'The payment does not belong to any booking or invoice.');
    case 'unpaid':
      throw new ApiError(
        'payment_not_confirmed',
        'The payment processor has not confirmed this payment yet. Try again later.',
      );
    case 'refused': {
      const { code, ...reason } = outcome.refusal;
      const details = { ...reason, payment_intent_id: paymentIntentId };
      throw new ApiError(code, REFUSALS[code], { details });
    }
    case 'confirmed': {
      const payment = stillStored(await findPaymentByIntent(deps.db.manager, paymentIntentId));
      const { booking_id, workspace_id } = payment;
      const booking = booking_id ? await findBooking(deps.db.manager, workspace_id, booking_id) : null;
      if (!outcome.already) {
        const entry = { action: 'payment.verified', object: payment.id, details: { source: payment.source } };
        await recordOperator(deps.db, { workspace_id, ...by }, entry);
      }
      return {
        booking: booking && presentBooking(booking),
        invoice_id: payment.invoice_id,
        payment_id: payment.id,
        source: payment.source,
        already_confirmed: outcome.already,
      };
    }
  }
}
