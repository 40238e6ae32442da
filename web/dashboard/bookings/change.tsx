import { previewChange } from '../../../commands/bookings/plan-change.js';
import { findBookingMembers } from '../../../db/queries/workspaces/dashboard.js';
import { transaction } from '../../../db/transaction.js';
import { can } from '../../../domain/policies.js';
import { changesPlace } from '../../../domain/bookings/change.js';
import { manualMethodOf } from '../../../domain/payments/desk-payment.js';
import type { PresentedPendingChange } from '../../../domain/bookings/pending-change-presenter.js';
import { extrasInWords, sameExtras } from '../../../domain/extras/extras.js';
import { extrasIn } from '../../../domain/rates/price-lines.js';
import { ownTermsInWords, refundsInWords } from '../../../domain/bookings/refund-words.js';
import { ENGLISH } from '../../../domain/words/words.js';
import { describeCredits, describeDisputed } from '../../../domain/bookings/money.js';
import { describeRefundToStaff } from '../../../domain/payments/refund-parts.js';
import { changeRequestOf, update } from '../../../api/resources/bookings/update.js';
import { apiForm } from '../shared/api-form.js';
import { formatsOf } from '../../ui/formats.js';
import { bookerOf } from '../shared/booking-table.js';
import { bodyOf, bodySchema, type Body, type ChangeForm } from './change-body.js';
import { creditsOfChange, differenceToBooker } from './difference-words.js';
import { bookingOf, pathOf } from './booking-in-path.js';
import { differenceTaken, takenIn } from './take-difference.js';
import { paymentTaken } from './take-payment.js';

/** Changes a booking like `PATCH /v1/bookings/{id}`, after a preview of the difference. */
export const changeForm = apiForm<
  ChangeForm,
  | { adjustment: { amount_minor: number } | null; price: { currency: string } }
  | { pending_change: PresentedPendingChange }
>({
  handler: update,
  schema: bodySchema,
  body: async (form, ctx, deps) =>
    bodyOf(form, await bookingOf(ctx, deps), can(ctx.state.membership!.role, 'all_bookings'), deps),
  async confirm(_form, ctx, deps) {
    const booking = await bookingOf(ctx, deps);
    const { workspace_id, id: booking_id, currency } = booking;
    const change = ctx.state.body as Body;
    const request = changeRequestOf(change, ctx.state.membership!.role);
    const preview = await transaction(deps.db, (tx) =>
      previewChange(tx, { workspace_id, booking_id, request }),
    );
    const { role, workspace_name } = ctx.state.membership!;
    const isBooker = !can(role, 'all_bookings');
    const formats = formatsOf(ctx);
    const amount = (amount_minor: number): string => formats.amount(amount_minor, currency);
    const { charge_minor, refund_minor, price_minor, plan, payment, to } = preview;
    const { move } = plan;
    const who = bookerOf(booking, await findBookingMembers(deps.db.manager, workspace_id, [booking]));
    const isMoved = move !== null && changesPlace(booking, move);
    const extras = move && extrasIn({ pricing: move.pricing ?? null });
    const after = isMoved && {
      start_at: new Date(move.start_at),
      end_at: new Date(move.end_at),
      time_zone: to.time_zone,
    };
    const takes = payment === 'desk' && request.taken;
    const whyByLink = request.pay_by_link
      ? ''
      : `${creditsOfChange(booking)}No card was used for the booking. `;
    const forStaff = takes
      ? differenceTaken(takes, amount(charge_minor))
      : payment === 'link'
        ? `${whyByLink}The change waits until ${amount(charge_minor)} is paid: take it at the desk, or ` +
          'send the payer the link that you get. Both slots are held until then.'
        : charge_minor > 0
          ? `${amount(charge_minor)} is charged to the card the booking was paid with. If the bank ` +
            'asks the payer to authenticate, you get a link to send them. If the charge is ' +
            'declined, nothing changes.'
          : refund_minor > 0
            ? describeRefundToStaff(preview, amount)
            : 'Nothing is charged or refunded.';
    const isUnpaid = booking.account_days !== null;
    const cap = Math.min(Number(booking.refund_percent_cap), move?.refund_percent ?? 100);
    const when = after && { ...after, currency, is_unpaid: isUnpaid, now: new Date() };
    const hasTerms = when && price_minor > 0 && when.start_at > when.now;
    const terms = hasTerms
      ? [
          ...refundsInWords(ENGLISH, to.refund_steps, when),
          ...ownTermsInWords(ENGLISH, extras ?? [], when),
          ...(cap < 100 && booking.price_minor > 0 && !isUnpaid
            ? [
                cap === 0
                  ? 'What was paid before this change is then not refunded.'
                  : `Of what was paid before this change, at most ${cap}% is then refunded.`,
              ]
            : []),
        ]
      : [];
    const difference = isBooker ? differenceToBooker(preview, booking, amount, workspace_name) : forStaff;
    const money = [
      ...describeDisputed(ENGLISH, preview, amount),
      difference,
      ...describeCredits(ENGLISH, booking, move),
    ].join(' ');
    return {
      title: 'Change this booking?',
      at: '/bookings',
      effects: (
        <>
          <dl class="facts">
            <dt>Booked by</dt>
            <dd>{who.name ? `${who.name} (${who.email})` : 'a former customer'}</dd>
            {after && (
              <>
                <dt>Current</dt>
                <dd>
                  {booking.room_name}, {formats.span(booking)}
                </dd>
                <dt>New</dt>
                <dd>
                  {to.name}, {formats.span(after)}
                </dd>
              </>
            )}
            {extras && !sameExtras(extras, extrasIn(booking)) && (
              <>
                <dt>Extras</dt>
                <dd>{extrasInWords(extras) || 'none'}</dd>
              </>
            )}
            <dt>Price</dt>
            <dd>
              {price_minor === booking.price_minor
                ? `${amount(price_minor)}, unchanged`
                : `${amount(booking.price_minor)} → ${amount(price_minor)}`}
            </dd>
          </dl>
          <p id="difference">{money}</p>
          {isMoved && terms.length > 0 && <p class="soft">{terms.join(' ')}</p>}
          {move && (
            <p class="soft">
              {isBooker ? 'You get' : 'The payer gets'} an email with the change and the amounts.
            </p>
          )}
        </>
      ),
      button: takes
        ? `Change and record ${amount(charge_minor)} as paid`
        : payment === 'link'
          ? isBooker
            ? `Hold both times and pay ${amount(charge_minor)}`
            : `Hold both slots until ${amount(charge_minor)} is paid`
          : charge_minor > 0
            ? `Change and charge ${amount(charge_minor)}`
            : refund_minor > 0
              ? `Change and refund ${amount(refund_minor)}`
              : 'Change booking',
    };
  },
  notice(response, ctx, form) {
    if ('pending_change' in response)
      return can(ctx.state.membership!.role, 'all_bookings')
        ? 'The change takes effect once it is paid. The booking has “Take payment” and ' +
            'the link for the payer.'
        : 'The change takes effect once you have paid it. The booking leads to the payment page.';
    const { adjustment, price } = response;
    const { currency } = price;
    const amount_minor = adjustment?.amount_minor ?? 0;
    const taken = takenIn(form);
    if (taken && amount_minor > 0) {
      const method = manualMethodOf[taken.method];
      return paymentTaken(ctx, { payment: { kind: 'top_up', amount_minor, currency, method } });
    }
    const shown = formatsOf(ctx).amount(Math.abs(amount_minor), currency);
    if (amount_minor === 0) return 'Booking changed. Nothing was charged or refunded.';
    return `Booking changed. ${shown} ${amount_minor > 0 ? 'was charged' : 'is being refunded'}.`;
  },
  to: pathOf,
});
