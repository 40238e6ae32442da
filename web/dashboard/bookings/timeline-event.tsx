import { formatExtras } from '../../../domain/extras/extras.js';
import type { ComponentChildren } from 'preact';
import type { BookingRow } from '../../../db/queries/bookings/booking.js';
import type { Act, Person, TimelineEntry } from '../../../db/queries/bookings/timeline.js';
import type { PresentedBooking } from '../../../domain/bookings/booking-presenter.js';
import type { BookingWithPendingChange } from '../../../domain/bookings/pending-change-presenter.js';
import type { PendingEnd } from '../../../domain/bookings/pending-change.js';
import { formatMetadata } from '../forms/metadata.js';
import type { Fact } from '../shared/action.js';
import { DETAIL_LABELS } from './inputs.js';
import { spaced, type Formats } from '../../ui/formats.js';
import { formatHourCredits } from '../../../domain/display.js';

export type EntryFacts<Kind extends TimelineEntry['kind']> = (TimelineEntry & { kind: Kind })['facts'];

type EventEntry = TimelineEntry & { kind: 'event' };

/** What happened, in words, with what belongs to it in small print. */
export interface Shown {
  what: ComponentChildren;
  detail?: ComponentChildren;
  /** Ids, and what is of use to developers; closed at first. */
  facts?: Fact[];
  /** Something that did not work. */
  bad?: boolean;
}

/** A booking, and how its amounts and times are written: in its zone. */
export interface TimelineContext {
  booking: BookingRow;
  formats: Formats;
  /** The reader is the booker, not staff. */
  isBooker?: boolean;
}

/** How a payment was confirmed, and which of the four layers confirmed it. */
const CONFIRMED_BY: Record<string, { says: string; layer: string }> = {
  success_page: { says: 'by Stripe', layer: 'The payer’s return from the payment page' },
  platform_webhook: { says: 'by Stripe', layer: 'Stripe’s platform webhook' },
  connect_webhook: { says: 'by Stripe', layer: 'Stripe’s Connect webhook' },
  scheduler_self_heal: { says: 'by a check with Stripe', layer: 'A check with Stripe' },
};

const UNSENT: Record<string, string> = {
  unsubscribed: 'not subscribed',
  disabled: 'endpoint disabled',
  earlier: 'before the endpoint was registered',
};

/** The delivery of an event; null if the workspace receives no events. */
function describeDelivery({ delivery, unsent }: EntryFacts<'event'>): { says: string; bad?: true } | null {
  if (!delivery && unsent === 'no_endpoint') return null;
  if (!delivery) return { says: unsent ? `Not sent: ${UNSENT[unsent]}` : 'Queued' };
  const { attempt, status_code, error } = delivery;
  const tries = attempt === 1 ? '' : ` on attempt ${attempt}`;
  if (status_code && status_code < 300) return { says: `Delivered${tries}` };
  return { says: `Attempt ${attempt} failed (${status_code ?? spaced(error ?? 'no response')})`, bad: true };
}

/** A field's name and its value. */
type Difference = readonly [string, (of: PresentedBooking) => string];

/** The changed fields of a booking, before and after. */
function differences(
  { object, previous }: EntryFacts<'event'>,
  { booking, formats, isBooker }: TimelineContext,
): string[] {
  const after = object as unknown as PresentedBooking;
  const before = { ...after, ...previous } as PresentedBooking;
  const span = ({ start_at, end_at }: PresentedBooking): string =>
    formats.span({ start_at: new Date(start_at), end_at: new Date(end_at), time_zone: booking.time_zone });
  const shown: Difference[] = [
    ['Time', span],
    ['Guest', ({ booked_by: { guest } }) => (guest ? `${guest.name} (${guest.email})` : 'a member')],
    ['Room', ({ room }) => room.name],
    ['Extras', ({ extras }) => formatExtras(extras) || 'none'],
    ['Price', ({ price }) => formats.money(price)],
    ['Hour credits', ({ tokens_used }) => String(tokens_used ?? 0)],
    ['Metadata', ({ metadata = {} }) => (isBooker ? '' : formatMetadata(metadata) || 'none')],
    ...DETAIL_LABELS.map(([name, label]): Difference => [label, (of) => String(of[name] ?? 'none')]),
  ];
  return shown
    .map(([name, of]) => [name, of(before), of(after)] as const)
    .filter(([, old, now]) => old !== now)
    .map(([name, old, now]) => `${name}: ${old} → ${now}`);
}

/** The person who acted: a member, with or without a key, or whoever has the manage link. */
export const describePerson = ({ by, with_key, by_link }: Person): string =>
  by_link
    ? 'someone with the manage link'
    : `${by ?? 'a former member'}${with_key ? ' with an API key' : ''}`;

const POLICIES: Record<NonNullable<Act['refund_policy']>, string> = {
  standard: 'the room’s refund terms',
  full: 'a full refund',
  none: 'no refund',
  amount: 'a refund of a chosen amount',
};

/** `, with no refund`. */
export const withRefund = (policy: Act['refund_policy'] | undefined): string =>
  policy ? `, with ${POLICIES[policy]}` : '';

/** Until when a pending change can be paid, and what it costs. */
function describePendingChange(
  { at, facts: { object } }: EventEntry,
  { booking, formats }: TimelineContext,
): string {
  const { pending_change } = object as Partial<BookingWithPendingChange>;
  if (!pending_change) return '';
  const { amount_minor, expires_at } = pending_change;
  const amount = formats.amount(amount_minor, booking.currency);
  return `: ${amount} due until ${formats.deadline(expires_at, at)}`;
}

/** How an unpaid change ended: `was withdrawn by Ada before it was paid; the booking stays as it is`. */
function unpaidEnd(ended: PendingEnd | null | undefined, by: string): string {
  if (ended === 'withdrawn') return `was withdrawn${by} before it was paid; the booking stays as it is`;
  if (ended === 'cancelled') return 'was not paid when the booking was cancelled';
  if (ended === 'over') return 'was not paid before the booking ended';
  return 'was not paid in time; the booking stays as it is';
}

/** `Booked by Ada: held until 10:30`. */
function createdBy(by: string, until: string | null): string {
  if (!by) return until ? `Held until ${until}` : 'Requested';
  return `Booked${by}${until ? `: held until ${until}` : ''}`;
}

type UnpaidFacts = Pick<BookingRow, 'account_days' | 'paid_at_desk' | 'hour_credits_used'>;

/** Why a booking was confirmed without a payment by card. */
function unpaidBy({ account_days, paid_at_desk, hour_credits_used }: UnpaidFacts): string {
  if (account_days !== null) return 'on account';
  if (paid_at_desk) return 'paid at the desk';
  return hour_credits_used > 0 ? `paid with ${formatHourCredits(hour_credits_used)}` : 'free of charge';
}

/** How a published booking was or will be paid: `paid`, `on account`, `free of charge`, … */
export const describeSettlement = (booking: BookingRow): string =>
  booking.confirmation_source ? 'paid' : unpaidBy(booking);

/** An event of a booking, with what changed and the outcome of its delivery. */
export function showEvent(entry: EventEntry, written: TimelineContext): Shown {
  const { at, facts } = entry;
  const { booking, formats, isBooker } = written;
  const object = facts.object as unknown as PresentedBooking & Partial<BookingWithPendingChange>;
  const delivery = isBooker ? null : describeDelivery(facts);
  const by = facts.act ? ` by ${describePerson(facts.act)}${withRefund(facts.act.refund_policy)}` : '';
  const change = `A change${facts.asked ? ` by ${describePerson(facts.asked)}` : ''}`;
  const until = object.expires_at && formats.deadline(object.expires_at, at);
  const paid = CONFIRMED_BY[object.confirmation_source ?? ''];
  // A change may have returned hour credits since.
  const { tokens_used: hour_credits_used = booking.hour_credits_used } = object;
  const unpaid = () => `Confirmed: ${unpaidBy({ ...booking, hour_credits_used })}`;
  const what: Record<string, string> = {
    'booking.created': createdBy(by, until),
    'booking.confirmed': !paid ? unpaid() : isBooker ? 'Confirmed: paid' : `Payment confirmed ${paid.says}`,
    'booking.expired': 'Expired: not paid in time; the slot was released',
    'booking.cancelled': `Cancelled${by}: the slot was released`,
    'booking.completed': 'Completed',
    'booking.no_show': `Marked as no-show${by}`,
    'booking.updated': `Changed${by}`,
    'booking.change_pending': `${change} is not paid yet${describePendingChange(entry, written)}`,
    'booking.change_lapsed': `${change} ${unpaidEnd(object.pending_change?.ended, by)}`,
  };
  const reason = facts.act?.reason;
  const confirmed = facts.type === 'booking.confirmed';
  const lines = [
    ...(reason ? [`Reason: “${reason}”`] : []),
    ...(confirmed && paid && !isBooker ? ['The booking is confirmed.'] : []),
    ...(facts.type === 'booking.updated' ? differences(facts, written) : []),
    ...(delivery?.bad ? [`Not delivered to your webhook. ${delivery.says}`] : []),
  ];
  return {
    what: what[facts.type] ?? facts.type,
    detail:
      lines.length > 0 &&
      lines.map((line) => (
        <span key={line}>
          {line}
          <br />
        </span>
      )),
    facts: isBooker
      ? []
      : [
          confirmed && paid && ['Confirmed by', paid.layer],
          delivery && ['Event', <code>{facts.type}</code>],
          delivery && ['Delivery', delivery.says],
        ],
  };
}
