import joi from 'joi';
import type { BookingRow } from '../../../db/queries/bookings/booking.js';
import { DESK_METHODS, manualMethodOf, type DeskMethod } from '../../../domain/desk-payment.js';
import { ApiError } from '../../../domain/errors.js';
import type { PresentedPendingChange } from '../../../domain/presenters/pending-change.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext, Handler } from '../../../api/http/context.js';
import { validate } from '../../../api/http/validate.js';
import type { ChangeBody } from '../../../api/resources/bookings/change-shape.js';
import { takePaymentSchema } from '../../../api/resources/bookings/payment-shape.js';
import { takePayment } from '../../../api/resources/bookings/take-payment.js';
import { update } from '../../../api/resources/bookings/update.js';
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
export interface TakenDifference {
  method: DeskMethod;
  reference: string;
}

export const takenSchema = joi.object({
  method: takePaymentSchema.extract('method'),
  reference: takePaymentSchema.extract('reference'),
});

/** What of a form is a payment that staff have received; undefined if none is. */
export function takenIn({ paid_by, reference = '' }: EnteredDifference): TakenDifference | undefined {
  const method = DESK_METHODS.find((each) => each === paid_by);
  return method && { method, reference };
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
  `${amount} is recorded as paid${byMethod(manualMethodOf[method])}, and the booking is changed. There is no link for the payer.`;

/** A change that waits, since what was taken for it could not be recorded; `not_taken` is why. */
export interface WaitingChange {
  pending_change: PresentedPendingChange;
  not_taken?: string;
}

/**
 * Changes a booking as `PATCH /v1/bookings/{id}` does, and if its difference was `taken`, records that as
 * `POST /v1/bookings/{id}/payments` does. If that fails, the change waits for its payment.
 */
export function changeAndTake(deps: ApiDependencies): Handler<ChangeBody & { taken?: TakenDifference }> {
  const [change, take] = [update(deps), takePayment(deps)];
  return async (ctx, next) => {
    const { taken, ...body } = ctx.state.body;
    ctx.state.body = body;
    await change(ctx as ApiContext<ChangeBody>, next);
    const { pending_change } = ctx.body as Partial<WaitingChange>;
    if (!taken || !pending_change) return;
    const { id: pending_change_id, amount_minor } = pending_change;
    const payment = validate(takePaymentSchema, { ...taken, pending_change_id, amount_minor }, false);
    try {
      ctx.state.body = payment as never;
      await take(ctx as never, next);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      ctx.body = { pending_change, not_taken: error.message } satisfies WaitingChange;
    }
  };
}
