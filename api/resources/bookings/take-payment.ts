import { findWorkspaceBooking } from '../../../commands/bookings/bookings.js';
import { findBound, type IdempotencyKey } from '../../../commands/api-keys/idempotency.js';
import { insertChange } from '../../../commands/bookings/change/plan.js';
import type { ChangeActor } from '../../../domain/bookings/change.js';
import { takePaymentUpdate } from '../../../contract/bookings.js';
import { findChangeCheckout } from '../../../db/queries/payments/checkout.js';
import { storedPayment } from '../payments/operations.js';
import { findChange } from '../../../db/queries/bookings/booking-change.js';
import type { BookingRow } from '../../../db/queries/bookings/booking.js';
import type { Checkout } from '../../../db/entities/payments.js';
import {
  assertFullAmount,
  whyNotTakeDifference,
  whyNotTakePayment,
} from '../../../domain/payments/desk-payment.js';
import { refuse } from '../../../domain/errors.js';
import { SENT_METHODS } from '../../../domain/payments/methods.js';
import { presentPayment } from '../../../domain/payments/presenter.js';
import { assertReceived } from '../../../domain/payments/received.js';
import { text, timestamp } from '../../http/fields.js';
import { created, operation } from '../../http/operation.js';
import { integer, nullable, object, oneOf, type Infer } from '../../http/typed.js';
import { payment, SENT_METHOD } from '../payments/payment.js';
import * as s from '../shared/shapes.js';
import { linkedBooking, presentBookingFor } from './booking.js';
import { paidAtDesk } from './examples.js';
import { toChangeActor, executeUpdate, type Deps } from './run-update.js';

/** Body of `POST /v1/bookings/{id}/payments`. */
export const takePaymentSchema = object(
  {
    method: oneOf(SENT_METHODS).description(SENT_METHOD),
    amount_minor: integer
      .min(1)
      .max(Number.MAX_SAFE_INTEGER)
      .description(
        'The amount received, in minor units: the price of the booking, or the price difference of ' +
          'its change.',
      ),
    pending_change_id: text(64).description(
      'The `pending_change.id` of the change that the payment is for. If absent, the payment is for ' +
        'the price of the booking.',
    ),
    reference: nullable(text(200).allow('')).description(
      'Your reference, such as the number of a receipt or of the card terminal’s slip.',
    ),
    paid_at: timestamp.description(
      'The time at which the money was received, used in lists, exports and the accounting system. ' +
        'Defaults to now.',
    ),
  },
  'method',
  'amount_minor',
).required();
export type TakePaymentBody = Infer<typeof takePaymentSchema>;

const paidBooking = s.extend('PaidBooking', linkedBooking, {
  payment: payment.description('The recorded payment.'),
});

export const takePayment = operation({
  route: 'POST /v1/bookings/:id/payments',
  summary: 'Take a payment at the desk',
  id: 'takeBookingPayment',
  description:
    'Records that the full price of an unpaid booking was received outside the hosted page, and ' +
    'confirms the booking. With `pending_change_id`, records the price difference of a change that ' +
    'is awaiting payment, and applies the change. The hosted page is closed first; if it has been ' +
    'paid in the meantime, the request fails with 409 `already_paid`. A booking that is paid in this ' +
    'way has `settle: desk` and no `confirmation_source`, and its payment has the kind `manual`. The ' +
    'payment of a change has the kind `top_up`. A payment that still arrives through the hosted page ' +
    'is refunded in full.',
  scope: 'calendar:write',
  capability: 'all_bookings',
  body: takePaymentSchema,
  idempotent: true,
  responses: { 200: paidBooking, 201: paidBooking },
  errors: ['already_paid', 'booking_not_payable', 'not_found', 'processor_error'],
  examples: { body: { method: 'cash', amount_minor: 6000, reference: 'Till 2' }, response: paidAtDesk },
  async run({ params, body, idempotency }, caller, deps) {
    const { manager } = deps.db;
    const booking = await findWorkspaceBooking(manager, caller, params.id);
    const { workspace_id, id } = booking;
    assertReceived(body.paid_at ?? new Date(), new Date());
    const before = await findBound(manager, workspace_id, idempotency);
    const payment_id =
      before ?? (await record(deps, toChangeActor(caller), booking, { ...body, idempotency }));
    const payment = await storedPayment(manager, workspace_id, payment_id);
    const current = await findWorkspaceBooking(manager, caller, id);
    const object = { ...presentBookingFor(deps, caller, current), payment: presentPayment(payment) };
    return { object, isNew: before === null };
  },
  reply: created,
});

/**
 * Records a payment at the desk, and confirms the booking or makes the change that it is for
 * (docs/rules/bookings.md#payments-at-the-desk). Returns the id of the payment. Errors: 404 `not_found` for
 * an unknown change; 409 `already_paid`, `booking_not_payable`; 422 for another amount than is due; 502
 * `processor_error` if the hosted page could not be closed; 503 if it was not decided in time. After an
 * error nothing is recorded.
 */
async function record(
  deps: Deps,
  actor: ChangeActor,
  booking: BookingRow,
  taken: TakePaymentBody & { idempotency: IdempotencyKey | null },
): Promise<string> {
  const checkout = await payableCheckout(deps, booking, taken);
  const { method, amount_minor, reference, pending_change_id, paid_at = new Date(), idempotency } = taken;
  const request = {
    method,
    amount_minor,
    reference: reference || null,
    paid_at: paid_at.toISOString(),
    pending_change_id,
    idempotency,
  };
  const { workspace_id, id: booking_id } = booking;
  const change = { workspace_id, booking_id, actor, kind: 'payment', request } as const;
  const changeId = await insertChange(deps.db.manager, change);
  return (await executeUpdate(deps, booking, takePaymentUpdate, changeId, checkout?.id))!.payment_id!;
}

/**
 * The checkout of the change that a payment is for; null for the booking. Throws why the
 * payment cannot be taken.
 */
async function payableCheckout(
  { db: { manager } }: Deps,
  booking: BookingRow,
  { amount_minor, pending_change_id }: TakePaymentBody,
): Promise<Checkout | null> {
  const now = new Date();
  if (pending_change_id)
    refuse(whyNotTakeDifference(booking, await findChange(manager, pending_change_id), now));
  else refuse(whyNotTakePayment(booking, now));
  const checkout = pending_change_id ? await findChangeCheckout(manager, pending_change_id) : null;
  assertFullAmount(amount_minor, booking, checkout);
  return checkout;
}
