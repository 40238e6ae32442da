import joi from 'joi';
import type { BookingRow } from '../../../db/queries/bookings/booking.js';
import type { ChangeRequest } from '../../../domain/bookings/change.js';
import { DESK_METHODS, manualMethodOf } from '../../../domain/payments/desk-payment.js';
import { takePaymentSchema } from '../../../api/resources/bookings/payment-shape.js';
import { byMethod } from '../payments/reasons.js';
import { inputOf, textFields } from '../shared/declared-fields.js';
import { Select, TextField } from '../shared/fields.js';

/** What is said of the difference of a change before it is known. */
const PAID_BY = ['card', 'link', ...DESK_METHODS] as const;

export const differenceFields = {
  paid_by: joi.valid(...PAID_BY),
  ...textFields(takePaymentSchema, 'reference'),
};

export interface EnteredDifference {
  paid_by?: (typeof PAID_BY)[number];
  reference?: string;
}

/** A payment of the difference that staff have received. */
type TakenDifference = NonNullable<ChangeRequest['taken']>;

export const takenSchema = joi.object({
  method: takePaymentSchema.extract('method'),
  reference: takePaymentSchema.extract('reference'),
});

/** What of a form is a payment that staff have received; undefined if none is. */
export function takenIn({ paid_by, reference }: EnteredDifference): TakenDifference | undefined {
  const method = DESK_METHODS.find((each) => each === paid_by);
  return method && { method, reference: reference || null };
}

const WORDS: Record<(typeof PAID_BY)[number], string> = {
  card: 'charged to the card that the booking was paid with',
  link: 'paid later: at the desk, or by a link for the payer',
  cash: 'paid now in cash',
  terminal: 'paid now by card terminal',
  transfer: 'paid now by bank transfer',
  other: 'paid now in another way',
};

/** How staff want a difference to be paid. */
export function DifferenceInputs({ booking }: { booking: BookingRow }) {
  const hasCard = booking.processor_payment_intent_id !== null;
  const usable = PAID_BY.filter((each) => each !== 'card' || hasCard);
  return (
    <>
      <Select
        name="paid_by"
        label="If the price rises, the difference is"
        options={usable.map((each) => [each, WORDS[each]])}
        chosen={[usable[0]!]}
      />
      <TextField
        {...inputOf(takePaymentSchema, 'reference')}
        label="Reference of what is paid now (optional)"
      />
    </>
  );
}

/** What confirming a change does with a difference that staff have received. */
export const differenceTaken = ({ method }: TakenDifference, amount: string): string =>
  `${amount} is recorded as paid${byMethod(manualMethodOf[method])}, and the booking is changed.`;
