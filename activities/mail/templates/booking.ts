import ical, { ICalCalendarMethod, ICalEventStatus } from 'ical-generator';
import type { BookingMail } from '../../../db/repositories/mail/mail-content-queries.js';
import { describeMoney } from '../../../domain/booking-money.js';
import type { BookingMailKind } from '../../../domain/mails.js';
import { formatMoney } from '../../../domain/money.js';
import { formatTime } from '../../../domain/presenters/booking.js';
import { presentCalendarEntry } from '../../../domain/presenters/calendar-entry.js';
import type { MailMessage } from '../../gateways/mail.js';
import { escapeHtml, paragraphs } from './html.js';

/** The booking as a file for the payer's calendar. */
function calendarFile(mail: BookingMail, method: 'PUBLISH' | 'CANCEL'): string {
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
  calendar.createEvent({ ...entry, status: ICalEventStatus[status] });
  return `${calendar.toString()}\r\n`;
}

/** The mails with a calendar file, and its method. */
const CALENDAR_METHODS: Partial<Record<BookingMailKind, 'PUBLISH' | 'CANCEL'>> = {
  booking_confirmed: 'PUBLISH',
  booking_changed: 'PUBLISH',
  booking_cancelled: 'CANCEL',
};

interface Content {
  subject: string;
  body: string[];
}

function contentOf(mail: BookingMail): Content {
  const { kind, room_name, workspace_name, currency, price_minor, money } = mail;
  const amount = (amount_minor: number): string => formatMoney({ amount_minor, currency });
  const settled = describeMoney(money, workspace_name, formatMoney).join(' ');
  const contents: Record<BookingMailKind, () => Content> = {
    booking_confirmed: () => ({
      subject: `Your booking of ${room_name} is confirmed`,
      body: [
        `Your booking is confirmed${price_minor > 0 ? ` and ${amount(price_minor)} has been paid` : ''}.`,
        'Open the attached file to add it to your calendar.',
      ],
    }),
    booking_expired: () => ({
      subject: `Your booking of ${room_name} has expired`,
      body: [
        'Your payment did not arrive in time, so the room has been released.',
        settled,
        'You are welcome to book again.',
      ],
    }),
    booking_changed: () => ({
      subject: `Your booking of ${room_name} has changed`,
      body: [
        'Your booking has been changed. The new details are below.',
        differenceOf(mail, amount),
        'Open the attached file to update your calendar.',
      ],
    }),
    booking_cancelled: () => ({
      subject: `Your booking of ${room_name} is cancelled`,
      body: [
        `Your booking has been cancelled${BY[mail.cancelled_by ?? 'unknown'](workspace_name)}. ${settled}`,
        'Open the attached file to remove it from your calendar.',
      ],
    }),
    payment_refunded: () => ({
      subject: `A refund for ${room_name}`,
      body: [`${amount(mail.refund_minor ?? 0)} has been refunded to the card or account you paid with.`],
    }),
    late_payment_refunded: () => ({
      subject: `Your payment for ${room_name} has been refunded`,
      body: [
        `Your payment of ${amount(mail.refund_minor ?? price_minor)} arrived after the room had been released.`,
        'It has been refunded in full to the card or account you paid with.',
      ],
    }),
  };
  return contents[kind]();
}

const BY: Record<'payer' | 'workspace' | 'unknown', (workspace: string) => string> = {
  payer: () => ' at your request',
  workspace: (name) => ` by ${name}`,
  unknown: () => '',
};

/** What a change cost, or gave back. */
function differenceOf(
  { charged_minor, change_refund_minor, price_minor }: BookingMail,
  amount: (minor: number) => string,
): string {
  const price = `The price is now ${amount(price_minor)}`;
  if (charged_minor) return `${price}: ${amount(charged_minor)} has been charged to your card.`;
  if (change_refund_minor)
    return `${price}: ${amount(change_refund_minor)} is refunded to the card or account you paid with.`;
  return `${price}. Nothing has been charged or refunded for the change.`;
}

/** Writes a mail to the payer of a booking (docs/rules/mail.md#booking-mail). */
export function renderBookingMail(mail: BookingMail): MailMessage {
  const { subject, body } = contentOf(mail);
  const facts = [mail.room_name, formatTime(mail), `Booking ${mail.booking_id}`];
  const text = [`Hello ${mail.name},`, ...body];
  const method = CALENDAR_METHODS[mail.kind];
  return {
    id: mail.id,
    to: mail.to,
    subject,
    text: [...text, facts.join('\n'), mail.workspace_name].join('\n\n'),
    html: [
      paragraphs(text),
      `<p>${facts.map(escapeHtml).join('<br>\n')}</p>`,
      paragraphs([mail.workspace_name]),
    ].join('\n'),
    ...(method && { calendar: { content: calendarFile(mail, method), method } }),
  };
}
