import { findInvoiceById } from '../../../db/queries/invoices/invoice.js';
import { findWorkspaceBooking } from '../../../commands/bookings/bookings.js';
import { bindAlone, type IdempotencyKey } from '../../../commands/api-keys/idempotency.js';
import { insertChangeOnce, wasRefused } from '../../../commands/bookings/change/plan.js';
import { findCancellationRefunds } from '../../../db/queries/bookings/booking-change.js';
import type { BookingRow } from '../../../db/queries/bookings/booking.js';
import { findRefundsById } from '../../../db/queries/payments/refund.js';
import {
  toRefundChoice,
  whyNotCancel,
  whyNotChoose,
  type CancelRequest,
} from '../../../domain/bookings/cancellation.js';
import type { ChangeActor } from '../../../domain/bookings/change.js';
import { isLimitedAtDesk } from '../../../domain/payments/desk-refund.js';
import { refuse } from '../../../domain/errors.js';
import type { Role } from '../../../domain/policies.js';
import { REFUND_POLICIES, type RefundChoice } from '../../../domain/bookings/refund-policy.js';
import { PAYMENT_STATUSES } from '../../../domain/states.js';
import { presentRefunds, type PresentedRefund } from '../../../domain/bookings/refund-presenter.js';
import { cancelUpdate } from '../../../contract/bookings.js';
import { text } from '../../http/fields.js';
import { operation } from '../../http/operation.js';
import {
  array,
  boolean,
  integer,
  nullable,
  object,
  oneOf,
  withDefault,
  type Infer,
} from '../../http/typed.js';
import { syncInvoiceInline } from '../invoices/accounting.js';
import { awaitRefunds } from '../payments/run-refunds.js';
import * as s from '../shared/shapes.js';
import { changedBooking, linkedBooking, presentBookingFor } from './booking.js';
import { cancelled, linked, refund as exampleRefund } from './examples.js';
import { deskLimits } from './cancellation-refunds.js';
import { toChangeActor, executeUpdate, type Deps } from './run-update.js';

/** Body of `POST /v1/bookings/{id}/cancel`; every field is optional. */
export const cancelSchema = object({
  reason: nullable(text(1_000).allow('')).description('The reason, shown in the audit log and the email.'),
  refund_policy: oneOf(REFUND_POLICIES).description(
    'How much to refund: according to the room’s `refund_steps` (`standard`), everything (`full`) or ' +
      'nothing (`none`). Defaults to `standard`.',
  ),
  refund_amount_minor: integer
    .min(0)
    .max(Number.MAX_SAFE_INTEGER)
    .description(
      'The amount to refund in minor units, instead of `refund_policy`. At most what is left of the ' +
        'booking’s payments.',
    ),
  notify_attendees: withDefault(
    boolean.description('Whether to email the booker about the cancellation.'),
    true,
  ),
})
  .oxor('refund_policy', 'refund_amount_minor')
  .required();
export type CancelBody = Infer<typeof cancelSchema> & {
  /** Set only by the dashboard's form: the refund that it showed. */
  expected_refund_minor?: number;
};

const refundFields = {
  id: s.prefixedId('pay').description('The id of the refund.'),
  payment_id: s.prefixedId('pay').description('The payment that is refunded.'),
  amount_minor: s.minor.description('The refunded amount in minor units.'),
  status: oneOf(PAYMENT_STATUSES).description('The status of the refund.'),
};
/** The refunds of a cancellation as `presentRefunds` returns them. */
const refund = s.shape({
  ...refundFields,
  refunds: array(s.shape(refundFields)).description(
    'All refunds of the cancellation, one for each payment. In the parent object, `id` and ' +
      '`payment_id` are those of the first refund, and `amount_minor` is the sum of all. The parent’s ' +
      '`status` is `pending` if any refund is pending, otherwise `failed` if any has failed.',
  ),
});

export const cancelledBooking = s.extend('CancelledBooking', linkedBooking, {
  refund: s.orNull(refund).required().description('The refund. Null if nothing is refunded.'),
});

export const cancelBooking = operation({
  route: 'POST /v1/bookings/:id/cancel',
  summary: 'Cancel a booking',
  description:
    'Cancels a booking and releases its slot. `refund_policy` is `standard` (refund according to the ' +
    'room’s `refund_steps`), `full` or `none`. Alternatively, `refund_amount_minor` is the amount to ' +
    'refund, up to what is left of the booking’s payments. `full` and `refund_amount_minor` require ' +
    'the role `front_desk`, `admin` or `owner`. `front_desk` can refund at most the standard refund ' +
    'or the workspace’s `desk_refund_limit_minor`, whichever is greater. Cancelling a cancelled ' +
    'booking returns it unchanged.',
  scope: 'calendar:write',
  capability: 'own_bookings',
  body: cancelSchema,
  idempotent: true,
  responses: { 200: cancelledBooking },
  errors: ['booking_not_cancellable', 'amount_exceeds_refundable'],
  examples: {
    body: { reason: 'Ill', refund_policy: 'standard', notify_attendees: true },
    response: { ...linked(cancelled), refund: { ...exampleRefund, refunds: [exampleRefund] } },
  },
  async run({ params, body, idempotency }, caller, deps) {
    const booking = await findWorkspaceBooking(deps.db.manager, caller, params.id);
    const request = toCancelRequest(body);
    await assertMayRefund(deps, booking, toRefundChoice(request), caller.role);
    const at_desk = isLimitedAtDesk(caller.role) || undefined;
    const cancelled = await requestCancellation(
      deps,
      toChangeActor(caller),
      booking,
      { ...request, at_desk },
      idempotency,
    );
    return { ...presentBookingFor(deps, caller, cancelled.booking), refund: cancelled.refund };
  },
});

/**
 * Checks that a role may cancel a booking with a refund. The front desk's limit is checked again where the
 * booking is locked. Errors: 403 `role_insufficient`; 422 `amount_exceeds_refundable`.
 */
export async function assertMayRefund(
  deps: Pick<Deps, 'db'>,
  booking: BookingRow,
  choice: RefundChoice,
  role: Role,
): Promise<void> {
  refuse(whyNotChoose(choice, role));
  if (choice === 'standard' || choice === 'none' || whyNotCancel(booking, new Date())) return;
  const limits = await deskLimits(deps, booking, role);
  if (limits) refuse(limits.whyNot(choice));
}

/** The request as it is stored. */
export const toCancelRequest = ({
  refund_policy = 'standard',
  reason = null,
  ...body
}: CancelBody): CancelRequest => ({ ...body, refund_policy, reason });

/**
 * Cancels a booking (docs/rules/bookings.md#cancellation). Returns it with its `refund` or null; a cancelled
 * one is returned as it is. Errors: 409 `booking_not_cancellable`, `idempotency_conflict`; 503.
 */
export async function requestCancellation(
  deps: Deps,
  actor: ChangeActor,
  booking: BookingRow,
  request: Omit<CancelRequest, 'reason'> & { reason?: string | null },
  idempotency: IdempotencyKey | null = null,
): Promise<{ booking: BookingRow; refund: PresentedRefund | null }> {
  const { workspace_id, id } = booking;
  const { manager } = deps.db;
  if (booking.status === 'cancelled') await bindAlone(deps.db, workspace_id, idempotency, id, wasRefused);
  else {
    refuse(whyNotCancel(booking, new Date()));
    const cancellation = {
      workspace_id,
      booking_id: id,
      actor,
      kind: 'cancel',
      request: { ...request, reason: request.reason || null },
    } as const;
    const changeId = await insertChangeOnce(deps.db, cancellation, idempotency);
    const outcome = await executeUpdate(deps, booking, cancelUpdate, changeId);
    await awaitRefunds(deps, outcome!.refund_ids);
    const invoice = await findInvoiceById(manager, booking.invoice_id!);
    if (invoice?.status === 'void') await syncInvoiceInline(deps, invoice);
  }
  const refunds = await findRefundsById(manager, await findCancellationRefunds(manager, id));
  return { booking: await changedBooking(deps, booking), refund: presentRefunds(refunds) };
}
