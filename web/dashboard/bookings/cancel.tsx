import joi from 'joi';
import type { BookingRow } from '../../../db/queries/bookings/booking.js';
import { findRoom } from '../../../db/queries/rooms/room.js';
import { findBookingMembers, type BookingMember } from '../../../db/queries/workspaces/dashboard.js';
import { choiceOf, whyNotChoose } from '../../../domain/bookings/cancellation.js';
import { can } from '../../../domain/policies.js';
import { ApiError } from '../../../domain/errors.js';
import { describeDisputed, describeEarlierRefunds } from '../../../domain/bookings/money.js';
import { describeRefundToStaff } from '../../../domain/payments/refund-parts.js';
import { extrasIn } from '../../../domain/rates/price-lines.js';
import { deskLimitInWords } from '../../../domain/payments/desk-refund.js';
import { ownTermsInWords, refundsInWords } from '../../../domain/bookings/refund-words.js';
import { REFUND_POLICIES, type RefundPolicy } from '../../../domain/bookings/refund-policy.js';
import { assertMayRefund, cancel, cancelRequestOf } from '../../../api/resources/bookings/cancel.js';
import {
  cancellationOf,
  deskLimits,
  type ShownCancellation,
} from '../../../api/resources/bookings/cancellation-refunds.js';
import { cancelSchema, type CancelBody } from '../../../api/resources/bookings/change-shape.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext } from '../../../api/http/context.js';
import { Action } from '../shared/action.js';
import { apiForm, hiddenFields, pathIn } from '../shared/api-form.js';
import { Choice, Choices, TextField } from '../shared/fields.js';
import { formatsOf } from '../../ui/formats.js';
import { amountEntered } from '../shared/money-field.js';
import { bookingOf, pathOf } from './booking-in-path.js';
import { bookerOf } from '../shared/booking-table.js';
import { inputOf, textFields } from '../shared/declared-fields.js';
import { ENGLISH } from '../../../domain/words/words.js';

/** The choice of an amount in place of a policy. */
const AMOUNT = 'amount';

export const cancelFields = {
  ...hiddenFields,
  ...textFields(cancelSchema, 'reason', 'refund_policy', 'refund_amount_minor'),
  notify_attendees: joi.valid('on'),
};

const AMOUNT_FIELD = 'refund_amount_minor';

interface CancelForm {
  reason?: string;
  refund_policy: string;
  refund_amount_minor?: string;
  notify_attendees?: 'on';
}

/** Cancels a booking like `POST /v1/bookings/{id}/cancel`, after a confirmation with the amounts. */
export const cancelForm = apiForm<CancelForm>({
  handler: cancel,
  schema: cancelSchema,
  async body({ reason, refund_policy, refund_amount_minor, notify_attendees }, ctx, deps) {
    const shared = { reason: reason || null, notify_attendees: notify_attendees === 'on' };
    const { currency } = await bookingOf(ctx, deps);
    const entered = amountEntered(refund_amount_minor, currency, AMOUNT_FIELD);
    if (refund_policy === AMOUNT) return { ...shared, refund_amount_minor: entered };
    if (entered !== null)
      throw new ApiError(
        'validation_failed',
        'To refund this amount, choose “An amount”; otherwise leave it empty.',
        {
          param: AMOUNT_FIELD,
        },
      );
    return { ...shared, refund_policy };
  },
  async confirm(_form, ctx, deps) {
    const booking = await bookingOf(ctx, deps);
    const { notify_attendees, ...body } = ctx.state.body as CancelBody;
    const choice = choiceOf(cancelRequestOf({ ...body, notify_attendees }));
    await assertMayRefund(deps, booking, choice, ctx.state.principal.role);
    const shown = await cancellationOf(deps, booking, choice);
    const members = await findBookingMembers(deps.db.manager, booking.workspace_id, [booking]);
    const isBooker = !can(ctx.state.membership!.role, 'all_bookings');
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
            terms={choice === 'standard' ? await termsOf(deps, booking) : []}
          />
          <p>
            {booking.status === 'pending_payment'
              ? 'The slot is released immediately and the checkout is closed. Nothing has been paid.'
              : `The slot is released immediately. ${effectOf(shown, amount)}`}{' '}
            {notify_attendees
              ? `${isBooker ? 'You get' : 'The payer gets'} an email with the amounts.`
              : `${isBooker ? 'You get' : 'The payer gets'} no email.`}{' '}
            This cannot be undone.
          </p>
        </>
      ),
      button: isRefund ? button : 'Cancel booking',
      danger: true,
    };
  },
  notice: () => 'Booking cancelled.',
  to: pathOf,
});

/** The refund terms that a cancellation of a booking follows, in words; none if nothing was paid for it. */
async function termsOf({ db }: ApiDependencies, booking: BookingRow): Promise<string[]> {
  if (booking.status === 'pending_payment' || booking.price_minor === 0) return [];
  const room = await findRoom(db.manager, booking.workspace_id, booking.room_id);
  return room
    ? [...refundsInWords(ENGLISH, room.refund_steps), ...ownTermsInWords(ENGLISH, extrasIn(booking))]
    : [];
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
      {terms.length > 0 && <p class="soft">Refund terms: {terms.join(' ')}</p>}
    </>
  );
}

const amountIn =
  (ctx: ApiContext, { currency }: BookingRow) =>
  (amount_minor: number): string =>
    formatsOf(ctx).amount(amount_minor, currency);

/** What a cancellation does to the payer's money, as a sentence. */
function effectOf(shown: ShownCancellation, amount: (minor: number) => string): string {
  if (shown.kind === 'refund')
    return [
      ...describeDisputed(ENGLISH, shown, amount),
      ...describeEarlierRefunds(ENGLISH, shown, amount),
      describeRefundToStaff(shown, amount),
    ].join(' ');
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
  const isBooker = !can(role, 'all_bookings');
  const amount = amountIn(ctx, booking);
  const [standard, full, none] = await Promise.all(
    (['standard', 'full', 'none'] as const).map((policy) => cancellationOf(deps, booking, policy)),
  );
  const labels: Record<RefundPolicy, string> = {
    standard: `Room terms: ${shortEffectOf(standard!, amount)}`,
    full: full!.kind === 'refund' ? `Full: ${shortEffectOf(full!, amount)}` : 'Nothing',
    none: none!.kind === 'refund' ? 'None' : `Everything: ${shortEffectOf(none!, amount)}`,
  };
  const limits = await deskLimits(deps, booking, role);
  const policies = REFUND_POLICIES.filter(
    (policy) => !(whyNotChoose(policy, role) ?? limits?.whyNot(policy) ?? null),
  );
  const { currency } = booking;
  const left_minor = full!.kind === 'refund' ? full!.refund_minor : 0;
  const most_minor = Math.min(left_minor, limits?.maximum_minor ?? left_minor);
  const choosesAmount = most_minor > 0 && !whyNotChoose(0, role);
  const unpaid = booking.status === 'pending_payment' || booking.price_minor === 0;
  return (
    <Action
      ctx={ctx}
      action={pathIn(ctx, `${pathOf(ctx)}/cancel`)}
      summary="Cancel booking"
      button="Review cancellation"
      rare
    >
      <TextField
        {...inputOf(cancelSchema, 'reason')}
        label={isBooker ? 'Reason (optional)' : 'Reason for the payer (optional)'}
      />
      {unpaid ? (
        <input type="hidden" name="refund_policy" value="standard" />
      ) : (
        <>
          <Choices
            type="radio"
            name="refund_policy"
            label={full!.kind === 'owed' ? 'What stays due' : 'Refund'}
            options={[
              ...policies.map((policy) => [policy, labels[policy]] as const),
              ...(choosesAmount ? [[AMOUNT, 'An amount'] as const] : []),
            ]}
            chosen={['standard']}
          />
          {choosesAmount && (
            <div data-chooses={`[name=refund_policy][value=${AMOUNT}]`}>
              <TextField
                name={AMOUNT_FIELD}
                label={`Amount to refund (${currency}), at most ${amount(most_minor)}`}
                inputMode="decimal"
              />
            </div>
          )}
          {limits && limits.maximum_minor < left_minor && (
            <p class="soft">{deskLimitInWords(limits.maximum_minor, currency)}</p>
          )}
        </>
      )}
      <Choice name="notify_attendees" checked>
        {isBooker ? 'Email me the confirmation' : 'Email the payer'}
      </Choice>
    </Action>
  );
}
