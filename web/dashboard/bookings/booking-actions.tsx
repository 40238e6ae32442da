import type { ComponentChildren } from 'preact';
import { sendMessage } from '../../../api/resources/bookings/messages/operations.js';
import { markAsNoShow, replaceManageLink, sendBooking } from '../../../api/resources/bookings/operations.js';
import { changeBooking } from '../../../api/resources/bookings/update.js';
import { presentBooking } from '../../../domain/bookings/booking-presenter.js';
import { whyNotCorrectGuest } from '../../../domain/bookings/guest-correction.js';
import { whyNotMessage } from '../../../domain/bookings/message.js';
import { describeNoShow } from '../../../domain/bookings/no-show.js';
import { mailAboutStatus, mayMailStatus } from '../../../domain/mail/kinds.js';
import { CopyLink } from '../../ui/copy.js';
import { form } from '../forms/form.js';
import type { PageProps } from '../forms/page.js';
import { MAIL_NAMES } from '../shared/causes.js';
import { type OneBooking } from './booking-in-path.js';

/** A booking with its booker's address (null after an erasure) and manage link. */
interface WithPayer extends OneBooking {
  email?: string;
  link?: string | null;
  /** Whether a public guest entered the address, and has neither paid nor confirmed it. */
  is_unproven?: boolean;
}

const noShow = form(
  markAsNoShow,
  {},
  {
    path: '/no-show',
    button: 'Mark as no-show',
    rare: true,
    notice: ({ settle, price, tokens_used }) => {
      const on_account = settle === 'on_account';
      const money = { on_account, price_minor: price.amount_minor, hour_credits_used: tokens_used };
      return `Marked as no-show. ${describeNoShow(money)}`.trimEnd();
    },
  },
);

export function NoShow({ page }: { page: PageProps<OneBooking> }) {
  const { booking } = page.data;
  const money = describeNoShow({ ...booking, on_account: booking.account_days !== null });
  return (
    <noShow.Drawer page={page} quiet>
      <p class="soft">{money} This cannot be undone.</p>
    </noShow.Drawer>
  );
}

const correctGuest = form(
  changeBooking,
  {
    'booked_by.guest.email': 'Guest email',
    'booked_by.guest.name': 'Guest name',
  },
  {
    path: '/guest',
    capability: 'all_bookings',
    summary: 'Edit guest',
    button: 'Save guest',
    of: ({ booking }: OneBooking) => ({ booked_by: presentBooking(booking).booked_by }),
    onlyChanges: true,
    hint:
      'If you change the address, the links in earlier emails stop working. The new address gets an email ' +
      'with the booking’s current details and all its documents.',
    notice: () =>
      'Guest saved. If you changed the address, the new address gets an email with the booking’s current ' +
      'details, new links and all its documents.',
  },
);

const resend = form(
  sendBooking,
  {},
  {
    path: '/send',
    summary: 'Resend email',
    button: ({ email }: WithPayer) => `Send to ${email}`,
    notice: ({ sent_to }) => `The email is being sent to ${sent_to}.`,
  },
);

/** What staff write to a booker, on the page of a booking and for a day. */
export const written = {
  subject: 'Subject',
  text: { label: 'Message', rows: 6 },
};

const message = form(sendMessage, written, {
  path: '/messages',
  summary: 'Message booker',
  button: ({ email }: WithPayer) => `Send to ${email}`,
  notice: ({ object: { sent_to } }) => `The message is being sent to ${sent_to}.`,
});

const linkName = ({ booking }: OneBooking): string =>
  `${booking.member_id ? 'Member' : 'Guest'}’s booking page`;

const replaceLink = form(
  replaceManageLink,
  {},
  {
    path: '/rotate-link',
    summary: linkName,
    button: 'Replace link',
    rare: true,
    notice: () => 'Link replaced. The previous link no longer works. Resend the email to send the new one.',
  },
);

/**
 * The less frequent actions: edit the guest (not a member or an erased guest), resend the email, write to the
 * booker, and copy or replace the manage link.
 */
export function bookerActions(page: PageProps<WithPayer>): ComponentChildren[] {
  const { booking, email, link, is_unproven = false } = page.data;
  return [
    !whyNotCorrectGuest(booking) && <correctGuest.Drawer page={page} quiet />,
    email && mayMailStatus({ ...booking, is_unproven }) && (
      <resend.Drawer page={page} quiet>
        <p class="hint">{MAIL_NAMES[mailAboutStatus[booking.status]]}, with the booking’s current details.</p>
      </resend.Drawer>
    ),
    email && !whyNotMessage({ email, is_unproven }) && <message.Drawer page={page} quiet />,
    email && link && (
      <replaceLink.Drawer page={page} quiet rare={false}>
        <p class="hint">Anyone with this link can see, move and cancel the booking under the room’s terms.</p>
        <CopyLink id="manage_url" label={linkName(page.data)} url={link} />
      </replaceLink.Drawer>
    ),
  ];
}

export const bookerForms = [noShow, correctGuest, resend, message, replaceLink];
