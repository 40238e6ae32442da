import { changesPlace } from '../../../domain/bookings/change.js';
import type { TimelineEntry } from '../../../db/queries/bookings/timeline.js';
import type { RefundReason } from '../../../commands/payments/refunds.js';
import { RETURN_YOURSELF } from '../../../domain/payments/refund-parts.js';
import { byMethod, REFUND_REASON_NAMES } from '../payments/reasons.js';
import { disputeReason } from '../../../domain/payments/dispute-words.js';
import { OWN_MAILS, type MailKind } from '../../../domain/mail/kinds.js';
import type { DisputeEnd } from '../../../domain/states.js';
import { describeDecline, MAIL_NAMES, mailFailure } from '../shared/causes.js';
import { Facts } from '../shared/action.js';
import { Id } from '../shared/id.js';
import { sentenceCase } from '../../ui/formats.js';
import {
  describePerson,
  showEvent,
  withRefund,
  type EntryFacts,
  type Shown,
  type TimelineContext,
} from './timeline-event.js';

function showPayment(facts: EntryFacts<'payment'>, { booking, formats }: TimelineContext): Shown {
  const amount = formats.amount(facts.amount_minor, booking.currency);
  if (facts.status === 'failed') return { what: `A payment of ${amount} failed`, bad: true };
  if (facts.late)
    return {
      what: `${amount} arrived when it was no longer due and is refunded in full`,
      bad: true,
    };
  if (facts.by_autopay) return { what: `${amount} charged by autopay` };
  if (facts.kind === 'charge') return { what: `${amount} paid on the payment page` };
  const purpose = facts.kind === 'top_up' ? ' for a change' : '';
  const { recorded } = facts;
  return {
    what: `${amount} paid${purpose}${byMethod(facts.method)}`,
    detail: recorded && `Recorded by ${describePerson(recorded)}.`,
  };
}

function showRefund(facts: EntryFacts<'refund'>, { booking, formats, isBooker }: TimelineContext): Shown {
  const states: Record<string, string> = {
    pending: 'is pending',
    succeeded: 'succeeded',
    failed: `failed: ${isBooker ? 'you' : 'the payer'} did not receive the money`,
  };
  const amount = formats.amount(facts.amount_minor, booking.currency);
  const settled = facts.settled_at && formats.moment(new Date(facts.settled_at));
  const { recorded } = facts;
  const asked = recorded ? `Refunded by ${describePerson(recorded)}.` : '';
  const reason =
    facts.reason && facts.reason !== 'other'
      ? `Reason: ${REFUND_REASON_NAMES[facts.reason as RefundReason]}.`
      : '';
  const inTurn = (...parts: (string | null | undefined | false)[]) => parts.filter(Boolean).join(' ');
  if (facts.by_hand) {
    const returned = isBooker
      ? 'It was not paid online, so it is returned to you another way.'
      : RETURN_YOURSELF;
    return { what: `A refund of ${amount} is recorded`, detail: inTurn(asked, reason, returned) };
  }
  return {
    what: `A refund of ${amount} ${states[facts.status] ?? facts.status}`,
    detail: inTurn(asked, reason, settled && facts.status !== 'pending' && `Settled ${settled}.`),
    bad: facts.status === 'failed',
  };
}

const DISPUTE_ENDS: Record<DisputeEnd, string> = {
  won: 'was won: the payment stands',
  lost: 'was lost: the payer gets the money back',
  prevented: 'was resolved before it was opened',
};

function showDispute(
  { status, amount_minor, reason }: EntryFacts<'dispute'>,
  { booking, formats }: TimelineContext,
): Shown {
  const amount = formats.amount(amount_minor, booking.currency);
  return {
    what:
      status === 'inquiry' ? `A bank sent an inquiry about ${amount}` : `A dispute of ${amount} was opened`,
    detail: disputeReason(reason)?.says,
    bad: true,
  };
}

/** How a dispute ended: `The dispute of £30.00 was won: the payment stands`. */
function disputeEnd(
  { status, amount_minor }: EntryFacts<'dispute_ended'>,
  { booking, formats }: TimelineContext,
): string {
  return `The dispute of ${formats.amount(amount_minor, booking.currency)} ${DISPUTE_ENDS[status]}`;
}

/** The disputes of a booking that were lost, in the words of its timeline. */
export const lostDisputes = (entries: TimelineEntry[], written: TimelineContext): string[] =>
  entries.flatMap((entry) =>
    entry.kind === 'dispute_ended' && entry.facts.status === 'lost' ? [disputeEnd(entry.facts, written)] : [],
  );

function showDisputeMovement(
  { amount_minor }: EntryFacts<'dispute_movement'>,
  { booking, formats }: TimelineContext,
): Shown {
  const amount = formats.amount(Math.abs(amount_minor), booking.currency);
  return amount_minor < 0
    ? { what: `${amount} was withdrawn by the bank`, bad: true }
    : { what: `${amount} was returned by the bank` };
}

const sentence = (words: string): string => `${sentenceCase(words)}.`;

/**
 * Mails that are skipped if what they are about is over or has failed, and not only for lack of a recipient.
 */
const CAN_LOSE_PURPOSE: readonly MailKind[] = [
  'booking_held',
  'booking_change_pending',
  'booking_reminder',
  'booking_note',
  'payment_refunded',
  'late_payment_refunded',
];

function showMail(
  { kind, status, failure_code }: EntryFacts<'mail'>,
  { isBooker }: TimelineContext,
): Shown | null {
  if (isBooker && OWN_MAILS.includes(kind)) return null;
  const name = MAIL_NAMES[kind];
  if (status === 'sent') return { what: `${name} emailed to ${isBooker ? 'you' : 'the booker'}` };
  if (status === 'skipped' && failure_code === 'told')
    return { what: `${name} not emailed: the address already got one, and is not confirmed` };
  if (status === 'skipped' && CAN_LOSE_PURPOSE.includes(kind))
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

/** What staff wrote to the booker, and whether it was sent. */
function showMessage(
  { status, failure_code, subject, text, ...who }: EntryFacts<'message'>,
  { isBooker }: TimelineContext,
): Shown {
  const name = subject === null ? 'Message' : `Message “${subject}”`;
  const states: Record<typeof status, string> = {
    pending: 'is queued',
    sent: `emailed to ${isBooker ? 'you' : 'the booker'}`,
    skipped: 'not emailed: no recipient left',
    failed: 'could not be emailed',
  };
  return {
    what: `${name} ${states[status]}`,
    bad: status === 'failed',
    detail: (
      <>
        Written by {describePerson(who)}.{failure_code && ` ${sentence(mailFailure(failure_code))}`}
        {text !== null && (
          <details>
            <summary>Text</summary>
            <div class="lines">{text}</div>
          </details>
        )}
      </>
    ),
  };
}

/** A requested change: ` to Tue 24 Nov, 10:00–12:00, for £30.00 more`; without the time if that stays. */
function describeMove({ move }: EntryFacts<'change'>, { booking, formats }: TimelineContext): string {
  if (!move) return '';
  const { time_zone, currency } = booking;
  const span = { start_at: new Date(move.start_at), end_at: new Date(move.end_at), time_zone };
  const more = formats.amount(move.difference_minor, currency);
  const to = changesPlace(booking, move) ? ` to ${formats.span(span)}` : '';
  return `${to}${move.difference_minor > 0 ? `, for ${more} more,` : ''}`;
}

function showChange(facts: EntryFacts<'change'>, written: TimelineContext): Shown | null {
  const { kind, state, outcome, move } = facts;
  const who = describePerson(facts);
  const stays = move && !changesPlace(written.booking, move);
  const held = stays ? 'The change is held.' : 'Both slots are held.';
  const noun = kind === 'cancel' ? 'cancellation' : 'change';
  if (outcome?.kind === 'refused')
    return {
      what: `A ${noun}${describeMove(facts, written)} by ${who} was not applied`,
      detail: outcome.message,
      bad: outcome.code === 'service_unavailable',
    };
  if (state === 'charging')
    return {
      what: `A change by ${who} is waiting for the card charge`,
      detail: held,
    };
  if (state === 'opening' || state === 'pending')
    return { what: `A change by ${who} is not paid yet`, detail: held };
  if (outcome?.kind !== 'done') return { what: `A ${noun} was requested by ${who}`, detail: 'In progress.' };
  if (kind === 'cancel' && !outcome.refund_policy) return null;
  return {
    what: `${kind === 'cancel' ? 'Cancelled' : 'Changed'} by ${who}${withRefund(outcome.refund_policy)}`,
  };
}

function show(entry: TimelineEntry, written: TimelineContext): Shown | null {
  const { booking, formats, isBooker } = written;
  switch (entry.kind) {
    case 'session': {
      const { amount_minor, for_change, session_id } = entry.facts;
      return {
        what:
          `Payment page ${for_change ? 'for a change ' : ''}` +
          `opened for ${formats.amount(amount_minor, booking.currency)}`,
        facts: [!isBooker && session_id && ['Payment page', <Id of={session_id} />]],
      };
    }
    case 'decline':
      return {
        what:
          'The card was declined ' +
          `${entry.facts.for_change ? 'on the payment page of a change' : 'on the payment page'} ` +
          `(${describeDecline(entry.facts.code)})`,
        detail: `Nothing was charged. ${isBooker ? 'You' : 'The payer'} can try again or use another card.`,
        bad: true,
      };
    case 'event':
      return showEvent(entry, written);
    case 'payment':
      return showPayment(entry.facts, written);
    case 'refund':
      return showRefund(entry.facts, written);
    case 'dispute':
      return showDispute(entry.facts, written);
    case 'dispute_ended':
      return { what: disputeEnd(entry.facts, written), bad: entry.facts.status === 'lost' };
    case 'dispute_movement':
      return showDisputeMovement(entry.facts, written);
    case 'mail':
      return showMail(entry.facts, written);
    case 'message':
      return showMessage(entry.facts, written);
    case 'change':
      return showChange(entry.facts, written);
  }
}

/** The history of a booking, oldest first, in the room's time zone. */
export function Timeline({ entries, ...written }: { entries: TimelineEntry[] } & TimelineContext) {
  const { formats } = written;
  let before = '';
  return (
    <>
      <ol class="timeline card">
        {entries.map((entry, index) => {
          const shown = show(entry, written);
          if (!shown) return null;
          const day = formats.day(entry.at);
          const heading = day === before ? null : <b>{day}</b>;
          before = day;
          return (
            <li key={index} class={shown.bad ? 'bad' : undefined}>
              {heading}
              <time dateTime={entry.at.toISOString()}>{formats.clock(entry.at)}</time>
              <div>
                {shown.what}
                {shown.detail && <small>{shown.detail}</small>}
                {shown.facts?.some(Boolean) && (
                  <details>
                    <summary>Details</summary>
                    <Facts of={shown.facts} />
                  </details>
                )}
              </div>
            </li>
          );
        })}
      </ol>
    </>
  );
}
