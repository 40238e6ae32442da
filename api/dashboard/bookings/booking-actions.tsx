import joi from 'joi';
import { type BookingRow, findBooking } from '../../../db/repositories/bookings/booking-queries.js';
import { can } from '../../../domain/policies.js';
import { REFUND_POLICIES, type RefundPolicy } from '../../../domain/refund-policy.js';
import type { ApiDependencies } from '../../dependencies.js';
import { cancelBooking } from '../../bookings/cancel.js';
import { markNoShow } from '../../bookings/no-show.js';
import { isBookingId } from '../../bookings/schema.js';
import type { ApiContext, Handler } from '../../http/context.js';
import { text } from '../../http/fields.js';
import { PageError } from '../../sign-in/browser.js';
import { Choice, Choices, TextField } from '../shared/fields.js';
import { Form } from '../shared/form.js';

export const cancelFields = {
  reason: text(1_000).allow(''),
  refund_policy: joi
    .string()
    .valid(...REFUND_POLICIES)
    .required(),
  notify_attendees: joi.string().valid('on'),
};

const POLICY_NAMES: Record<RefundPolicy, string> = {
  standard: "according to the room's refund steps",
  full: 'in full',
  none: 'no refund',
};

/** The booking in the path if the member may see it. */
export async function bookingOf(ctx: ApiContext, { db }: ApiDependencies): Promise<BookingRow> {
  const { workspace_id, role, member_id } = ctx.state.membership!;
  const { id } = ctx.params;
  const booking = isBookingId(id!) ? await findBooking(db.manager, workspace_id, id!) : null;
  if (!booking || !(booking.member_id === member_id || can(role, 'all_bookings')))
    throw new PageError(404, 'No such booking', 'Search for it in the list of bookings.');
  return booking;
}

/** The form to cancel a booking. */
export function CancelForm({ ctx, booking }: { ctx: ApiContext; booking: BookingRow }) {
  const { role, workspace_id } = ctx.state.membership!;
  const policies = REFUND_POLICIES.filter((policy) => policy !== 'full' || can(role, 'all_bookings'));
  return (
    <>
      <h2>Cancel</h2>
      <Form class="card" ctx={ctx} action={`/dashboard/${workspace_id}/bookings/${booking.id}/cancel`}>
        <TextField name="reason" label="Reason" maxLength={1000} />
        <Choices
          type="radio"
          name="refund_policy"
          label="Refund"
          options={policies.map((policy) => [policy, POLICY_NAMES[policy]])}
          chosen={['standard']}
        />
        <Choice name="notify_attendees" checked>
          Notify the payer by email
        </Choice>
        <button class="danger">Cancel this booking</button>
      </Form>
    </>
  );
}

const redirectBack = (ctx: ApiContext, { id, workspace_id }: BookingRow): void =>
  ctx.redirect(`/dashboard/${workspace_id}/bookings/${id}`);

/** Cancels a booking like `POST /v1/bookings/{id}/cancel`. */
export function cancelFromPage(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const booking = await bookingOf(ctx, deps);
    const form = ctx.state.body as { reason?: string; refund_policy: RefundPolicy; notify_attendees?: 'on' };
    await cancelBooking(deps, ctx.state.principal, booking, {
      reason: form.reason || null,
      refund_policy: form.refund_policy,
      notify_attendees: form.notify_attendees === 'on',
    });
    redirectBack(ctx, booking);
  };
}

/** Marks a no-show like `POST /v1/bookings/{id}/no-show`. */
export function markNoShowFromPage(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const booking = await bookingOf(ctx, deps);
    await markNoShow(deps.db, booking);
    redirectBack(ctx, booking);
  };
}
