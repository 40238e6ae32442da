import type { StaffMail, StaffNoticeFacts } from '../../../db/queries/mail/staff-mail.js';
import { formatMoney, formatZonedSpan } from '../../../domain/display.js';
import { formatExtras } from '../../../domain/extras/extras.js';
import { extrasIn } from '../../../domain/rates/price-lines.js';
import { STAFF_NOTICES, type StaffNotice } from '../../../domain/workspaces/staff-notices.js';
import { MailFacts, LinkButton, OnlyIn, Paragraphs, Rows, type MailContent } from './parts.js';

const SUBJECTS: Record<StaffNotice, string> = {
  created: 'New booking',
  changed: 'Changed booking',
  cancelled: 'Cancelled booking',
};

const HEADINGS: Record<StaffNotice, string> = {
  created: 'New bookings',
  changed: 'Changed bookings',
  cancelled: 'Cancelled bookings',
};

const personName = ({ name }: StaffNoticeFacts): string => name ?? 'an erased person';

const formatNoticeTime = (notice: StaffNoticeFacts): string => formatZonedSpan(notice, new Date());

/** The values that a change has replaced: `Tue 24 Nov, 10:00–11:00`. */
function listFormerValues(notice: StaffNoticeFacts): (readonly [term: string, value: string])[] {
  const { previous, currency } = notice;
  if (notice.notice !== 'changed' || !previous) return [];
  const { room, start_at, end_at, price, attendees, extras } = previous;
  const former = {
    ...notice,
    ...(start_at && { start_at: new Date(start_at) }),
    ...(end_at && { end_at: new Date(end_at) }),
  };
  return [
    ...(room && room.name !== notice.room_name ? [['Room before', room.name] as const] : []),
    ...(start_at || end_at ? [['Time before', formatNoticeTime(former)] as const] : []),
    ...(price ? [['Price before', formatMoney({ ...price, currency })] as const] : []),
    ...(attendees ? [['Attendees before', String(attendees)] as const] : []),
    ...(extras ? [['Extras before', formatExtras(extras) || 'none'] as const] : []),
  ];
}

/** Who booked, and their answers to the questions. */
const listGuestFacts = ({
  name,
  email,
  answers,
}: StaffNoticeFacts): (readonly [term: string, value: string])[] => [
  ...(name ? [['Booked by', name] as const] : []),
  ...(email ? [['Email', email] as const] : []),
  ...(answers ?? []).map(({ label, value }) => [label, value === true ? 'Yes' : value] as const),
];

/**
 * Writes a mail to staff about one booking (docs/rules/mail.md#staff-mail).
 * `dashboardUrl`: the dashboard's URL, without a workspace.
 */
function renderNotice(mail: StaffMail, notice: StaffNoticeFacts, dashboardUrl: string): MailContent {
  const { currency, price_minor: amount_minor, booking_id } = notice;
  const extras = extrasIn(notice);
  const facts = [
    ['Room', notice.room_name],
    ['Time', formatNoticeTime(notice)],
    ['Attendees', String(notice.attendees)],
    ...(extras.length > 0 ? [['Extras', formatExtras(extras)] as const] : []),
    ['Price', formatMoney({ amount_minor, currency })],
    ['Reference', notice.reference],
    ...listGuestFacts(notice),
    ...listFormerValues(notice),
  ] as const;
  return {
    id: mail.id,
    to: mail.to,
    subject: `${SUBJECTS[notice.notice]}: ${notice.room_name}, ${formatNoticeTime(notice)}`,
    body: (
      <>
        <Paragraphs
          of={[
            `${SUBJECTS[notice.notice]} ${notice.notice === 'created' ? 'by' : 'of'} ${personName(notice)}:`,
          ]}
        />
        <MailFacts of={facts} />
        <LinkButton
          label="Open booking"
          url={`${dashboardUrl}/${mail.workspace_id}/bookings/${booking_id}`}
        />
      </>
    ),
  };
}

/** The bookings of a day: a table with links, or one line each in text. */
function List({
  of,
  bookingUrl,
}: {
  of: StaffNoticeFacts[];
  bookingUrl: (notice: StaffNoticeFacts) => string;
}) {
  return (
    <>
      <OnlyIn in="html">
        <Rows
          of={of.map((notice) => [
            <>
              <a href={bookingUrl(notice)}>{notice.room_name}</a>
              <br />
              {formatNoticeTime(notice)}
            </>,
            <>
              {personName(notice)}
              <br />
              {notice.reference}
            </>,
          ])}
        />
      </OnlyIn>
      <OnlyIn in="text">
        {of.map((notice) => (
          <p>
            {`${notice.room_name}, ${formatNoticeTime(notice)}, ${personName(notice)}, ` +
              `${notice.reference}: ${bookingUrl(notice)}`}
          </p>
        ))}
      </OnlyIn>
    </>
  );
}

function renderDigest(mail: StaffMail, dashboardUrl: string): MailContent {
  const { notices, workspace_id, workspace_name, is_cut } = mail;
  const groups = STAFF_NOTICES.map(
    (notice) => [notice, notices.filter((each) => each.notice === notice)] as const,
  ).filter(([, of]) => of.length > 0);
  const counts = groups.map(([notice, of]) => `${of.length} ${notice === 'created' ? 'new' : notice}`);
  const bookingUrl = ({ booking_id }: StaffNoticeFacts) =>
    `${dashboardUrl}/${workspace_id}/bookings/${booking_id}`;
  return {
    id: mail.id,
    to: mail.to,
    subject: `Bookings since yesterday: ${counts.join(', ')} (${workspace_name})`,
    body: (
      <>
        {groups.map(([notice, of]) => (
          <>
            <p>
              <strong>{HEADINGS[notice]}</strong>
            </p>
            <List of={of} bookingUrl={bookingUrl} />
          </>
        ))}
        {is_cut && (
          <Paragraphs of={['This list is not complete. To see all bookings, open the dashboard.']} />
        )}
        <LinkButton label="Open bookings" url={`${dashboardUrl}/${workspace_id}/bookings`} />
      </>
    ),
  };
}

/** Writes a mail to staff about one booking, or about the bookings of a day. */
export const renderStaffMail = (mail: StaffMail, dashboardUrl: string): MailContent =>
  mail.kind === 'staff_booking'
    ? renderNotice(mail, mail.notices[0]!, dashboardUrl)
    : renderDigest(mail, dashboardUrl);
