import joi from 'joi';
import type { ApiDependencies } from '../../../api/dependencies.js';
import { typed } from '../../../api/http/typed.js';
import {
  changeBooking,
  toChangeRequest,
  changeSchema,
  type ChangeBody,
} from '../../../api/resources/bookings/update.js';
import { previewChange } from '../../../commands/bookings/change/plan.js';
import type { Room } from '../../../db/entities/rooms.js';
import { findBookingMembers } from '../../../db/queries/workspaces/dashboard.js';
import { changesPlace } from '../../../domain/bookings/change.js';
import { describeCredits, describeDisputed } from '../../../domain/bookings/money.js';
import { ApiError } from '../../../domain/errors.js';
import { formatExtras, sameExtras } from '../../../domain/extras/extras.js';
import { toManualMethod } from '../../../domain/payments/methods.js';
import { describeRefundToStaff } from '../../../domain/payments/refund-parts.js';
import { can } from '../../../domain/policies.js';
import { extrasIn } from '../../../domain/rates/price-lines.js';
import { ENGLISH } from '../../../domain/words/words.js';
import type { extraRows } from '../../ui/extras.js';
import { createFormats } from '../../ui/formats.js';
import { action, form, type Sent } from '../forms/form.js';
import { confirmedAmount, type Input } from '../forms/inputs.js';
import { toBooker } from '../shared/booking-table.js';
import type { Confirmation } from '../shared/confirmation.js';
import { Choice, Select } from '../shared/fields.js';
import type { EnteredTimes } from '../shared/time-fields.js';
import type { OneBooking } from './booking-in-path.js';
import { creditsOfChange, differenceToBooker } from './difference-words.js';
import { detailsInputs, extrasInput, FixedPlace, roomInput, timesInput, toBooked } from './inputs.js';
import { RefundTerms } from './refund-terms.js';
import { differenceInput, differenceTaken, paymentTaken, takenSchema } from './take-payment.js';

/** A booking and its new room. */
export interface Changing extends OneBooking {
  to: Room;
  /** What the form shows; missing when it is submitted. */
  shown?: {
    asked: Partial<EnteredTimes> & { room_id: string };
    rooms: (readonly [id: string, name: string])[];
    extras: ReturnType<typeof extraRows>;
    byStaff: boolean;
    /** Why room and start cannot be changed, nor the end, unless `lengthens`. */
    fixed: string | null;
    lengthens: boolean;
  };
}

/** The choice of a booker to pay what a change costs by a link. */
const payByLink: Input<Changing> = {
  fields: (name) => ({ [name]: joi.valid('on') }),
  read: (name, form) => (form[name] ? { [name]: true } : {}),
  Show: ({ name, shown: { data } }) =>
    data.shown!.byStaff || data.booking.processor_payment_intent_id === null ? null : (
      <Choice name={name}>
        If the price increases, pay by link instead of charging the card that you used
      </Choice>
    ),
  wide: () => true,
  called: () => ({}),
};

/**
 * Only the dashboard can leave the card uncharged, take the difference in the same step, and require the
 * difference that it showed.
 */
const change = action({
  capability: 'own_bookings',
  body: typed<ChangeBody, joi.ObjectSchema>(
    changeSchema.keys({
      pay_by_link: joi.boolean(),
      taken: takenSchema,
      expected_difference_minor: joi.number(),
    }),
  ),
  run: (input, caller, deps) =>
    changeBooking.run({ ...input, params: input.params as { id: string } }, caller, deps),
});

export const changeForm = form(
  change,
  {
    room_id: roomInput<Changing>(({ name, shown: { ctx, data } }) => {
      const { fixed, lengthens, rooms, asked } = data.shown!;
      return fixed ? (
        <FixedPlace ctx={ctx} booking={data.booking} lengthens={lengthens} why={fixed} />
      ) : (
        <Select name={name} label="Room" options={rooms} chosen={[asked.room_id]} />
      );
    }),
    times: timesInput<Changing>(({ shown }) => ({
      of: shown!.asked,
      fixed: shown!.fixed ? (shown!.lengthens ? 'start' : 'both') : undefined,
    })),
    ...detailsInputs,
    extras: extrasInput<Changing>(({ shown }) => (shown!.fixed && !shown!.lengthens ? [] : shown!.extras)),
    difference: differenceInput<Changing>(({ booking, shown }) =>
      shown!.byStaff && booking.status === 'confirmed' ? booking : null,
    ),
    pay_by_link: payByLink,
    expected_difference_minor: confirmedAmount,
  },
  {
    button: 'Review change',
    of: ({ booking }) => toBooked(booking),
    onlyChanges: true,
    entry: ({ booking: { currency }, to: { time_zone } }) => ({ currency, time_zone }),
    body({ taken, pay_by_link, expected_difference_minor, ...changes }, { ctx, data: { booking } }) {
      if (Object.keys(changes).length === 0) throw new ApiError('validation_failed', 'No changes.');
      const hasCard = booking.processor_payment_intent_id !== null;
      const takes = can(ctx.state.membership!.role, 'all_bookings') && taken;
      return {
        ...changes,
        // If only the payer can pay, they get a link.
        on_authentication: 'link',
        ...(hasCard && pay_by_link ? { pay_by_link } : {}),
        ...(takes ? { taken } : {}),
        ...(expected_difference_minor !== undefined && { expected_difference_minor }),
      };
    },
    confirm: confirmation,
    notice({ booking: { price }, adjustment, pending }, { body: { taken }, ctx }) {
      if (pending)
        return can(ctx.state.membership!.role, 'all_bookings')
          ? 'The change takes effect once it is paid. Take the payment on the booking’s page, or send ' +
              'the payer the link.'
          : 'The change takes effect once you have paid. Open the payment page from the booking.';
      const { currency } = price;
      const amount_minor = adjustment?.amount_minor ?? 0;
      if (taken && amount_minor > 0)
        return paymentTaken(ctx, {
          kind: 'top_up',
          amount_minor,
          currency,
          method: toManualMethod(taken.method),
        });
      const shown = createFormats(ctx).amount(Math.abs(amount_minor), currency);
      if (amount_minor === 0) return 'Booking changed. Nothing was charged or refunded.';
      return `Booking changed. ${shown} ${amount_minor > 0 ? 'was charged' : 'is being refunded'}.`;
    },
    to: (_, { params }) => `/bookings/${params.id}`,
  },
);

async function confirmation(
  { body, data: { booking }, ctx }: Sent<ChangeBody, Changing>,
  deps: ApiDependencies,
): Promise<Confirmation> {
  const { workspace_id, id: booking_id, currency } = booking;
  const { role, workspace_name } = ctx.state.membership!;
  const request = toChangeRequest(body, role);
  const preview = await previewChange(deps.db, { workspace_id, booking_id, request });
  const isBooker = !can(role, 'all_bookings');
  const formats = createFormats(ctx);
  const amount = (amount_minor: number): string => formats.amount(amount_minor, currency);
  const { charge_minor, refund_minor, price_minor, plan, payment, to } = preview;
  const { move } = plan;
  const who = toBooker(booking, await findBookingMembers(deps.db.manager, workspace_id, [booking]));
  const isMoved = move !== null && changesPlace(booking, move);
  const extras = move && extrasIn({ pricing: move.pricing ?? null });
  const after = isMoved && {
    start_at: new Date(move.start_at),
    end_at: new Date(move.end_at),
    time_zone: to.time_zone,
    refund_caps: move.refund_caps,
  };
  const takes = payment === 'desk' && request.taken;
  const whyByLink = request.pay_by_link
    ? ''
    : `${creditsOfChange(booking)}No card was used for the booking. `;
  const forStaff = takes
    ? differenceTaken(takes, amount(charge_minor))
    : payment === 'link'
      ? `${whyByLink}The change takes effect once ${amount(charge_minor)} is paid. Take the payment ` +
        `at the desk, or send the payer the payment link.${isMoved ? ' Both slots are held until then.' : ''}`
      : charge_minor > 0
        ? `${amount(charge_minor)} is charged to the card the booking was paid with. If the bank ` +
          'asks the payer to authenticate, you get a link to send them. If the charge is ' +
          'declined, nothing changes.'
        : refund_minor > 0
          ? describeRefundToStaff(preview, amount)
          : 'Nothing is charged or refunded.';
  const difference = isBooker
    ? differenceToBooker(preview, { ...booking, isMoved }, amount, workspace_name)
    : forStaff;
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
          <dd>{who.name ? `${who.name} (${who.email})` : 'an erased booker'}</dd>
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
              <dd>{formatExtras(extras) || 'none'}</dd>
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
        {after && (
          <RefundTerms
            ctx={ctx}
            terms={{ steps: to.refund_steps, extras: extras ?? [], cap: preview.later_percent }}
            booking={{ ...after, currency, price_minor, is_unpaid: preview.is_unpaid }}
          />
        )}
        {move && (
          <p class="soft">
            {isBooker ? 'You get' : 'The booker gets'} an email with the change and the amounts.
          </p>
        )}
      </>
    ),
    button: takes
      ? `Change and record ${amount(charge_minor)} as paid`
      : payment === 'link'
        ? isBooker
          ? `${isMoved ? 'Hold both times' : 'Hold the change'} and pay ${amount(charge_minor)}`
          : `${isMoved ? 'Hold both slots' : 'Hold the change'} until ${amount(charge_minor)} is paid`
        : charge_minor > 0
          ? `Change and charge ${amount(charge_minor)}`
          : refund_minor > 0
            ? `Change and refund ${amount(refund_minor)}`
            : 'Change booking',
    amounts: { expected_difference_minor: charge_minor - refund_minor },
  };
}
