import type { VNode } from 'preact';
import ical, {
  ICalCalendarMethod,
  ICalEventStatus,
  ICalAttendeeRole,
  ICalAttendeeStatus,
} from 'ical-generator';
import type { BookingMail } from '../../../db/queries/mail/booking-mail.js';
import { describeMoney } from '../../../domain/booking-money.js';
import { arrivalOf } from '../../../domain/arrival.js';
import type { BookingMailKind } from '../../../domain/mails.js';
import { formatMoney, formatZonedMoment, formatZonedSpan, localeOf } from '../../../domain/display.js';
import { linesOf } from '../../../domain/price-lines.js';
import { factsOfPrice } from '../../../domain/price-words.js';
import { presentCalendarEntry } from '../../../domain/presenters/calendar-entry.js';
import { describeRefund, describeRefundParts } from '../../../domain/refund-parts.js';
import { extrasInWords, type BookedExtra } from '../../../domain/extras.js';
import { extrasIn } from '../../../domain/price-lines.js';
import { capInWords, ownTermsInWords, refundsInWords } from '../../../domain/refund-words.js';
import { isReminderDue } from '../../../domain/reminder.js';
import { hasEnded } from '../../../domain/states.js';
import { Facts, LinkButton, Paragraphs, quoted, reasonGiven, type MailContent } from './parts.js';

/**
 * The booking as an invitation that has been accepted (RFC 5546): the payer's calendar adds, moves and removes it by
 * itself, and asks for no reply.
 */
function invitation(mail: BookingMail, method: 'REQUEST' | 'CANCEL', organizer: string): string {
  const calendar = ical({
    prodId: { company: 'Holdfast', product: 'Bookings' },
    method: ICalCalendarMethod[method],
  });
  const { status, ...entry } = presentCalendarEntry({
    ...mail,
    id: mail.booking_id,
    status: method === 'CANCEL' ? 'cancelled' : 'confirmed',
    updated_at: mail.created_at,
  });
  calendar.createEvent({
    ...entry,
    status: ICalEventStatus[status],
    organizer: { name: mail.workspace_name, email: organizer },
    attendees: [
      {
        name: mail.name,
        email: mail.to,
        rsvp: false,
        role: ICalAttendeeRole.REQ,
        status: ICalAttendeeStatus.ACCEPTED,
      },
    ],
  });
  return `${calendar.toString()}\r\n`;
}

/** The mails with an invitation, and its method. */
const CALENDAR_METHODS: Partial<Record<BookingMailKind, 'REQUEST' | 'CANCEL'>> = {
  booking_confirmed: 'REQUEST',
  booking_changed: 'REQUEST',
  booking_cancelled: 'CANCEL',
};

interface Content {
  subject: string;
  body: (string | VNode)[];
  /** What the payer is asked to do: a label and an address. */
  action?: readonly [label: string, url: string];
}

/** ` with 12 × Lunch`; empty without extras. */
const withExtras = ({ extras }: { extras: BookedExtra[] | null }): string =>
  extras?.length ? ` with ${extrasInWords(extras)}` : '';

function contentOf(mail: BookingMail): Content {
  const { kind, room_name, workspace_name, currency, price_minor, money } = mail;
  const amount = (amount_minor: number): string => formatMoney({ amount_minor, currency });
  const settled = describeMoney(money, workspace_name, formatMoney).join(' ');
  const contents: Record<BookingMailKind, () => Content> = {
    booking_held: () => ({
      subject: `Complete your booking of ${room_name}`,
      body: [
        `${room_name} is held for you until ${holdEnd(mail.expires_at!, mail)}. Your booking is confirmed once ${amount(price_minor)} has been paid.`,
        'If you have just paid, ignore this email: your confirmation is on its way.',
      ],
      action: ['Continue to payment', mail.checkout_url!],
    }),
    booking_confirmed: () => ({
      subject: `Your booking of ${room_name} is confirmed`,
      body: [
        price_minor > 0 && money.paid.received_minor === 0
          ? `Your booking is confirmed. ${onAccount(mail, amount)}`
          : `Your booking is confirmed${price_minor > 0 ? ` and ${amount(price_minor)} has been paid` : ''}.`,
        'Most calendars add it by themselves. If yours does not, open the attached file.',
      ],
    }),
    booking_reminder: () => ({
      subject: `Reminder: ${room_name}, ${formatZonedMoment(mail.start_at, mail.time_zone, new Date(), localeOf(mail))}`,
      body: ['This is a reminder of your booking.'],
    }),
    booking_expired: () => ({
      subject: `Your booking of ${room_name} has expired`,
      body: [
        'We did not receive your payment in time, so the room has been released.',
        settled,
        'You can book again at any time.',
      ],
      ...(mail.booking_url && { action: ['Book again', mail.booking_url] as const }),
    }),
    booking_change_pending: () => ({
      subject: `Pay to change your booking of ${room_name}`,
      body: [
        `Your booking will be changed to ${mail.pending!.room_name}, ${spanOf(mail.pending!, mail)}${withExtras(mail.pending!)}, once ${amount(mail.pending!.amount_minor)} has been paid. This is held for you until ${holdEnd(new Date(mail.pending!.expires_at), mail)}.`,
        'If it is not paid by then, your booking stays as it is. If you have just paid, ignore this email.',
      ],
      action: ['Continue to payment', mail.pending!.url],
    }),
    booking_changed: () => ({
      subject: `Your booking of ${room_name} has changed`,
      body: [
        'Your booking has been changed. The new details are below.',
        differenceOf(mail, amount),
        'Most calendars move it by themselves. If yours does not, open the attached file.',
      ],
    }),
    booking_note: () => ({
      subject: `About your booking of ${room_name}`,
      body: [
        `${workspace_name} has a note about your booking. The booking itself has not changed.`,
        ...quoted(mail.note, `${workspace_name} wrote`),
      ],
    }),
    booking_cancelled: () => ({
      subject: `Your booking of ${room_name} is cancelled`,
      body: [
        `Your booking has been cancelled${BY[mail.cancelled_by ?? 'unknown'](workspace_name)}. ${settled}`,
        ...reasonGiven(
          mail.cancellation_reason,
          mail.cancelled_by === 'payer' ? 'You wrote' : `${workspace_name} wrote`,
        ),
        'Most calendars remove it by themselves. If yours does not, open the attached file.',
      ],
    }),
    payment_refunded: () => ({
      subject: `Refund for your booking of ${room_name}`,
      body: [refundOf(mail)!, ...reasonGiven(mail.credit_reason, `${workspace_name} wrote`)],
    }),
    late_payment_refunded: () => ({
      subject: `Your payment for ${room_name} has been refunded`,
      body: [
        mail.status === 'confirmed' || mail.status === 'completed'
          ? `Your payment of ${amount(mail.refund_minor ?? price_minor)} arrived when it was no longer due. Your booking has not changed.`
          : `Your payment of ${amount(mail.refund_minor ?? price_minor)} arrived after the room had been released.`,
        'It has been refunded in full to the card or account you paid with.',
      ],
    }),
  };
  return contents[kind]();
}

/** The amount of a refund; null if that is nothing. */
const refundOf = ({ refund_parts, currency, workspace_name }: BookingMail): string | null =>
  describeRefundParts(refund_parts, currency, workspace_name, formatMoney);

const BY: Record<'payer' | 'workspace' | 'unknown', (workspace: string) => string> = {
  payer: () => ' at your request',
  workspace: (name) => ` by ${name}`,
  unknown: () => '',
};

/** The end of a hold, in the room's zone. */
const holdEnd = (at: Date, mail: BookingMail): string =>
  formatZonedMoment(at, mail.time_zone, new Date(), localeOf(mail));

/** The time that a booking is to have. */
const spanOf = (
  { start_at, end_at, time_zone }: NonNullable<BookingMail['pending']>,
  { currency }: BookingMail,
): string =>
  formatZonedSpan(
    { start_at: new Date(start_at), end_at: new Date(end_at), time_zone, currency },
    new Date(),
  );

/** Who owes the price of a booking on account. */
const onAccount = ({ company_name, price_minor }: BookingMail, amount: (minor: number) => string): string =>
  company_name
    ? `${amount(price_minor)} is on the account of ${company_name}, which gets the invoice.`
    : `${amount(price_minor)} has been charged to your account; your invoice shows the due date.`;

/** What a change cost, or refunded. */
function differenceOf(
  {
    charged_minor,
    change_refund_minor,
    change_by_hand_minor,
    price_minor,
    money,
    workspace_name,
  }: BookingMail,
  amount: (minor: number) => string,
): string {
  const price = `The new price is ${amount(price_minor)}`;
  if (charged_minor) return `${price}: ${amount(charged_minor)} has been charged to your card.`;
  const refund = { refund_minor: change_refund_minor ?? 0, by_hand_minor: change_by_hand_minor ?? 0 };
  const payment = { payee: workspace_name, is_on_account: money.is_on_account };
  const back = describeRefund(refund, 'is being refunded', payment, amount);
  if (back.length > 0) return `${price}: ${back.join(' ')}`;
  // The price may be the same as before.
  return `The price is ${amount(price_minor)}. Nothing has been charged or refunded for the change.`;
}

/** `£30.00, including £5.00 tax (20%)`; the rate if there is only one. */
function priceOf({ price_minor, tax_minor, tax_rate_bps, pricing, currency }: BookingMail): string {
  const price = formatMoney({ amount_minor: price_minor, currency });
  if (tax_minor === 0) return price;
  const including = `${price}, including ${formatMoney({ amount_minor: tax_minor, currency })} tax`;
  const isOfOneRate = (pricing?.lines ?? []).every((line) => line.tax_rate_bps === tax_rate_bps);
  return isOfOneRate ? `${including} (${tax_rate_bps / 100}%)` : including;
}

/** The refund terms of a booking that can still be cancelled. */
function termsOf(mail: BookingMail): string[] {
  const { status, price_minor, refund_steps, refund_percent_cap: cap, money } = mail;
  if (hasEnded(status) || price_minor === 0) return [];
  const is_unpaid = money.is_on_account && money.paid.received_minor === 0;
  const changed = is_unpaid ? null : capInWords(cap);
  const when = { ...mail, is_unpaid, now: new Date() };
  const terms = [...refundsInWords(refund_steps, when), ...ownTermsInWords(extrasIn(mail), when)];
  return [['If you cancel:', ...terms, ...(changed ? [changed] : [])].join(' ')];
}

/** What has been paid and how, or what is due, of a booking that is not over. */
function paymentOf({ status, money, currency }: BookingMail): (readonly [term: string, value: string])[] {
  const amount = (amount_minor: number): string => formatMoney({ amount_minor, currency });
  const { paid, owed_minor, is_on_account, methods } = money;
  if (status !== 'confirmed') return [];
  const received = paid.received_minor - paid.refunded_minor - paid.refunding_minor - paid.by_hand_minor;
  return [
    ...(received > 0
      ? [['Paid', `${amount(received)}${methods.length > 0 ? ` (${methods.join(', ')})` : ''}`] as const]
      : []),
    ...(is_on_account && owed_minor > 0 ? [['To pay', `${amount(owed_minor)}, on account`] as const] : []),
  ];
}

/** The label of the manage link, by what it can be used for. */
function linkLabel({ status, self_service }: BookingMail): string {
  if (!self_service) return 'See your booking';
  if (status === 'confirmed') return 'See, move or cancel your booking';
  return status === 'pending_payment' ? 'See or cancel your booking' : 'See your booking';
}

/** What a stranger has entered as a name is not repeated to an address that may be somebody else's. */
const greetingOf = ({ kind, source, name }: BookingMail): string =>
  kind === 'booking_held' && source === 'page' ? 'Hello,' : `Hello ${name},`;

/**
 * Writes a mail to the payer of a booking (docs/rules/mail.md#booking-mail). Null if it has no purpose any more: the
 * booking or change that was to be paid is paid or over, or the refund has failed after all. `organizer`: the address that
 * answers to the invitation go to.
 */
export function renderBookingMail(
  mail: BookingMail,
  { manageUrl, organizer }: { manageUrl: string | null; organizer: string },
): MailContent | null {
  if (mail.kind === 'booking_change_pending' && !mail.pending) return null;
  if (mail.kind === 'booking_reminder' && !isReminderDue(mail, new Date())) return null;
  if (mail.kind === 'booking_note' && (!mail.note || hasEnded(mail.status))) return null;
  if (mail.kind === 'payment_refunded' && !refundOf(mail)) return null;
  if (mail.kind === 'booking_held' && (mail.status !== 'pending_payment' || !mail.checkout_url)) return null;
  const { subject, body, action } = contentOf(mail);
  const { address, directions, access_notes } = arrivalOf(mail.status, mail);
  const facts = [
    ['Room', mail.room_name],
    ...(address ? [['Address', address] as const] : []),
    ['Time', formatZonedSpan(mail, new Date())],
    ...factsOfPrice({ ...mail, lines: linesOf(mail) }, (amount_minor) =>
      formatMoney({ amount_minor, currency: mail.currency }),
    ),
    ['Price', priceOf(mail)],
    ...paymentOf(mail),
    ['Reference', mail.reference],
    ['Booking', mail.booking_id],
  ] as const;
  const manage = manageUrl && ([linkLabel(mail), manageUrl] as const);
  const [first, second] = action ? [action, manage] : [manage, null];
  const method = CALENDAR_METHODS[mail.kind];
  return {
    id: mail.id,
    to: mail.to,
    subject,
    body: (
      <>
        <Paragraphs of={[greetingOf(mail), ...body]} />
        {first && <LinkButton label={first[0]} url={first[1]} />}
        <Facts of={facts} />
        <Paragraphs
          of={[
            ...quoted(directions, `Directions from ${mail.workspace_name}`),
            ...quoted(access_notes, `How to get in, from ${mail.workspace_name}`),
          ]}
        />
        {second && <LinkButton label={second[0]} url={second[1]} more />}
        <Paragraphs of={termsOf(mail)} note />
      </>
    ),
    ...(method && { calendar: { content: invitation(mail, method, organizer), method } }),
  };
}
