import type { BookingRow } from '../../../db/queries/bookings/booking.js';
import { DESK_METHODS, whyNotTakePayment } from '../../../domain/desk-payment.js';
import { takePayment } from '../../../api/resources/bookings/take-payment.js';
import { takePaymentSchema } from '../../../api/resources/bookings/payment-shape.js';
import type { ApiContext } from '../../../api/http/context.js';
import { formatsOf, spaced } from '../../ui/formats.js';
import { Action } from '../shared/action.js';
import { apiForm, hiddenFields, pathIn } from '../shared/api-form.js';
import { inputOf, textFields } from '../shared/declared-fields.js';
import { Choices, TextField } from '../shared/fields.js';
import { bookingOf, pathOf } from './booking-in-path.js';

export const takePaymentFields = {
  ...hiddenFields,
  ...textFields(takePaymentSchema, 'method', 'reference'),
};

/** Records a payment at the desk like `POST /v1/bookings/{id}/payments`. */
export const takePaymentForm = apiForm<
  { method?: string; reference?: string },
  { payment: { amount_minor: number; currency: string; method: string } }
>({
  handler: takePayment,
  schema: takePaymentSchema,
  body: async ({ method, reference }, ctx, deps) => ({
    ...(method && { method }),
    amount_minor: (await bookingOf(ctx, deps)).price_minor,
    reference: reference ?? '',
  }),
  notice: ({ payment }, ctx) => {
    const amount = formatsOf(ctx).amount(payment.amount_minor, payment.currency);
    const by = payment.method === 'other' ? '' : ` by ${spaced(payment.method)}`;
    return `${amount} recorded as paid${by}. The booking is confirmed.`;
  },
  to: pathOf,
});

/** How each method is called at the desk. */
const METHOD_NAMES: Record<(typeof DESK_METHODS)[number], string> = {
  cash: 'Cash',
  terminal: 'Card terminal',
  transfer: 'Bank transfer',
  other: 'Other',
};

/** The form that takes the payment of an unpaid booking; nothing for any other. */
export function TakePayment({ ctx, booking }: { ctx: ApiContext; booking: BookingRow }) {
  if (whyNotTakePayment(booking, new Date())) return null;
  const price = formatsOf(ctx).amount(booking.price_minor, booking.currency);
  return (
    <Action
      ctx={ctx}
      action={pathIn(ctx, `${pathOf(ctx)}/payments`)}
      summary="Take payment"
      button={`Record ${price} as paid`}
    >
      <p class="hint">
        For {price} that you have received outside the payment page. The payment page is closed, and the
        booking is confirmed.
      </p>
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
