import type { ComponentChildren } from 'preact';
import type { BookingRow } from '../../../db/repositories/bookings/booking-queries.js';
import type { TimelineEntry } from '../../../db/repositories/bookings/timeline-queries.js';
import type { PresentedBooking } from '../../../domain/presenters/booking.js';
import type { PresentedPendingChange } from '../../../domain/presenters/pending-change.js';
import { declineInWords, MAIL_NAMES, mailFailure } from '../shared/causes.js';
import { formatAmount, formatClock, formatDay, formatMoment, formatSpan, Id } from '../shared/format.js';
import { sentenceCase, spaced } from '../shared/formats.js';

type Facts<Kind extends TimelineEntry['kind']> = (TimelineEntry & { kind: Kind })['facts'];

/** What happened, in words, with what belongs to it in small print. */
interface Shown {
  what: ComponentChildren;
  detail?: ComponentChildren;
  /** Something that did not work. */
  bad?: boolean;
}

/** How amounts and times of a booking are written. */
interface Formats {
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

function showEvent(facts: Facts<'event'>, formats: Formats): Shown {
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

const PAID: Record<string, string> = {
  charge: 'paid at the checkout',
  top_up: 'paid for a change',
};

function showPayment(facts: Facts<'payment'>, { booking, locale }: Formats): Shown {
  const amount = formatAmount({ amount_minor: facts.amount_minor, currency: booking.currency }, locale);
  if (facts.status === 'failed') return { what: `A payment of ${amount} failed`, bad: true };
  if (facts.late)
    return {
      what: `${amount} arrived when it was no longer due, and is refunded in full`,
      bad: true,
    };
  return { what: `${amount} ${PAID[facts.kind] ?? `paid by ${spaced(facts.method)}`}` };
}

const REFUND_STATES: Record<string, string> = {
  pending: 'is pending at the payment processor',
  succeeded: 'succeeded',
  failed: 'failed: the payer did not receive the money',
};

function showRefund(facts: Facts<'refund'>, { booking, locale }: Formats): Shown {
  const amount = formatAmount({ amount_minor: facts.amount_minor, currency: booking.currency }, locale);
  const settled = facts.settled_at && formatMoment(new Date(facts.settled_at), booking.time_zone, locale);
  const reason = facts.reason && facts.reason !== 'other' ? `Reason: ${spaced(facts.reason)}.` : '';
  return {
    what: `A refund of ${amount} ${REFUND_STATES[facts.status] ?? facts.status}`,
    detail: [reason, settled && facts.status !== 'pending' ? `Settled ${settled}.` : ''].join(' ').trim(),
    bad: facts.status === 'failed',
  };
}

const sentence = (words: string): string => `${sentenceCase(words)}.`;

function showMail({ kind, status, failure_code }: Facts<'mail'>): Shown {
  const name = MAIL_NAMES[kind];
  if (status === 'sent') return { what: `${name} emailed to the payer` };
  if (status === 'skipped' && (kind === 'booking_held' || kind === 'booking_change_pending'))
    return { what: `${name} not emailed: no longer needed` };
  if (status === 'skipped') return { what: `${name} not emailed: no recipient left` };
  if (status === 'failed')
    return {
      what: `${name} could not be emailed`,
      detail: failure_code && sentence(mailFailure(failure_code)),
      bad: true,
    };
  return {
    what: `${name} is queued`,
    detail: failure_code && `${sentence(mailFailure(failure_code))} This is retried.`,
  };
}

const POLICIES = { standard: "the room's refund terms", full: 'a full refund', none: 'no refund' };

/** A change that was asked for: ` to Tue 24 Nov, 10:00–12:00, for £30.00 more`. */
function moveInWords({ move }: Facts<'change'>, { booking, locale }: Formats): string {
  if (!move) return '';
  const { time_zone, currency } = booking;
  const span = { start_at: new Date(move.start_at), end_at: new Date(move.end_at), time_zone };
  const more = formatAmount({ amount_minor: move.difference_minor, currency }, locale);
  return ` to ${formatSpan(span, locale)}${move.difference_minor > 0 ? `, for ${more} more,` : ''}`;
}

function showChange(facts: Facts<'change'>, formats: Formats): Shown | null {
  const { kind, state, outcome, by, by_link, with_key, reason } = facts;
  const who = by_link
    ? 'the payer using the booking link'
    : `${by ?? 'a former member'}${with_key ? ' with an API key' : ''}`;
  const noun = kind === 'cancel' ? 'cancellation' : 'change';
  if (outcome?.kind === 'refused')
    return {
      what: `A ${noun}${moveInWords(facts, formats)} by ${who} was not applied`,
      detail: outcome.message,
      bad: outcome.code === 'service_unavailable',
    };
  if (state === 'charging')
    return {
      what: `A change by ${who} is waiting for the card charge`,
      detail: 'Both slots are held.',
    };
  if (state === 'opening' || state === 'pending')
    return { what: `A change by ${who} is awaiting payment by the payer`, detail: 'Both slots are held.' };
  if (outcome?.kind !== 'done') return { what: `A ${noun} was requested by ${who}`, detail: 'In progress.' };
  if (kind === 'cancel' && !outcome.refund_policy) return null;
  const policy = outcome.refund_policy && `, with ${POLICIES[outcome.refund_policy]}`;
  return {
    what: `${kind === 'cancel' ? 'Cancelled' : 'Changed'} by ${who}${policy ?? ''}`,
    detail: reason && `Reason: “${reason}”`,
  };
}

function show(entry: TimelineEntry, formats: Formats): Shown | null {
  const { booking, locale } = formats;
  switch (entry.kind) {
    case 'session': {
      const { amount_minor, for_change } = entry.facts;
      return {
        what: `${for_change ? 'Payment link for a change' : 'Requested; checkout'} opened for ${formatAmount({ amount_minor, currency: booking.currency }, locale)}`,
        detail: entry.facts.session_id && <Id of={entry.facts.session_id} />,
      };
    }
    case 'decline':
      return {
        what: `The card was declined ${entry.facts.for_change ? 'on the payment page of a change' : 'at the checkout'} (${declineInWords(entry.facts.code)})`,
        detail: 'Nothing was charged. The payer can try again or use another card.',
        bad: true,
      };
    case 'event':
      return showEvent(entry.facts, formats);
    case 'payment':
      return showPayment(entry.facts, formats);
    case 'refund':
      return showRefund(entry.facts, formats);
    case 'mail':
      return showMail(entry.facts);
    case 'change':
      return showChange(entry.facts, formats);
  }
}

/** What has happened to a booking, oldest first, in words and in the room's time. */
export function Timeline({ entries, ...formats }: { entries: TimelineEntry[] } & Formats) {
  const { booking, locale } = formats;
  let before = '';
  return (
    <>
      <p class="soft">Times are in {booking.time_zone}.</p>
      <ol class="timeline card">
        {entries.map((entry, index) => {
          const shown = show(entry, formats);
          if (!shown) return null;
          const day = formatDay(entry.at, booking.time_zone, locale);
          const heading = day === before ? null : <b>{day}</b>;
          before = day;
          return (
            <li key={index} class={shown.bad ? 'bad' : undefined}>
              {heading}
              <time dateTime={entry.at.toISOString()}>
                {formatClock(entry.at, booking.time_zone, locale)}
              </time>
              <div>
                {shown.what}
                {shown.detail && <small>{shown.detail}</small>}
              </div>
            </li>
          );
        })}
      </ol>
    </>
  );
}
