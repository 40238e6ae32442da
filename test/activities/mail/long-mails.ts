import { renderAccountMail } from '../../../activities/mail/templates/account.js';
import {
  renderAddressChangedMail,
  renderAddressProofMail,
  renderAddressRequestedMail,
  renderNewAddressMail,
} from '../../../activities/mail/templates/address.js';
import { renderBookingMail } from '../../../activities/mail/templates/booking.js';
import { renderInviteMail } from '../../../activities/mail/templates/invite.js';
import { renderInvoiceMail } from '../../../activities/mail/templates/invoice.js';
import { renderOwnerMail } from '../../../activities/mail/templates/owner.js';
import type { MailContent } from '../../../activities/mail/templates/parts.js';
import { renderMessageMail } from '../../../activities/mail/templates/message.js';
import { renderProofMail } from '../../../activities/mail/templates/proof.js';
import { renderSignInMail } from '../../../activities/mail/templates/sign-in.js';
import { renderStaffMail } from '../../../activities/mail/templates/staff.js';
import {
  renderIssuedStatementMail,
  renderStatementMail,
} from '../../../activities/mail/templates/statement.js';
import type { StatementRow } from '../../../db/queries/invoices/issued-statement.js';
import type { BookingMail } from '../../../db/queries/mail/booking-mail.js';
import type { InvoiceMail } from '../../../db/queries/mail/invoice-mail.js';
import type { OwnerMail, OwnerMailFacts } from '../../../db/queries/mail/owner-mail.js';
import {
  LISTED_NOTICES,
  type StaffMail,
  type StaffNoticeFacts,
} from '../../../db/queries/mail/staff-mail.js';
import type { OpenInvite, RequestedAddress } from '../../../db/queries/members/invite.js';
import { aboutReminder } from '../../../domain/bookings/reminder.js';
import { DAY_MS, HOUR_MS } from '../../../domain/durations.js';
import type {
  AccountMailKind,
  BookingMailKind,
  InvoiceMailKind,
  MailKind,
  OwnerMailKind,
} from '../../../domain/mail/kinds.js';
import { DEFAULT_TAX_CODES } from '../../../domain/rates/price.js';
import type { PriceLine } from '../../../domain/rates/price-lines.js';
import { STAFF_NOTICES } from '../../../domain/workspaces/staff-notices.js';

/** Texts that people have written. */
export interface Texts {
  /** Names of people, rooms, companies and workspaces. */
  name: string;
  /** The name of an extra, a rate or a question. */
  label: string;
  email: string;
  /** An answer, directions, a reason. */
  prose: string;
  url: string;
  /** Number of listed bookings, invoices or lines. */
  rows: number;
}

const of = (length: number, words: string): string =>
  words.repeat(Math.ceil(length / words.length)).slice(0, length);

/** As long as the API accepts, without a space. */
const LONGEST: Texts = {
  name: of(200, 'Donaudampfschifffahrtsgesellschaftskapitänswitwe'),
  label: of(200, 'Bewirtungspauschalenzuschlag'),
  email:
    `${of(64, 'maximiliane')}@` +
    `${of(60, 'versicherung')}.${of(60, 'gesellschaft')}.${of(60, 'verwaltung')}.de`,
  prose: of(1_000, 'Kaffeemaschinenreinigungsanleitung'),
  url: `https://example.com/${of(1_900, 'rueckmeldungsadresse')}`,
  rows: 3,
};

/** As long as they occur in practice. */
const LONG: Texts = {
  name: 'Rechtsschutzversicherung Featherstonehaugh-Cholmondeley und Töchter',
  label: 'Bewirtungspauschale mit Mittagstisch und Nachmittagskaffee, je Person!',
  email: 'maximiliane.featherstonehaugh-cholmondeley@rechtsschutz.example',
  prose:
    'Wir kommen mit der Straßenbahn und brauchen einen Projektor.\nBitte stellen Sie die ' +
    'Stühle im Halbkreis auf, mit einem Rednerpult in der Mitte und der ' +
    'Kindertagesstättenleiterin in der ersten Reihe.',
  url: 'https://example.com/webhooks/holdfast/bookings?tenant=rechtsschutz',
  rows: 3,
};

export const TEXTS = { longest: LONGEST, long: LONG };

const LINK = `https://book.example/manage/bkg_${of(26, '01kb5zq8')}?token=${of(120, 'Zm9vYmFy')}`;
const HUGE = 123_456_789_00;
const now = Date.now();
const SPAN = {
  start_at: new Date(now + 30 * DAY_MS),
  end_at: new Date(now + 32 * DAY_MS),
  time_zone: 'America/Argentina/Buenos_Aires',
};
const BOOKING = 'bkg_01kb5zq8e9f7x2m4n6p8r0t2v4';
const INVOICE = 'inv_01kb5zq8e9f7x2m4n6p8r0t2v4';
const PAYMENT = 'pay_01kb5zq8e9f7x2m4n6p8r0t2v4';
const COMPANY = '0198f3c2-7b1e-7c51-9a55-1c2d3e4f5a6b';

const line = (kind: PriceLine['kind'], description: string, net_minor: number): PriceLine => ({
  kind,
  description,
  quantity: 3,
  unit: kind === 'time' ? 'hour' : 'piece',
  unit_amount_minor: net_minor / 3,
  net_minor,
  tax_code: 'STANDARD',
  tax_rate_bps: 2_000,
  tax_minor: net_minor / 5,
  rate_id: null,
  extra_id: null,
  from: null,
  to: null,
  account: null,
});

/** A price with several lines. */
function longPrice({ label }: Texts) {
  const lines = [line('time', label, HUGE), line('extra', label, 2_100), line('discount', label, -900)];
  const net_minor = HUGE + 1_200;
  const tax_minor = net_minor / 5;
  return {
    currency: 'EUR',
    net_minor,
    tax_minor,
    price_minor: net_minor + tax_minor,
    tax_code: 'STANDARD',
    tax_rate_bps: 2_000,
    price_per_hour_minor: HUGE,
    discount_percent: 0,
    hour_credits_used: 0,
    pricing: { room_id: 'room', version: 1, audience: 'guest', lines, extras: [] } as never,
  };
}

const returned = (minor: number) => ({
  refunded_minor: minor,
  refunding_minor: minor,
  by_hand_minor: minor,
  failed_minor: minor,
});

const REFUNDS = (['pending', 'succeeded', 'failed'] as const).map((status) => ({
  status,
  amount_minor: HUGE,
  by_hand: false,
}));

/** The contents of a mail about a confirmed booking. */
export const bookingMail = (
  kind: BookingMailKind,
  texts: Texts,
  changes: Partial<BookingMail>,
): BookingMail => ({
  id: 'mail_1',
  kind,
  about: kind === 'booking_reminder' ? aboutReminder(BOOKING, SPAN.start_at) : BOOKING,
  booking_id: BOOKING,
  reference: '7KQ2-MX4T',
  to: texts.email,
  name: texts.name,
  locale: 'de',
  source: 'api',
  workspace_name: texts.name,
  company_name: texts.name,
  room_name: texts.name,
  ...SPAN,
  ...longPrice(texts),
  address: `${texts.name}\n${texts.label}`,
  directions: texts.prose,
  access_notes: texts.prose,
  status: 'confirmed',
  confirmed_at: new Date(),
  no_show_at: null,
  reminder_hours: 24 * 60,
  checkout_url: LINK,
  expires_at: new Date(now + HOUR_MS),
  refund_steps: [
    { hours_before: 48, percent: 100 },
    { hours_before: 24, percent: 33.3 },
  ],
  refund_percent_cap: 33.3,
  refund_caps: null,
  self_service: true,
  edit_window_minutes: 60,
  booking_url: LINK,
  booking: { id: BOOKING, manage_link_version: 1 },
  refund_minor: HUGE,
  refund_parts: REFUNDS,
  told_refunds: [],
  credit_reason: texts.prose,
  charged_minor: HUGE,
  charged_at_desk: false,
  change_refund: returned(HUGE),
  pending: {
    url: LINK,
    amount_minor: HUGE,
    expires_at: new Date(now + HOUR_MS).toISOString(),
    start_at: SPAN.start_at.getTime(),
    end_at: SPAN.end_at.getTime(),
    room_name: texts.name,
    time_zone: SPAN.time_zone,
    extras: null,
  },
  cancelled_by: 'workspace',
  cancellation_reason: texts.prose,
  changed_by: 'workspace',
  changed_again: false,
  note: texts.prose,
  money: {
    currency: 'EUR',
    price_minor: 2 * HUGE,
    hour_credits_used: 12,
    paid: { received_minor: 9 * HUGE, disputed_minor: HUGE, ...returned(HUGE) },
    late: { received_minor: 4 * HUGE, disputed_minor: 0, ...returned(HUGE) },
    is_on_account: true,
    owed_minor: HUGE,
    methods: ['card', 'bank_transfer', 'card_terminal'],
  },
  sequence: 1,
  created_at: new Date(),
  ...changes,
});

/** A booking in the state that a mail reports. */
const booking =
  (kind: BookingMailKind, ...each: Partial<BookingMail>[]) =>
  (texts: Texts) =>
    (each.length > 0 ? each : [{}]).map((changes) =>
      renderBookingMail(bookingMail(kind, texts, changes), { manageUrl: LINK, organizer: texts.email }),
    );

const numbered = (texts: Texts) => ({
  number: 123_456,
  document_number: 'RVFCUT-123456',
  reference: texts.label,
});

/** The contents of a mail about an open invoice. */
export const invoiceMail = (
  kind: InvoiceMailKind,
  texts: Texts,
  changes: Partial<InvoiceMail>,
  due = DAY_MS,
): InvoiceMail => {
  const row = {
    id: INVOICE,
    ...numbered(texts),
    status: 'open',
    currency: 'EUR',
    net_minor: 5 * HUGE,
    tax_minor: HUGE,
    total_minor: 6 * HUGE,
    due_at: new Date(now + due),
    sent_at: new Date(),
    collection: { status: 'retrying', next_at: new Date(now + DAY_MS).toISOString(), attempts: 2 },
    lines: Array.from({ length: texts.rows }, (_, n) => ({
      description: texts.label,
      quantity: n + 1,
      unit_amount_minor: HUGE,
      tax_code: 'STANDARD',
      tax_rate_bps: 2_000,
      net_minor: HUGE * (n + 1),
      tax_minor: 0,
    })),
  } as unknown as InvoiceMail['invoice'];
  return {
    id: 'mail_1',
    kind,
    workspace_name: texts.name,
    locale: 'de',
    time_zone: 'Europe/Berlin',
    invoice: row,
    outstanding_minor: 6 * HUGE,
    payer: { number: 'guest_1', name: texts.name, email: texts.email, locale: 'de', billing: null },
    money: {
      id: PAYMENT,
      kind: 'payment',
      amount_minor: HUGE,
      method: 'card',
      last4: '4242',
      is_pending: false,
      at: new Date(),
    },
    refund_parts: REFUNDS,
    refund_purpose: 'excess',
    credit_notes: 2,
    told_refunds: [],
    booked_by: texts.name,
    replaced_by: { ...numbered(texts), total_minor: HUGE },
    replaces: numbered(texts),
    ended_with_booking: true,
    reason: texts.prose,
    refusal_code: null,
    autopay_last4: null,
    ...changes,
  };
};

const invoice =
  (kind: InvoiceMailKind, changes: Partial<InvoiceMail> = {}, due = DAY_MS) =>
  (texts: Texts) => [renderInvoiceMail(invoiceMail(kind, texts, changes, due), LINK)];

const each =
  (...writers: ((texts: Texts) => (MailContent | null)[])[]) =>
  (texts: Texts) =>
    writers.flatMap((write) => write(texts));

const refund = { payment_id: PAYMENT, booking_id: BOOKING, amount_minor: HUGE, currency: 'EUR' };

/** What each kind of mail to an owner reports. */
const OWNER_FACTS: { [Kind in OwnerMailKind]: (texts: Texts) => OwnerMailFacts[Kind] } = {
  workspace_created: ({ email }) => ({ email }),
  database_behind: () => ({ since: SPAN.start_at.toISOString() }),
  seller_text_changed: ({ prose }) => ({
    legal_address: prose,
    payment_instructions: prose,
    invoice_details: prose,
  }),
  full_discount_saved: () => ({ id: COMPANY, code: 'SPRING-CONFERENCE-2026-SPEAKERS-FREE' }),
  billing_address_changed: ({ name, email, prose }) => ({ id: COMPANY, name, email, address: prose }),
  webhook_endpoint_disabled: ({ url }) => ({ url, reason: 'receiver_failing' }),
  refund_failed: () => refund,
  refund_unfunded: () => refund,
  payment_disputed: () => ({
    ...refund,
    dispute_id: 'dp_1PqK2mLkdIwHu7ixUZ4c7a8b',
    status: 'open',
    due_by: SPAN.start_at.toISOString(),
    reason: 'product_not_received',
  }),
  accounting_failed: ({ label, prose }) => ({
    invoice_id: INVOICE,
    accounting_reference: label,
    write: 'rename',
    reason: prose,
  }),
  number_given_twice: () => ({ invoice_id: INVOICE, number: 'RVFCUT-123456', in_books: 'RVFCUT-123456-2' }),
  accounting_disconnected: ({ name }) => ({ organisation: name }),
  reconciliation_differs: ({ prose }) => ({
    from: '2026-11-01T00:00:00Z',
    to: '2026-11-30T00:00:00Z',
    differences: 12_345,
    first: prose,
  }),
  maintenance_announced: () => ({
    starts_at: SPAN.start_at.toISOString(),
    ends_at: SPAN.end_at.toISOString(),
  }),
  admin_added: ({ name, email }) => ({ name, email, action: 'member.updated' }),
  api_key_created: ({ name }) => ({ name, fingerprint: of(64, 'a1b2c3'), member: name, scope: 'admin' }),
  webhook_url_changed: ({ url }) => ({ url }),
  sso_changed: ({ name, label, url }) => ({
    sign_in_name: label,
    name,
    provider: { protocol: 'oidc', issuer: url, client_id: 'holdfast' },
    enabled: true,
    required: 'everyone',
  }),
  sso_certificate_expires: ({ name }) => ({ name, not_after: SPAN.end_at.toISOString(), others: 3 }),
  recipients_limited: () => ({}),
  mail_held: ({ prose }) => ({ reason: prose }),
};

const owner =
  <Kind extends OwnerMailKind>(kind: Kind) =>
  (texts: Texts) => {
    const facts = OWNER_FACTS[kind](texts);
    const { name, email: to } = texts;
    const of = { workspace_id: 'ws_01kb5zq8e9f7x2m4n6p8r0t2v4', workspace_name: name, time_zone: 'UTC' };
    return [
      renderOwnerMail({ id: 'mail_1', kind, to, name, ...of, facts } as OwnerMail, 'https://book.example/d'),
    ];
  };

const account = (kind: AccountMailKind) => (texts: Texts) => [
  renderAccountMail({ id: 'mail_1', kind, to: texts.email, created_at: new Date(), device: texts.name }),
];

const invite = (texts: Texts): OpenInvite & RequestedAddress => ({
  id: 'inv_1',
  member_id: 'mem_1',
  workspace_id: 'ws_1',
  profile_id: 'p_1',
  expires_at: SPAN.start_at,
  name: texts.name,
  email: texts.email,
  new_email: texts.email,
  workspace_name: texts.name,
  role: 'admin',
  completes_signup: true,
  tier: 'enterprise',
  billed: true,
  company_name: texts.name,
  trial_ends_at: SPAN.start_at,
  time_zone: SPAN.time_zone,
  currency: 'EUR',
  tax_codes: DEFAULT_TAX_CODES,
  tier_prices: { basic: 0, plus: 4_900, pro: 7_900, enterprise: HUGE },
  plans: {},
});

const notice = (texts: Texts, of: StaffNoticeFacts['notice']): StaffNoticeFacts => ({
  notice: of,
  booking_id: BOOKING,
  reference: '7KQ2-MX4T',
  room_name: texts.name,
  ...SPAN,
  name: texts.name,
  email: texts.email,
  answers: [
    { id: 'q1', label: texts.label, value: texts.prose },
    { id: 'q2', label: texts.label, value: 'Ja' },
    { id: 'q3', label: texts.label, value: true },
  ],
  attendees: 12_000,
  currency: 'EUR',
  price_minor: HUGE,
  pricing: longPrice(texts).pricing,
  previous: {
    start_at: SPAN.start_at.toISOString(),
    end_at: SPAN.end_at.toISOString(),
    room: { name: `Alter ${texts.label}` },
    price: { amount_minor: HUGE },
    attendees: 12,
    extras: [{ name: texts.label, quantity: 1_000 }],
  },
});

const staff = (kind: StaffMail['kind'], texts: Texts, notices: StaffNoticeFacts[]): MailContent =>
  renderStaffMail(
    {
      id: 'mail_1',
      kind,
      to: texts.email,
      workspace_id: 'ws_01kb5zq8e9f7x2m4n6p8r0t2v4',
      workspace_name: texts.name,
      notices,
      is_cut: true,
    },
    'https://book.example/dashboard',
  );

const longStatement = (texts: Texts) => ({
  ...numbered(texts),
  currency: 'EUR',
  total_minor: HUGE,
  paid_minor: 100,
});

const owedInvoice = (texts: Texts) => ({
  ...longStatement(texts),
  id: INVOICE,
  invoiced_on: '2026-11-03',
  due_on: '2026-12-17',
  is_past_due: true,
  pay_link_version: 1,
});

/**
 * Each kind of mail with the longest content, once for each state in which it looks different. A missing kind
 * does not compile.
 */
export const LONG_MAILS: Record<MailKind, (texts: Texts) => (MailContent | null)[]> = {
  booking_held: booking('booking_held', { status: 'pending_payment' }),
  booking_confirmed: booking('booking_confirmed', {}, { status: 'cancelled' }),
  booking_reminder: booking('booking_reminder'),
  booking_change_pending: booking('booking_change_pending'),
  booking_changed: booking('booking_changed', {}, { charged_minor: null }, { status: 'cancelled' }),
  booking_note: booking('booking_note'),
  booking_message: (texts) => [
    renderMessageMail(
      {
        id: 'mail_1',
        to: texts.email,
        name: texts.name,
        locale: 'de',
        workspace_name: texts.name,
        subject: texts.label,
        text: `${texts.label}\n\nhttps://example.com/${texts.label}\n<b>${texts.name}</b>`,
        bookings: [1, 2].map(() => ({
          reference: 'K7QF2MW',
          room_name: texts.name,
          ...SPAN,
          currency: 'EUR',
          booking: { id: BOOKING, manage_link_version: 1 },
        })),
      },
      () => LINK,
    ),
  ],
  booking_cancelled: booking('booking_cancelled', { status: 'cancelled' }),
  booking_expired: booking('booking_expired', { status: 'expired' }),
  late_payment_refunded: booking('late_payment_refunded', { status: 'expired' }),
  payment_refunded: booking('payment_refunded', { status: 'cancelled' }),
  payment_refund_ended: booking('payment_refund_ended', { refund_parts: REFUNDS.slice(2) }),
  payment_refund_returned: booking('payment_refund_returned', { refund_parts: REFUNDS.slice(2) }),
  booking_to_confirm: (texts) => [
    renderProofMail(
      {
        id: 'mail_1',
        booking_id: BOOKING,
        to: texts.email,
        locale: 'de',
        workspace_name: texts.name,
        room_name: texts.name,
        ...SPAN,
        currency: 'EUR',
        confirm_until: SPAN.start_at,
      },
      LINK,
    ),
  ],
  invoice: invoice('invoice'),
  invoice_opened: invoice('invoice_opened', { autopay_last4: '4242' }),
  invoice_reminder: each(
    invoice('invoice_reminder'),
    invoice('invoice_reminder', {}, -9 * DAY_MS),
    invoice('invoice_reminder', { refusal_code: 'authentication_required' }),
    invoice('invoice_reminder', { refusal_code: 'card_declined' }),
  ),
  invoice_paid: invoice('invoice_paid'),
  invoice_voided: invoice('invoice_voided'),
  invoice_refunded: invoice('invoice_refunded'),
  invoice_refund_ended: invoice('invoice_refund_ended', { refund_parts: REFUNDS.slice(2) }),
  invoice_refund_returned: invoice('invoice_refund_returned', { refund_parts: REFUNDS.slice(2) }),
  monthly_statement: (texts) => [
    renderStatementMail(
      {
        id: 'mail_1',
        workspace_id: 'ws_1',
        workspace_name: texts.name,
        name: texts.name,
        email: texts.email,
        locale: 'de',
        autopay_last4: '4242',
        month: '2026-11-01',
        open: Array.from({ length: texts.rows }, () => owedInvoice(texts)),
        entries: Array.from({ length: texts.rows }, (_, n) => ({
          ...numbered(texts),
          day: '2026-11-05',
          kind: (['payment', 'refund', 'cancelled'] as const)[n % 3]!,
          currency: 'EUR',
          amount_minor: HUGE,
        })),
      },
      () => LINK,
    ),
  ],
  statement: (texts) => [
    renderIssuedStatementMail('mail_1', {
      number: 'RVFCUT-S-123456',
      payer_name: texts.name,
      payer_email: texts.email,
      content: {
        from: '2026-01-01',
        to: '2026-12-31',
        locale: 'de',
        parties: { seller: { name: texts.name, details: null }, payer: null },
        open: [{ ...owedInvoice(texts), number: 'RVFCUT-1' }],
      },
    } as unknown as StatementRow),
  ],
  workspace_created: owner('workspace_created'),
  database_behind: owner('database_behind'),
  seller_text_changed: owner('seller_text_changed'),
  full_discount_saved: owner('full_discount_saved'),
  billing_address_changed: owner('billing_address_changed'),
  webhook_endpoint_disabled: owner('webhook_endpoint_disabled'),
  refund_failed: owner('refund_failed'),
  refund_unfunded: owner('refund_unfunded'),
  payment_disputed: owner('payment_disputed'),
  accounting_failed: owner('accounting_failed'),
  number_given_twice: owner('number_given_twice'),
  accounting_disconnected: owner('accounting_disconnected'),
  reconciliation_differs: owner('reconciliation_differs'),
  maintenance_announced: owner('maintenance_announced'),
  admin_added: owner('admin_added'),
  api_key_created: owner('api_key_created'),
  webhook_url_changed: owner('webhook_url_changed'),
  sso_changed: owner('sso_changed'),
  sso_certificate_expires: owner('sso_certificate_expires'),
  recipients_limited: owner('recipients_limited'),
  mail_held: owner('mail_held'),
  staff_booking: (texts) => STAFF_NOTICES.map((each) => staff('staff_booking', texts, [notice(texts, each)])),
  staff_digest: (texts) => [
    staff(
      'staff_digest',
      texts,
      Array.from({ length: Math.min(texts.rows, LISTED_NOTICES) }, (_, n) =>
        notice(texts, STAFF_NOTICES[n % 3]!),
      ),
    ),
  ],
  second_factor_enrolled: account('second_factor_enrolled'),
  second_factor_reset: account('second_factor_reset'),
  recovery_codes_created: account('recovery_codes_created'),
  passkey_added: account('passkey_added'),
  passkey_removed: account('passkey_removed'),
  new_device: account('new_device'),
  member_invite: (texts) => [
    renderInviteMail('mail_1', invite(texts), LINK),
    renderAddressProofMail('mail_1', invite(texts), LINK),
    renderNewAddressMail('mail_1', invite(texts), LINK),
  ],
  member_email_requested: (texts) => [
    renderAddressRequestedMail('mail_1', invite(texts), 'https://book.example/account'),
  ],
  member_email_changed: (texts) => [
    renderAddressChangedMail({ id: 'mail_1', to: texts.email, workspace_name: texts.name }),
  ],
  sign_in_link: (texts) => [
    renderSignInMail('mail_1', {
      to: texts.email,
      link: LINK,
      pages: [{ workspace_name: texts.name, url: LINK }],
    }),
  ],
};
