import type { ComponentChildren } from 'preact';
import type { BookingRow } from '../../../db/queries/bookings/booking.js';
import type { TimelineEntry } from '../../../db/queries/bookings/timeline.js';
import type { PresentedBooking } from '../../../domain/presenters/booking.js';
import type { PresentedPendingChange } from '../../../domain/presenters/pending-change.js';
import { formatAmount, formatClock, formatSpan } from '../../ui/format.js';
import { spaced } from '../../ui/formats.js';

/** What a kind of entry is about. */
export type Facts<Kind extends TimelineEntry['kind']> = (TimelineEntry & { kind: Kind })['facts'];

/** What happened, in words, with what belongs to it in small print. */
export interface Shown {
  what: ComponentChildren;
  detail?: ComponentChildren;
  /** Something that did not work. */
  bad?: boolean;
}

/** How amounts and times of a booking are written. */
export interface Formats {
  booking: BookingRow;
  locale: string;
}

const CONFIRMED_BY: Record<string, string> = {
  success_page: 'the payer returned from the checkout, and the payment processor confirmed the payment',
  platform_webhook: 'the payment processor’s platform webhook reported the payment',
  connect_webhook: 'the payment processor’s Connect webhook reported the payment',
  scheduler_self_heal: 'a check with the payment processor found the payment',
};

const UNSENT = {
  unsubscribed: 'not subscribed',
  no_endpoint: 'no endpoint',
  disabled: 'endpoint disabled',
  earlier: 'before the endpoint was registered',
};

function deliveryOf({ type, delivery, unsent }: Facts<'event'>): string {
  if (!delivery) return `Event ${type}: ${unsent ? `not sent: ${UNSENT[unsent]}` : 'queued'}`;
  const { attempt, status_code, error } = delivery;
  const tries = attempt === 1 ? '' : ` on attempt ${attempt}`;
  if (status_code && status_code < 300) return `Event ${type}: delivered${tries}`;
  return `Event ${type}: attempt ${attempt} failed (${status_code ?? spaced(error ?? 'no response')})`;
}

/** The changed fields of a booking, before and after. */
function differences({ object, previous }: Facts<'event'>, { booking, locale }: Formats): string[] {
  const after = object as unknown as PresentedBooking;
  const before = { ...after, ...previous } as PresentedBooking;
  const span = ({ start_at, end_at }: PresentedBooking): string =>
    formatSpan(
      { start_at: new Date(start_at), end_at: new Date(end_at), time_zone: booking.time_zone },
      new Date(),
      locale,
    );
  const shown: [string, (of: PresentedBooking) => string][] = [
    ['Time', span],
    ['Room', ({ room }) => room.name],
    ['Price', ({ price }) => formatAmount(price, locale)],
    ['Attendees', ({ attendees }) => String(attendees)],
    ['Notes', ({ notes }) => notes ?? 'none'],
  ];
  return shown
    .map(([name, of]) => [name, of(before), of(after)] as const)
    .filter(([, old, now]) => old !== now)
    .map(([name, old, now]) => `${name}: ${old} → ${now}`);
}

/** Until when a pending change can be paid, and what it costs. */
function lapsesOf({ object }: Facts<'event'>, { booking, locale }: Formats): string {
  const { pending_change } = object as { pending_change?: PresentedPendingChange };
  if (!pending_change) return '';
  const { amount_minor, expires_at } = pending_change;
  const amount = formatAmount({ amount_minor, currency: booking.currency }, locale);
  return ` of ${amount} until ${formatClock(new Date(expires_at), booking.time_zone, locale)}`;
}

/** An event of a booking, with what changed and what became of its delivery. */
export function showEvent(facts: Facts<'event'>, formats: Formats): Shown {
  const { booking, locale } = formats;
  const object = facts.object as unknown as PresentedBooking;
  const delivery = deliveryOf(facts);
  const until = object.expires_at && formatClock(new Date(object.expires_at), booking.time_zone, locale);
  const source = CONFIRMED_BY[object.confirmation_source ?? ''];
  const what: Record<string, string> = {
    'booking.created': until ? `Held until ${until}` : 'Requested',
    'booking.confirmed': `Confirmed: ${source ?? (booking.account_days === null ? 'free of charge' : 'on account')}`,
    'booking.expired': 'Expired: not paid in time; the slot was released',
    'booking.cancelled': 'Cancelled: the slot was released',
    'booking.completed': 'Completed',
    'booking.no_show': 'Marked as no-show',
    'booking.updated': 'Changed',
    'booking.change_pending': `A change is awaiting payment${lapsesOf(facts, formats)}`,
    'booking.change_lapsed': 'A change was not paid in time; the booking stays as it is',
  };
  const changes = facts.type === 'booking.updated' ? differences(facts, formats) : [];
  return {
    what: what[facts.type] ?? facts.type,
    detail: (
      <>
        {changes.map((change) => (
          <span key={change}>
            {change}
            <br />
          </span>
        ))}
        {delivery}
      </>
    ),
  };
}
