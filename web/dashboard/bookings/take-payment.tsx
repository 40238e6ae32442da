import { findPendingChange, type PendingChange } from '../../../db/queries/bookings/booking-change.js';
import type { BookingRow } from '../../../db/queries/bookings/booking.js';
import {
  DESK_METHODS,
  whyNotTakeDifference,
  whyNotTakePayment,
} from '../../../domain/payments/desk-payment.js';
import { takePayment } from '../../../api/resources/bookings/take-payment.js';
import { takePaymentSchema } from '../../../api/resources/bookings/payment-shape.js';
import type { ApiContext } from '../../../api/http/context.js';
import { formatsOf } from '../../ui/formats.js';
import { byMethod } from '../payments/reasons.js';
import { Action } from '../shared/action.js';
import { apiForm, hiddenFields, pathIn } from '../shared/api-form.js';
import { inputOf, textFields } from '../shared/declared-fields.js';
import { Choices, TextField } from '../shared/fields.js';
import { bookingOf, pathOf } from './booking-in-path.js';

export const takePaymentFields = {
  ...hiddenFields,
  ...textFields(takePaymentSchema, 'method', 'reference', 'pending_change_id'),
};

/** What the desk took. */
export interface PaymentTaken {
  payment: { kind: string; amount_minor: number; currency: string; method: string };
}

/** That a payment was recorded, and what it was for. */
export function paymentTaken(ctx: ApiContext, { payment }: PaymentTaken): string {
  const amount = formatsOf(ctx).amount(payment.amount_minor, payment.currency);
  return (
    `${amount} recorded as paid${byMethod(payment.method)}. The booking is ` +
    `${payment.kind === 'top_up' ? 'changed' : 'confirmed'}.`
  );
}

/** Records a payment at the desk like `POST /v1/bookings/{id}/payments`. */
export const takePaymentForm = apiForm<
  { method?: string; reference?: string; pending_change_id?: string },
  PaymentTaken
>({
  handler: takePayment,
  schema: takePaymentSchema,
  body: async ({ method, reference, pending_change_id }, ctx, deps) => {
    const { id, price_minor } = await bookingOf(ctx, deps);
    const change = pending_change_id ? await findPendingChange(deps.db.manager, id) : null;
    return {
      ...(method && { method }),
      ...(pending_change_id && { pending_change_id }),
      amount_minor: change?.amount_minor ?? price_minor,
      reference: reference ?? '',
    };
  },
  notice: (response, ctx) => paymentTaken(ctx, response),
  to: pathOf,
});

/** How each method is called at the desk. */
const METHOD_NAMES: Record<(typeof DESK_METHODS)[number], string> = {
  cash: 'Cash',
  terminal: 'Card terminal',
  transfer: 'Bank transfer',
  other: 'Other',
};

/**
 * The form that takes the payment of an unpaid booking, or of its change that waits for
 * it; nothing for any other.
 */
export function TakePayment(props: { ctx: ApiContext; booking: BookingRow; change?: PendingChange | null }) {
  const { ctx, booking, change = null } = props;
  const now = new Date();
  if (change ? whyNotTakeDifference(booking, change, now) : whyNotTakePayment(booking, now)) return null;
  const price = formatsOf(ctx).amount(change?.amount_minor ?? booking.price_minor, booking.currency);
  return (
    <Action
      ctx={ctx}
      action={pathIn(ctx, `${pathOf(ctx)}/payments`)}
      summary="Take payment"
      button={`Record ${price} as paid`}
    >
      <p class="hint">
        For {price} that you have received outside the payment page. The payment page is closed, and the
        booking is {change ? 'changed' : 'confirmed'}.
      </p>
      {change && <input type="hidden" name="pending_change_id" value={change.id} />}
      <Choices
        type="radio"
        name="method"
        label="Paid by"
        options={DESK_METHODS.map((method) => [method, METHOD_NAMES[method]])}
        chosen={[]}
      />
      <TextField {...inputOf(takePaymentSchema, 'reference')} label="Reference (optional)" />
    </Action>
  );
}
