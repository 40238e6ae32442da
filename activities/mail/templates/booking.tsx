import type { VNode } from 'preact';
import ical, {
  ICalCalendarMethod,
  ICalEventStatus,
  ICalAttendeeRole,
  ICalAttendeeStatus,
} from 'ical-generator';
import type { BookingMail } from '../../../db/queries/mail/booking-mail.js';
import {
  describeMoney,
  describeReturned,
  isUnpaidOnAccount,
  keptMinor,
} from '../../../domain/bookings/money.js';
import { visibleArrival } from '../../../domain/rooms/arrival.js';
import type { BookingMailKind } from '../../../domain/mail/kinds.js';
import { bookingLines } from '../../../domain/rates/price-lines.js';
import { factsOfPrice } from '../../../domain/rates/price-words.js';
import { calendarText, presentCalendarEntry } from '../../../domain/bookings/calendar-entry-presenter.js';
import {
  describeRefundEnd,
  describeRefundParts,
  describeRefundReturn,
} from '../../../domain/payments/refund-parts.js';
import { formatExtras } from '../../../domain/extras/extras.js';
import { extrasIn } from '../../../domain/rates/price-lines.js';
import { describeTerms } from '../../../domain/bookings/refund-words.js';
import { isReminderDue } from '../../../domain/bookings/reminder.js';
import { computeSelfService, type SelfService } from '../../../domain/bookings/self-service.js';
import { hasEnded } from '../../../domain/states.js';
import { MailFacts, LinkButton, Paragraphs, quoted, reasonGiven, type MailContent } from './parts.js';
import { describeMethod } from '../../../domain/invoices/words.js';
import { getWords, type WordKey, type Words } from '../../../domain/words/words.js';

/**
 * The booking as an accepted invitation (RFC 5546): the payer's calendar adds, moves and removes it
 * automatically, without asking for a reply. `organizer`: an address that never changes, because calendars
 * ignore a cancellation by another organizer (docs/rules/mail.md#booking-mail).
 */
function invitation(
  words: Words,
  mail: BookingMail,
  method: 'REQUEST' | 'CANCEL',
  organizer: string,
): string {
  const calendar = ical({
    prodId: { company: 'Holdfast', product: 'Bookings' },
    method: ICalCalendarMethod[method],
  });
  const { status, ...entry } = presentCalendarEntry(words, {
    ...mail,
    id: mail.booking_id,
    status: method === 'CANCEL' ? 'cancelled' : 'confirmed',
    updated_at: mail.created_at,
  });
  calendar.createEvent({
    ...entry,
    status: ICalEventStatus[status],
    organizer: { name: calendarText(mail.workspace_name), email: organizer },
    attendees: [
      {
        name: calendarText(mail.name),
        email: mail.to,
        rsvp: false,
        role: ICalAttendeeRole.REQ,
        status: ICalAttendeeStatus.ACCEPTED,
      },
    ],
  });
  return `${calendar.toString()}\r\n`;
}

/**
 * The method of a mail's invitation; null if it has none. A booking that was cancelled before its mail was
 * sent is not added to the calendar again, and one that was never confirmed is in no calendar.
 */
function calendarMethod({ kind, status, confirmed_at }: BookingMail): 'REQUEST' | 'CANCEL' | null {
  if (kind === 'booking_cancelled') return confirmed_at && 'CANCEL';
  const isAdded = kind === 'booking_confirmed' || kind === 'booking_changed';
  return isAdded && status !== 'cancelled' ? 'REQUEST' : null;
}

interface Content {
  subject: string;
  body: (string | VNode)[];
  /** The label and URL of what the payer is asked to do. */
  action?: readonly [label: string, url: string];
}

function buildBookingContent(words: Words, mail: BookingMail): Content {
  const { kind, room_name: room, workspace_name: name, currency, price_minor, money } = mail;
  const amount = (amount_minor: number): string => words.amount(amount_minor, currency);
  const settled = (): string => describeMoney(words, money, name).join(' ');
  const late = { amount: amount(mail.refund_minor ?? price_minor) };
  const wrote = words.say('mail.wrote', { name });
  const cancelled = (): string => `${describeCancellation(words, mail)} ${settled()}`;
  const isCancelled = mail.status === 'cancelled';
  const contents: Record<BookingMailKind, () => Content> = {
    booking_held: () => ({
      subject: words.say('mail.held_subject', { room }),
      body: [
        words.say('mail.held', {
          room,
          time: words.zonedMoment(mail.expires_at!, mail),
          amount: amount(price_minor),
        }),
        words.say('mail.held_just_paid'),
      ],
      action: [words.say('mail.continue_to_payment'), mail.checkout_url!],
    }),
    booking_confirmed: () => ({
      subject: words.say('mail.confirmed_subject', { room }),
      body: [
        describeConfirmation(words, mail, amount(price_minor)),
        isCancelled ? cancelled() : words.say('mail.calendar_adds'),
      ],
    }),
    booking_reminder: () => ({
      subject: words.say('mail.reminder_subject', { room, time: words.zonedMoment(mail.start_at, mail) }),
      body: [words.say('mail.reminder')],
    }),
    booking_expired: () => ({
      subject: words.say('mail.expired_subject', { room }),
      body: [words.say('mail.expired'), settled(), words.say('mail.book_again_any_time')],
      ...(mail.booking_url && { action: [words.say('mail.book_again'), mail.booking_url] as const }),
    }),
    booking_change_pending: () => ({
      subject: words.say('mail.change_subject', { room }),
      body: [pendingChange(words, mail, mail.pending!), words.say('mail.change_not_paid')],
      action: [words.say('mail.continue_to_payment'), mail.pending!.url],
    }),
    booking_changed: () => ({
      subject: words.say('mail.changed_subject', { room }),
      body: [
        mail.changed_by === 'workspace'
          ? words.say('mail.changed_by_workspace', { name })
          : words.say('mail.changed'),
        ...quoted(mail.note, wrote),
        ...(isCancelled
          ? [cancelled()]
          : [describeDifference(words, mail, amount), words.say('mail.calendar_moves')]),
      ],
    }),
    booking_note: () => ({
      subject: words.say('mail.note_subject', { room }),
      body: [words.say('mail.note', { name }), ...quoted(mail.note, wrote)],
    }),
    booking_cancelled: () => ({
      subject: words.say('mail.cancelled_subject', { room }),
      body: [
        cancelled(),
        ...reasonGiven(
          mail.cancellation_reason,
          mail.cancelled_by === 'payer' ? words.say('mail.you_wrote') : wrote,
        ),
        ...(calendarMethod(mail) ? [words.say('mail.calendar_removes')] : []),
      ],
    }),
    payment_refunded: () => ({
      subject: words.say('mail.refund_subject', { room }),
      body: [describeRefundAmount(words, mail)!, ...reasonGiven(mail.credit_reason, wrote)],
    }),
    payment_refund_ended: () => describeRefundEnd(words, mail.refund_parts[0]!, currency, name),
    payment_refund_returned: () => describeRefundReturn(words, mail.refund_parts[0]!, currency, name),
    late_payment_refunded: () => ({
      subject: words.say('mail.late_subject', { room }),
      body: [
        ...(mail.status === 'confirmed' || mail.status === 'completed'
          ? [`${words.say('mail.late_not_due', late)} ${words.say('mail.booking_unchanged')}`]
          : [words.say('mail.late_released', late)]),
        words.say('mail.late_refunded'),
      ],
    }),
  };
  return contents[kind]();
}

/** Says that a booking is confirmed, and whether its price is paid, or charged to an account. */
function describeConfirmation(
  words: Words,
  { price_minor, money, company_name: company }: BookingMail,
  amount: string,
): string {
  if (price_minor > 0 && keptMinor(money.paid) >= price_minor)
    return words.say('mail.confirmed_paid', { amount });
  if (money.owed_minor === 0 || money.paid.received_minor > 0) return words.say('mail.confirmed');
  const account = company
    ? words.say('mail.on_account_of', { amount, company })
    : words.say('mail.on_account', { amount });
  return `${words.say('mail.confirmed')} ${account}`;
}

/** Describes a change that is awaiting payment. */
function pendingChange(
  words: Words,
  { currency }: BookingMail,
  {
    room_name,
    start_at,
    end_at,
    time_zone,
    extras,
    amount_minor,
    expires_at,
  }: NonNullable<BookingMail['pending']>,
): string {
  const place = { time_zone, currency };
  const values = {
    booking:
      `${room_name}, ` +
      `${words.time({ start_at: new Date(start_at), end_at: new Date(end_at), ...place })}`,
    amount: words.amount(amount_minor, currency),
    time: words.zonedMoment(new Date(expires_at), place),
  };
  return extras?.length
    ? words.say('mail.change_with_extras', { ...values, extras: formatExtras(extras) })
    : words.say('mail.change', values);
}

/** Describes a refund; null if nothing is refunded. */
const describeRefundAmount = (
  words: Words,
  { refund_parts, currency, workspace_name }: BookingMail,
): string | null => describeRefundParts(words, refund_parts, currency, workspace_name);

/** Says that a booking was cancelled, and by whom, if known. */
function describeCancellation(words: Words, { cancelled_by, workspace_name: name }: BookingMail): string {
  if (cancelled_by === 'workspace') return words.say('mail.cancelled_by_workspace', { name });
  return words.say(cancelled_by === 'payer' ? 'mail.cancelled_by_payer' : 'mail.cancelled');
}

/**
 * Describes what a change cost or refunded, and the new price. If the booking has been changed again since,
 * the price is that of the later change.
 */
function describeDifference(words: Words, mail: BookingMail, amount: (minor: number) => string): string {
  const { charged_minor, charged_at_desk, change_refund, money, workspace_name, changed_again } = mail;
  const price = amount(mail.price_minor);
  const back = describeReturned(words, change_refund, workspace_name, amount);
  if (changed_again) {
    const charged = charged_at_desk ? 'mail.paid_before' : 'mail.charged_before';
    const cost = charged_minor ? [words.say(charged, { amount: amount(charged_minor) })] : back;
    return [...cost, words.say('mail.changed_again', { price })].join(' ');
  }
  if (charged_minor)
    return words.say(charged_at_desk ? 'mail.price_paid' : 'mail.price_charged', {
      price,
      amount: amount(charged_minor),
      paid: amount(keptMinor(money.paid)),
    });
  if (back.length > 0) return words.say('mail.price_refunded', { price, refund: back.join(' ') });
  return words.say('mail.price_same', { price });
}

/** `£30.00, including £5.00 tax (20%)`; with a rate only if all lines have the same one. */
function describePrice(
  words: Words,
  { price_minor, tax_minor, tax_rate_bps, pricing, currency }: BookingMail,
): string {
  const price = words.amount(price_minor, currency);
  if (tax_minor === 0) return price;
  const including = { price, tax: words.amount(tax_minor, currency) };
  const isOfOneRate = (pricing?.lines ?? []).every((line) => line.tax_rate_bps === tax_rate_bps);
  if (!isOfOneRate) return words.say('mail.including_tax', including);
  return words.say('mail.including_tax_rate', { ...including, rate: words.number(tax_rate_bps / 100) });
}

/** The refund terms of a booking that has not started and can still be cancelled. */
function describeRefundTerms(words: Words, mail: BookingMail): string[] {
  const { status, start_at, price_minor, refund_steps, refund_percent_cap: cap, money } = mail;
  const now = new Date();
  if (hasEnded(status) || start_at <= now || price_minor === 0) return [];
  const when = { ...mail, is_unpaid: isUnpaidOnAccount(money), is_mailed: true, now };
  return [describeTerms(words, { steps: refund_steps, extras: extrasIn(mail), cap }, when).join(' ')];
}

/** What has been paid for a confirmed booking, and how, or what is due. */
function describePayment(
  words: Words,
  { status, money, currency }: BookingMail,
): (readonly [term: string, value: string])[] {
  const amount = (amount_minor: number): string => words.amount(amount_minor, currency);
  const { paid, owed_minor, is_on_account, methods } = money;
  if (status !== 'confirmed') return [];
  const received = paid.received_minor - paid.refunded_minor - paid.refunding_minor - paid.by_hand_minor;
  const means = methods.map((method) => describeMethod(words, { method, last4: null })).join(', ');
  return [
    ...(received > 0
      ? [[words.say('mail.paid'), `${amount(received)}${means && ` (${means})`}`] as const]
      : []),
    ...(is_on_account && owed_minor > 0
      ? [
          [
            words.say('mail.to_pay'),
            words.say('mail.on_account_fact', { amount: amount(owed_minor) }),
          ] as const,
        ]
      : []),
  ];
}

/** The label of the manage link, by what payers can do with it. */
const LINK_LABELS = {
  move: 'mail.see_move_or_cancel',
  cancel: 'mail.see_or_cancel',
  see: 'mail.see',
} as const satisfies Record<SelfService, WordKey>;

/** The name that a public guest has entered is left out: the address may belong to somebody else. */
const formatGreeting = (words: Words, { kind, source, name }: BookingMail): string =>
  kind === 'booking_held' && source === 'page'
    ? words.say('mail.hello')
    : words.say('mail.hello_name', { name });

/**
 * Writes a mail to the payer of a booking (docs/rules/mail.md#booking-mail). Null if there is nothing to
 * say any more: the booking or change has been paid or has ended, or the refund has failed.
 * `organizer`: the address of the service, which sends the invitations.
 */
export function renderBookingMail(
  mail: BookingMail,
  { manageUrl, organizer }: { manageUrl: string | null; organizer: string },
): MailContent | null {
  const words = getWords(mail.locale);
  if (mail.kind === 'booking_change_pending' && !mail.pending) return null;
  if (mail.kind === 'booking_reminder' && !isReminderDue(mail, new Date())) return null;
  if (mail.kind === 'booking_note' && (!mail.note || hasEnded(mail.status))) return null;
  const isRefund = mail.kind === 'payment_refunded' || mail.kind === 'late_payment_refunded';
  if (isRefund && !describeRefundAmount(words, mail)) return null;
  if (mail.kind === 'booking_held' && (mail.status !== 'pending_payment' || !mail.checkout_url)) return null;
  const { subject, body, action } = buildBookingContent(words, mail);
  const { address, directions, access_notes } = visibleArrival(mail.status, mail);
  const facts = [
    [words.say('payer.room'), mail.room_name],
    ...(address ? [[words.say('payer.address'), address] as const] : []),
    [words.say('payer.time'), words.time(mail)],
    ...factsOfPrice(words, { ...mail, lines: bookingLines(mail) }, (minor) =>
      words.amount(minor, mail.currency),
    ),
    [words.say('payer.price'), describePrice(words, mail)],
    ...describePayment(words, mail),
    [words.say('payer.reference'), mail.reference],
    [words.say('payer.booking'), mail.booking_id],
  ] as const;
  const manage =
    manageUrl && ([words.say(LINK_LABELS[computeSelfService(mail, mail, new Date())]), manageUrl] as const);
  const [first, second] = action ? [action, manage] : [manage, null];
  const method = calendarMethod(mail);
  const from = { name: mail.workspace_name };
  return {
    id: mail.id,
    to: mail.to,
    told_refunds: mail.told_refunds,
    subject,
    words,
    body: (
      <>
        <Paragraphs of={[formatGreeting(words, mail), ...body]} />
        {first && <LinkButton label={first[0]} url={first[1]} />}
        <MailFacts of={facts} />
        <Paragraphs
          of={[
            ...quoted(directions, words.say('mail.directions_from', from)),
            ...quoted(access_notes, words.say('mail.access_from', from)),
          ]}
        />
        {second && <LinkButton label={second[0]} url={second[1]} more />}
        <Paragraphs of={describeRefundTerms(words, mail)} note />
      </>
    ),
    ...(method && { calendar: { content: invitation(words, mail, method, organizer), method } }),
  };
}
