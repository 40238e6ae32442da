import joi from 'joi';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext } from '../../../api/http/context.js';
import { typed } from '../../../api/http/typed.js';
import {
  assertMayRefund,
  cancelBooking,
  cancelSchema,
  toCancelRequest,
  type CancelBody,
} from '../../../api/resources/bookings/cancel.js';
import {
  quoteCancellation,
  deskLimits,
  type PossibleCancellation,
} from '../../../api/resources/bookings/cancellation-refunds.js';
import type { BookingRow } from '../../../db/queries/bookings/booking.js';
import { findBookingMoney } from '../../../db/queries/bookings/money.js';
import { findRoom } from '../../../db/queries/rooms/room.js';
import { findBookingMembers, type BookingMember } from '../../../db/queries/workspaces/dashboard.js';
import { toRefundChoice, whyNotChoose } from '../../../domain/bookings/cancellation.js';
import {
  describeDisputed,
  describeEarlierRefunds,
  isUnpaidOnAccount,
} from '../../../domain/bookings/money.js';
import { isUnproven } from '../../../domain/bookings/origin.js';
import { REFUND_POLICIES, type RefundPolicy } from '../../../domain/bookings/refund-policy.js';
import { ApiError, refusalError } from '../../../domain/errors.js';
import { describeDeskLimit } from '../../../domain/payments/desk-refund.js';
import { describeRefundToStaff } from '../../../domain/payments/refund-parts.js';
import { can } from '../../../domain/policies.js';
import { extrasIn } from '../../../domain/rates/price-lines.js';
import { ENGLISH } from '../../../domain/words/words.js';
import { createFormats } from '../../ui/formats.js';
import { moneyField } from '../forms/fields.js';
import { action, form, type Sent } from '../forms/form.js';
import { confirmedAmount, type Input } from '../forms/inputs.js';
import type { PageRequest } from '../forms/page.js';
import { toBooker } from '../shared/booking-table.js';
import type { Confirmation } from '../shared/confirmation.js';
import { Choices, TextField } from '../shared/fields.js';
import { amountEntered } from '../shared/money-field.js';
import type { OneBooking } from './booking-in-path.js';
import { RefundTerms } from './refund-terms.js';

/** The option to enter an amount instead of a policy. */
const AMOUNT = 'amount';
const AMOUNT_FIELD = 'refund_amount_minor';

/** What the form to cancel a booking offers. */
interface Asked {
  isBooker: boolean;
  /** Refund options; null if nothing was paid. */
  refund: {
    label: string;
    /** Each policy that the role may choose, with what it refunds now. */
    policies: (readonly [RefundPolicy, string])[];
    /** The label of the amount; null if it cannot be entered. */
    amount: string | null;
    /** Why there are not more options. */
    limit: string | null;
  } | null;
}

interface Cancelling extends OneBooking {
  /** Null for a booking that cannot be cancelled, and when the form is submitted. */
  cancelling: Asked | null;
}

/** The refund: a policy or an amount. */
const refund: Input<Cancelling> = {
  fields: (name) => ({
    [name]: joi.string().trim().allow(''),
    [AMOUNT_FIELD]: moneyField(joi.string().trim().allow('')),
  }),
  read(name, submitted, { entry }) {
    const [policy, amount] = [submitted[name], submitted[AMOUNT_FIELD]].map(
      (value) => [value ?? []].flat()[0],
    );
    const entered = amountEntered(amount, entry.currency, AMOUNT_FIELD);
    if (policy === AMOUNT) return { [AMOUNT_FIELD]: entered };
    if (entered !== null)
      throw new ApiError(
        'validation_failed',
        'To refund this amount, choose “An amount”; otherwise leave it empty.',
        { param: AMOUNT_FIELD },
      );
    return { [name]: policy };
  },
  Show({ name, shown: { data } }) {
    const choice = data.cancelling!.refund;
    if (!choice) return <input type="hidden" name={name} value="standard" />;
    return (
      <>
        <Choices
          type="radio"
          name={name}
          label={choice.label}
          options={[...choice.policies, ...(choice.amount ? [[AMOUNT, 'An amount'] as const] : [])]}
          chosen={[choice.policies[0]![0]]}
        />
        {choice.amount && (
          <div data-chooses={`[name=${name}][value=${AMOUNT}]`}>
            <TextField name={AMOUNT_FIELD} label={choice.amount} optional={false} inputMode="decimal" />
          </div>
        )}
        {choice.limit && <p class="soft">{choice.limit}</p>}
      </>
    );
  },
  wide: () => true,
  called: () => ({}),
};

/** Only the dashboard can require the refund that it showed. */
const cancel = action({
  capability: 'own_bookings',
  body: typed<CancelBody, joi.ObjectSchema>(cancelSchema.keys({ expected_refund_minor: joi.number() })),
  run: (input, caller, deps) =>
    cancelBooking.run({ ...input, params: input.params as { id: string } }, caller, deps),
});

export const cancelForm = form(
  cancel,
  {
    reason: {
      label: ({ cancelling }: Cancelling) => (cancelling!.isBooker ? 'Reason' : 'Reason for the booker'),
    },
    refund_policy: refund,
    notify_attendees: {
      label: ({ cancelling }) => (cancelling!.isBooker ? 'Email me the confirmation' : 'Email the booker'),
      initial: 'on',
      when: ({ booking }) => !isUnproven(booking),
    },
    expected_refund_minor: confirmedAmount,
  },
  {
    path: '/cancel',
    summary: 'Cancel booking',
    button: 'Review cancellation',
    rare: true,
    entry: ({ booking: { currency } }) => ({ currency }),
    body: (entered) => ({ ...entered, reason: entered.reason || null }),
    confirm: confirmation,
    notice: () => 'Booking cancelled.',
  },
);

async function confirmation(
  { body, data, ctx }: Sent<CancelBody, Cancelling>,
  deps: ApiDependencies,
): Promise<Confirmation> {
  const { booking } = data;
  const isBooker = !can(ctx.state.membership!.role, 'all_bookings');
  const choice = toRefundChoice(toCancelRequest(body));
  await assertMayRefund(deps, booking, choice, ctx.state.principal.role);
  const shown = await quoteCancellation(deps, booking, choice);
  if (shown.kind === 'refused') throw refusalError(shown.refusal);
  const { manager } = deps.db;
  const members = await findBookingMembers(manager, booking.workspace_id, [booking]);
  const room = await findRoom(manager, booking.workspace_id, booking.room_id);
  const money = await findBookingMoney(manager, booking.id);
  const amount = amountIn(ctx, booking);
  const refund_minor = shown.kind === 'refund' ? shown.refund_minor : 0;
  const button = refund_minor > 0 ? `Cancel and refund ${amount(refund_minor)}` : 'Cancel without a refund';
  const isRefund = shown.kind === 'refund' && booking.status !== 'pending_payment';
  return {
    title: 'Cancel this booking?',
    at: '/bookings',
    effects: (
      <>
        <CancelledBooking ctx={ctx} booking={booking} who={toBooker(booking, members)} />
        {choice === 'standard' && booking.status !== 'pending_payment' && (
          <RefundTerms
            ctx={ctx}
            terms={{ steps: room!.refund_steps, extras: extrasIn(booking), cap: booking.refund_percent_cap }}
            booking={{ ...booking, is_unpaid: isUnpaidOnAccount(money) }}
          />
        )}
        <p>
          {booking.status === 'pending_payment'
            ? 'The slot is released immediately and the payment page is closed. Nothing has been paid.'
            : `The slot is released immediately. ${describeCancellationEffect(shown, amount)}`}{' '}
          {body.notify_attendees && !isUnproven(booking)
            ? `${isBooker ? 'You get' : 'The booker gets'} an email with the amounts.`
            : `${isBooker ? 'You get' : 'The booker gets'} no email.`}{' '}
          This cannot be undone.
        </p>
      </>
    ),
    button: isRefund ? button : 'Cancel booking',
    danger: true,
    amounts: { expected_refund_minor: shown.kind === 'refund' ? shown.refund_minor : shown.waived_minor },
  };
}

/** The booking to be cancelled, and its booker. */
function CancelledBooking(props: { ctx: ApiContext; booking: BookingRow; who: Partial<BookingMember> }) {
  const { ctx, booking, who } = props;
  const { amount, span } = createFormats(ctx);
  return (
    <p>
      {booking.room_name}, {span(booking)}, booked by{' '}
      {who.name ? `${who.name} (${who.email})` : 'an erased booker'} for{' '}
      {amount(booking.price_minor, booking.currency)}.
    </p>
  );
}

const amountIn =
  (ctx: ApiContext, { currency }: BookingRow) =>
  (amount_minor: number): string =>
    createFormats(ctx).amount(amount_minor, currency);

function describeCancellationEffect(shown: PossibleCancellation, amount: (minor: number) => string): string {
  if (shown.kind === 'refund')
    return [
      ...describeDisputed(ENGLISH, shown, amount),
      ...describeEarlierRefunds(ENGLISH, shown, amount),
      describeRefundToStaff(shown, amount),
    ].join(' ');
  const { waived_minor, kept_minor } = shown;
  if (waived_minor === 0) return `Booked on account: ${amount(kept_minor)} remains due.`;
  if (kept_minor === 0) return `Booked on account: ${amount(waived_minor)} is no longer due.`;
  const [waived, kept] = [amount(waived_minor), amount(kept_minor)];
  return `Booked on account: ${waived} is no longer due, and ${kept} remains due.`;
}

/** The option of a policy, with its effect. */
function labelPolicy(
  policy: RefundPolicy,
  shown: PossibleCancellation,
  amount: (minor: number) => string,
): string {
  if (shown.kind === 'refund') {
    const refund = amount(shown.refund_minor);
    return { standard: `Room terms: ${refund}`, full: `Full: ${refund}`, none: 'None' }[policy];
  }
  const due = shown.kept_minor === 0 ? 'nothing remains due' : `${amount(shown.kept_minor)} remains due`;
  return { standard: `Room terms: ${due}`, full: 'Nothing', none: `Everything: ${due}` }[policy];
}

/** Options of the form to cancel a booking: what each policy refunds now. */
export async function findCancelling(
  { ctx, caller: { role } }: PageRequest,
  deps: ApiDependencies,
  booking: BookingRow,
): Promise<Asked> {
  const isBooker = !can(role, 'all_bookings');
  if (booking.status === 'pending_payment' || booking.price_minor === 0) return { isBooker, refund: null };
  const amount = amountIn(ctx, booking);
  const quotes = await Promise.all(
    REFUND_POLICIES.map(async (policy) => [policy, await quoteCancellation(deps, booking, policy)] as const),
  );
  const limits = await deskLimits(deps, booking, role);
  const policies = quotes.flatMap(([policy, shown]) =>
    shown.kind === 'refused' || (whyNotChoose(policy, role) ?? limits?.whyNot(policy))
      ? []
      : [[policy, labelPolicy(policy, shown, amount)] as const],
  );
  const full = Object.fromEntries(quotes).full!;
  const { currency } = booking;
  const left_minor = full.kind === 'refund' ? full.refund_minor : 0;
  const most_minor = Math.min(left_minor, limits?.maximum_minor ?? left_minor);
  const choosesAmount = most_minor > 0 && !whyNotChoose(0, role);
  const isLimited = limits && limits.maximum_minor < left_minor;
  return {
    isBooker,
    refund: {
      label: full.kind === 'refund' ? 'Refund' : 'Amount still due',
      policies,
      amount: choosesAmount ? `Amount to refund (${currency}), at most ${amount(most_minor)}` : null,
      limit:
        full.kind === 'refused'
          ? full.refusal.message
          : isLimited
            ? describeDeskLimit(limits.maximum_minor, currency)
            : null,
    },
  };
}
