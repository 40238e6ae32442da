import type { BookingRow } from '../../../db/queries/bookings/booking.js';
import { listRooms } from '../../../db/queries/rooms/room.js';
import { findBookingMembers, type BookingMember } from '../../../db/queries/workspaces/dashboard.js';
import type { BookingPlan } from '../../../domain/blackouts/plan.js';
import { refundChoiceToStaff } from '../../../domain/payments/refund-parts.js';
import { whyNotCancel } from '../../../domain/bookings/cancellation.js';
import { isUnproven } from '../../../domain/bookings/origin.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext } from '../../../api/http/context.js';
import {
  quoteCancellation,
  deskLimits,
  type PossibleCancellation,
} from '../../../api/resources/bookings/cancellation-refunds.js';
import { createFormats, type Formats } from '../../ui/formats.js';
import { toBooker } from '../shared/booking-table.js';
import { encodeChoice } from './choice.js';
import { movesFor } from './moves.js';
import type { Closed, AlternativeSlot } from './alternatives.js';

/** The choices that one button makes for all bookings, where possible. */
export const FOR_ALL = ['move', 'full', 'standard', 'tell', 'keep'] as const;
export type ForAll = (typeof FOR_ALL)[number];

export interface Option {
  value: string;
  label: string;
  plan: BookingPlan;
  /** The buttons for all bookings that choose it. */
  of: ForAll[];
}

/** A booking in the way of a blackout, what can be done with it, and what cannot, in sentences. */
export interface BookingInTheWay {
  booking: BookingRow;
  who: Partial<BookingMember>;
  paid: string;
  options: Option[];
  whyNot: string[];
}

/**
 * The options that the caller has for each booking. `told`: ids of bookings whose payers already have the
 * note.
 */
export async function choicesFor(
  ctx: ApiContext,
  deps: ApiDependencies,
  closed: Closed,
  bookings: BookingRow[],
  told: string[] = [],
): Promise<BookingInTheWay[]> {
  const { workspace_id } = ctx.state.membership!;
  const { manager } = deps.db;
  const members = await findBookingMembers(manager, workspace_id, bookings);
  const rooms = await listRooms(manager, { workspace_id, include_archived: false });
  const moves = await movesFor(deps, closed, bookings, rooms);
  const found: BookingInTheWay[] = [];
  for (const booking of bookings) {
    const who = toBooker(booking, members);
    const { places, whyNot } = moves.get(booking.id)!;
    const cancels = await quoteCancellations(ctx, deps, booking);
    const stays: Option[] = [
      ...(who.email && !told.includes(booking.id) && !isUnproven(booking)
        ? [option({ do: 'tell' }, 'Keep, and email the note to the booker', 'tell')]
        : []),
      option({ do: 'keep' }, 'Keep, without an email', 'keep'),
    ];
    const formats = createFormats(ctx);
    found.push({
      booking,
      who,
      paid: await describePaid(deps, booking),
      options: [
        ...places.map((place) =>
          option(place.plan, `Move to ${placeLabel(formats, place, booking)}`, 'move'),
        ),
        ...cancels.options,
        ...stays,
      ],
      whyNot: [
        ...whyNot,
        ...cancels.whyNot,
        ...(isUnproven(booking) ? ['Its booker gets no email: their address is not confirmed.'] : []),
      ],
    });
  }
  return found;
}

async function describePaid(deps: ApiDependencies, booking: BookingRow): Promise<string> {
  if (booking.price_minor === 0) return 'free';
  if (booking.status === 'pending_payment') return 'not paid yet';
  const { kind } = await quoteCancellation(deps, booking, 'full');
  return kind === 'refund' ? 'paid' : 'on account, not paid yet';
}

type Possible = Pick<BookingInTheWay, 'options' | 'whyNot'>;

const option = (plan: BookingPlan, label: string, ...of: ForAll[]): Option => ({
  value: encodeChoice(plan),
  label,
  plan,
  of,
});

/** Describes a slot, with what the payer gets back or does not. */
function placeLabel(
  { span, amount }: Formats,
  { plan, room, unreturned_minor }: AlternativeSlot,
  booking: BookingRow,
): string {
  const { start_at, end_at, difference_minor } = plan;
  const time = { start_at: new Date(start_at), end_at: new Date(end_at), time_zone: room.time_zone };
  const money = (minor: number) => amount(minor, booking.currency);
  return [
    room.id === booking.room_id ? span(time) : `${room.name}, same time`,
    difference_minor < 0 && `refund ${money(-difference_minor)}`,
    unreturned_minor > 0 && `the difference of ${money(unreturned_minor)} is not refunded`,
  ]
    .filter(Boolean)
    .join(', ');
}

/** The cancellations that the role may make, in full and by the room's terms; one if they are the same. */
async function quoteCancellations(
  ctx: ApiContext,
  deps: ApiDependencies,
  booking: BookingRow,
): Promise<Possible> {
  if (whyNotCancel(booking, new Date()))
    return { options: [], whyNot: ['It has ended and cannot be cancelled.'] };
  const amount = (minor: number): string => createFormats(ctx).amount(minor, booking.currency);
  const limits = await deskLimits(deps, booking, ctx.state.membership!.role);
  const [full, standard] = await Promise.all([
    quoteCancellation(deps, booking, 'full'),
    quoteCancellation(deps, booking, 'standard'),
  ]);
  if (standard.kind === 'refused') return { options: [], whyNot: [standard.refusal.message] };
  if (booking.status === 'pending_payment' || booking.price_minor === 0) {
    const words = booking.price_minor === 0 ? 'Cancel' : 'Cancel, nothing has been paid';
    return {
      options: [option(cancelPlan('standard', standard), words, 'full', 'standard')],
      whyNot: [],
    };
  }
  const refusal = limits?.whyNot('full') ?? null;
  const byTerms = (words: string): Option =>
    option(cancelPlan('standard', standard), `${words}, ${summarizeRefund(standard, amount)}`, 'standard');
  if (full.kind === 'refused')
    return { options: [byTerms('Cancel on room terms')], whyNot: [full.refusal.message] };
  const isSame = returnedMinor(full) === returnedMinor(standard);
  const inFull = option(cancelPlan('full', full), `Cancel, ${summarizeRefund(full, amount)}`, 'full');
  if (refusal)
    return {
      options: [byTerms(isSame ? 'Cancel' : 'Cancel on room terms')],
      whyNot: isSame
        ? []
        : [
            refusal.details.reason === 'desk_refund_limit'
              ? refusal.message
              : 'Only owners and admins can return its hour credits.',
          ],
    };
  return {
    options: isSame ? [{ ...inFull, of: ['full', 'standard'] }] : [inFull, byTerms('Cancel on room terms')],
    whyNot: [],
  };
}

const returnedMinor = (shown: PossibleCancellation): number =>
  shown.kind === 'refund' ? shown.refund_minor : shown.waived_minor;

const cancelPlan = (refund_policy: 'full' | 'standard', shown: PossibleCancellation): BookingPlan => ({
  do: 'cancel',
  refund_policy,
  refund_minor: returnedMinor(shown),
});

function summarizeRefund(shown: PossibleCancellation, amount: (minor: number) => string): string {
  if (shown.kind === 'owed')
    return shown.kept_minor === 0 ? 'nothing remains due' : `${amount(shown.kept_minor)} remains due`;
  return refundChoiceToStaff(shown, amount);
}
