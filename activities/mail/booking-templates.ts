import ical, { ICalCalendarMethod, ICalEventStatus } from 'ical-generator';
import type { MailKind, PendingMail } from '../../db/repositories/mail/mails.js';
import { formatMoney } from '../../domain/money.js';
import { formatTime } from '../../domain/presenters/booking.js';
import { presentCalendarEntry } from '../../domain/presenters/calendar-entry.js';
import type { Letter } from '../gateways/mail.js';

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** The booking as a file for the payer's calendar. */
function calendarOf(mail: PendingMail, method: 'PUBLISH' | 'CANCEL'): string {
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

/** The mails that come with a calendar file, and what it does. */
const CALENDARS: Partial<Record<MailKind, 'PUBLISH' | 'CANCEL'>> = {
  booking_confirmed: 'PUBLISH',
  booking_changed: 'PUBLISH',
  booking_cancelled: 'CANCEL',
};

/** Writes the letter that a payer is owed. */
export function writeLetter(mail: PendingMail): Letter {
  const price = formatMoney({ amount_minor: mail.price_minor, currency: mail.currency });
  const refunded = formatMoney({ amount_minor: mail.refund_minor ?? 0, currency: mail.currency });
  const calendar = CALENDARS[mail.kind];
  const { subject, paragraphs } = {
    booking_confirmed: {
      subject: `Your booking of ${mail.room_name} is confirmed`,
      paragraphs: [
        `Your booking is confirmed${mail.price_minor > 0 ? ` and ${price} has been paid` : ''}.`,
        'The attached file adds it to your calendar.',
      ],
    },
    booking_expired: {
      subject: `Your booking of ${mail.room_name} has expired`,
      paragraphs: [
        'The payment did not arrive in time, so the room is free for others again. Nothing has been charged.',
        'You are welcome to book again.',
      ],
    },
    booking_changed: {
      subject: `Your booking of ${mail.room_name} has changed`,
      paragraphs: [
        'Your booking has been changed. This is how it stands now.',
        'The attached file brings your calendar up to date.',
      ],
    },
    booking_cancelled: {
      subject: `Your booking of ${mail.room_name} is cancelled`,
      paragraphs: [
        'Your booking has been cancelled. If money comes back to you, you get a mail when it is on its way.',
        'The attached file takes it out of your calendar.',
      ],
    },
    payment_refunded: {
      subject: `A refund for ${mail.room_name}`,
      paragraphs: [`${refunded} has been given back to the card or account it came from.`],
    },
    late_payment_refunded: {
      subject: `Your payment for ${mail.room_name} has been refunded`,
      paragraphs: [
        `Your payment of ${price} arrived when the room could no longer be kept for you.`,
        'It has been given back in full, to the card or account it came from.',
      ],
    },
  }[mail.kind];
  const facts = [mail.room_name, formatTime(mail), `Booking ${mail.booking_id}`];
  const greeting = `Hello ${mail.name},`;
  const regards = mail.workspace_name;
  const html = [greeting, ...paragraphs].map((text) => `<p>${escapeHtml(text)}</p>`).join('\n');
  return {
    id: mail.id,
    to: mail.to,
    subject,
    text: [greeting, ...paragraphs, facts.join('\n'), regards].join('\n\n'),
    html: `${html}\n<p>${facts.map(escapeHtml).join('<br>\n')}</p>\n<p>${escapeHtml(regards)}</p>`,
    ...(calendar && { calendar: { content: calendarOf(mail, calendar), method: calendar } }),
  };
}
