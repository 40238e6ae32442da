import joi from 'joi';
import type { ApiContext } from '../../../api/http/context.js';
import { takePayment, takePaymentSchema } from '../../../api/resources/bookings/take-payment.js';
import type { PendingChange } from '../../../db/queries/bookings/booking-change.js';
import type { BookingRow } from '../../../db/queries/bookings/booking.js';
import type { ChangeRequest } from '../../../domain/bookings/change.js';
import { whyNotTakeDifference, whyNotTakePayment } from '../../../domain/payments/desk-payment.js';
import { MANUAL_METHODS, toManualMethod } from '../../../domain/payments/methods.js';
import { createFormats } from '../../ui/formats.js';
import { form } from '../forms/form.js';
import { fieldAt, submittedFields } from '../forms/fields.js';
import { inputAttributes, hidden, note, type Input } from '../forms/inputs.js';
import { byMethod } from '../payments/reasons.js';
import { Select, TextField } from '../shared/fields.js';
import type { OneBooking } from './booking-in-path.js';

/** A booking, or its change that waits for its payment. */
interface Payable extends OneBooking {
  change: PendingChange | null;
}

const amountDue = ({ booking, change }: Payable): number => change?.amount_minor ?? booking.price_minor;
const dueInWords = (data: Payable, ctx: ApiContext): string =>
  createFormats(ctx).amount(amountDue(data), data.booking.currency);

const METHOD_NAMES: Record<(typeof MANUAL_METHODS)[number], string> = {
  cash: 'Cash',
  card_terminal: 'Card terminal',
  bank_transfer: 'Bank transfer',
  cheque: 'Cheque',
  other: 'Other',
};

export function paymentTaken(
  ctx: ApiContext,
  payment: { kind: string; amount_minor: number; currency: string; method: string },
): string {
  const amount = createFormats(ctx).amount(payment.amount_minor, payment.currency);
  return (
    `${amount} recorded as paid${byMethod(payment.method)}. The booking is ` +
    `${payment.kind === 'top_up' ? 'changed' : 'confirmed'}.`
  );
}

/** Records a payment at the desk. The amount is what is due and cannot be entered. */
export const takePaymentForm = form(
  takePayment,
  {
    effect: note<Payable>(({ data, ctx }) => (
      <p class="hint">
        Records {dueInWords(data, ctx)} that you received outside the payment page. The payment page is closed
        and the booking is {data.change ? 'changed' : 'confirmed'}.
      </p>
    )),
    pending_change_id: hidden(({ change }: Payable) => change?.id),
    method: {
      label: 'Method',
      radio: true,
      options: Object.entries(METHOD_NAMES),
    },
    reference: 'Reference',
  },
  {
    path: '/payments',
    summary: 'Take payment',
    button: (data, ctx) => `Record ${dueInWords(data, ctx)} as paid`,
    body: (entered, { data }) => ({ ...entered, amount_minor: amountDue(data) }),
    notice: ({ object: { payment } }, { ctx }) => paymentTaken(ctx, payment),
  },
);

/** Whether staff can record the payment of a booking, or of its change that waits for it. */
export const isPayableAtDesk = (booking: BookingRow, change: PendingChange | null): boolean =>
  (change ? whyNotTakeDifference(booking, change, new Date()) : whyNotTakePayment(booking, new Date())) ===
  null;

/** Ways to pay the difference of a change before its amount is known. */
const PAID_BY = ['card', 'link', 'cash', 'card_terminal', 'bank_transfer', 'cheque', 'other'] as const;

const WORDS: Record<(typeof PAID_BY)[number], string> = {
  card: 'Charge the card the booking was paid with',
  link: 'Pay later: at the desk or by payment link',
  cash: 'Paid now in cash',
  card_terminal: 'Paid now by card terminal',
  bank_transfer: 'Paid now by bank transfer',
  cheque: 'Paid now by cheque',
  other: 'Paid now another way',
};

/** A payment of the difference that staff have received. */
type TakenDifference = NonNullable<ChangeRequest['taken']>;

export const takenSchema = joi.object({
  method: takePaymentSchema.extract('method'),
  reference: takePaymentSchema.extract('reference'),
});

const reference = fieldAt({ body: takePaymentSchema, isChange: false }, 'reference');

/** How the difference of a change is to be paid. Shown if `bookingToAsk` returns the booking. */
export const differenceInput = <Data,>(bookingToAsk: (data: Data) => BookingRow | null): Input<Data> => ({
  fields: () => ({ paid_by: joi.valid(...PAID_BY), ...submittedFields(reference) }),
  read(_, { paid_by, reference: given }) {
    const method = MANUAL_METHODS.find((each) => each === paid_by);
    const taken: TakenDifference | undefined = method && {
      method,
      reference: (given as string | undefined) || null,
    };
    const leavesCard = paid_by !== undefined && paid_by !== 'card';
    return { taken, ...(leavesCard && { pay_by_link: true }) };
  },
  Show({ shown: { data } }) {
    const booking = bookingToAsk(data);
    if (!booking) return null;
    const hasCard = booking.processor_payment_intent_id !== null;
    const usable = PAID_BY.filter((each) => each !== 'card' || hasCard);
    return (
      <>
        <Select
          name="paid_by"
          label="If the price increases"
          options={usable.map((each) => [each, WORDS[each]])}
          chosen={[usable[0]!]}
        />
        <TextField {...inputAttributes(reference)} label="Payment reference" />
      </>
    );
  },
  wide: () => true,
  called: () => ({}),
});

/** Describes how confirming a change records a difference that staff have received. */
export const differenceTaken = ({ method }: TakenDifference, amount: string): string =>
  `${amount} is recorded as paid${byMethod(toManualMethod(method))}, and the booking is changed.`;
