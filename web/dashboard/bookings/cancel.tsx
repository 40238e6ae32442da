import joi from 'joi';
import type { BookingRow } from '../../../db/queries/bookings/booking.js';
import { findRoom } from '../../../db/queries/rooms/room.js';
import { findBookingMembers, type BookingMember } from '../../../db/queries/workspaces/dashboard.js';
import { whyNotPolicy } from '../../../domain/booking-cancellation.js';
import { describeRefundToStaff } from '../../../domain/refund-parts.js';
import { refundsInWords } from '../../../domain/refund-words.js';
import { REFUND_POLICIES, type RefundPolicy } from '../../../domain/refund-policy.js';
import { cancel } from '../../../api/resources/bookings/cancel.js';
import {
  cancellationOf,
  type ShownCancellation,
} from '../../../api/resources/bookings/cancellation-refunds.js';
import { cancelSchema, type CancelBody } from '../../../api/resources/bookings/change-shape.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext } from '../../../api/http/context.js';
import { Action } from '../shared/action.js';
import { apiForm, hiddenFields, pathIn } from '../shared/api-form.js';
import { Choice, Choices, TextField } from '../shared/fields.js';
import { formatsOf } from '../../ui/formats.js';
import { bookingOf, pathOf } from './booking-in-path.js';
import { bookerOf } from '../shared/booking-table.js';
import { inputOf, textFields } from '../shared/declared-fields.js';

export const cancelFields = {
  ...hiddenFields,
  ...textFields(cancelSchema, 'reason', 'refund_policy'),
  notify_attendees: joi.valid('on'),
};

/** Cancels a booking like `POST /v1/bookings/{id}/cancel`, after a confirmation with the amounts. */
export const cancelForm = apiForm<{ reason?: string; refund_policy: string; notify_attendees?: 'on' }>({
  handler: cancel,
  schema: cancelSchema,
  body: ({ reason, refund_policy, notify_attendees }) => ({
    reason: reason || null,
    refund_policy,
    notify_attendees: notify_attendees === 'on',
  }),
  async confirm(_form, ctx, deps) {
    const booking = await bookingOf(ctx, deps);
    const { refund_policy, notify_attendees } = ctx.state.body as CancelBody;
    const shown = await cancellationOf(deps, booking, refund_policy);
    const members = await findBookingMembers(deps.db.manager, booking.workspace_id, [booking]);
    const amount = amountIn(ctx, booking);
    const refund_minor = shown.kind === 'refund' ? shown.refund_minor : 0;
    const button = refund_minor > 0 ? `Cancel and refund ${amount(refund_minor)}` : 'Cancel without a refund';
    const isRefund = shown.kind === 'refund' && booking.status !== 'pending_payment';
    return {
      title: 'Cancel this booking?',
      at: '/bookings',
      effects: (
        <>
          <CancelledBooking
            ctx={ctx}
            booking={booking}
            who={bookerOf(booking, members)}
            terms={refund_policy === 'standard' ? await termsOf(deps, booking) : []}
          />
          <p>
            {booking.status === 'pending_payment'
              ? 'The slot is released immediately and the checkout is closed. Nothing has been paid.'
              : `The slot is released immediately. ${effectOf(shown, amount)}`}{' '}
            {notify_attendees ? 'The payer gets an email with the amounts.' : 'The payer gets no email.'} This
            cannot be undone.
          </p>
        </>
      ),
      button: isRefund ? button : 'Cancel booking',
      danger: true,
      back: pathIn(ctx, pathOf(ctx)),
    };
  },
  notice: () => 'Booking cancelled.',
  to: pathOf,
});

/** The refund terms that a cancellation of a booking follows, in words; none if nothing was paid for it. */
async function termsOf({ db }: ApiDependencies, booking: BookingRow): Promise<string[]> {
  if (booking.status === 'pending_payment' || booking.price_minor === 0) return [];
  const room = await findRoom(db.manager, booking.workspace_id, booking.room_id);
  return room ? refundsInWords(room.refund_steps) : [];
}

/** Which booking is about to be cancelled, whose it is, and by which terms. */
function CancelledBooking(props: {
  ctx: ApiContext;
  booking: BookingRow;
  who: Partial<BookingMember>;
  terms: string[];
}) {
  const { ctx, booking, who, terms } = props;
  const { amount, span } = formatsOf(ctx);
  return (
    <>
      <p>
        {booking.room_name}, {span(booking)}, booked by{' '}
        {who.name ? `${who.name} (${who.email})` : 'a former customer'} for{' '}
        {amount(booking.price_minor, booking.currency)}.
      </p>
      {terms.length > 0 && <p class="soft">Refund terms of the room: {terms.join(' ')}</p>}
    </>
  );
}

const amountIn =
  (ctx: ApiContext, { currency }: BookingRow) =>
  (amount_minor: number): string =>
    formatsOf(ctx).amount(amount_minor, currency);

/** What a cancellation does to the payer's money, as a sentence. */
function effectOf(shown: ShownCancellation, amount: (minor: number) => string): string {
  if (shown.kind === 'refund') return describeRefundToStaff(shown, amount);
  const { waived_minor, kept_minor } = shown;
  if (waived_minor === 0) return `It is on account: ${amount(kept_minor)} stays due.`;
  if (kept_minor === 0) return `It is on account: ${amount(waived_minor)} is no longer due.`;
  return `It is on account: ${amount(waived_minor)} is no longer due, and ${amount(kept_minor)} stays due.`;
}

/** The same for the choice of a policy. */
function shortEffectOf(shown: ShownCancellation, amount: (minor: number) => string): string {
  if (shown.kind === 'refund') return amount(shown.refund_minor);
  return shown.kept_minor === 0 ? 'nothing stays due' : `${amount(shown.kept_minor)} stays due`;
}

/** The form to cancel a booking, with what each policy refunds now. */
export async function cancelAction(ctx: ApiContext, deps: ApiDependencies, booking: BookingRow) {
  const { role } = ctx.state.membership!;
  const amount = amountIn(ctx, booking);
  const [standard, full, none] = await Promise.all(
    (['standard', 'full', 'none'] as const).map((policy) => cancellationOf(deps, booking, policy)),
  );
  const labels: Record<RefundPolicy, string> = {
    standard: `Room terms: ${shortEffectOf(standard!, amount)}`,
    full: `Full: ${shortEffectOf(full!, amount)}`,
    none: none!.kind === 'refund' ? 'None' : `None: ${shortEffectOf(none!, amount)}`,
  };
  const policies = REFUND_POLICIES.filter((policy) => !whyNotPolicy(policy, role));
  const unpaid = booking.status === 'pending_payment' || booking.price_minor === 0;
  return (
    <Action
      ctx={ctx}
      action={pathIn(ctx, `${pathOf(ctx)}/cancel`)}
      summary="Cancel booking"
      button="Review cancellation"
      rare
    >
      <TextField {...inputOf(cancelSchema, 'reason')} label="Reason for the payer (optional)" />
      {unpaid ? (
        <input type="hidden" name="refund_policy" value="standard" />
      ) : (
        <Choices
          type="radio"
          name="refund_policy"
          label="Refund"
          options={policies.map((policy) => [policy, labels[policy]])}
          chosen={['standard']}
        />
      )}
      <Choice name="notify_attendees" checked>
        Email the payer
      </Choice>
    </Action>
  );
}
