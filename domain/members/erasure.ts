import type { CancelRequest } from '../bookings/cancellation.js';
import type { ChangePlan, ChangeRequest } from '../bookings/change.js';
import type { DeskPaymentRequest } from '../payments/desk-payment.js';
import type { EventBody, EventType } from '../events/types.js';
import type { BookingWithPendingChange } from '../bookings/pending-change-presenter.js';
import type { PresentedInvoice } from '../invoices/invoice-presenter.js';
import type { PresentedMember } from './presenter.js';
import type { PresentedPayment } from '../payments/presenter.js';

/* The parts of stored JSON that an erasure keeps (docs/rules/members.md#erasure): an object keeps its
   kept columns and the fields listed here. Other fields become null and lists empty, so a new field is
   erased unless it is declared or listed. */

/** The kept fields of `T`: `true` for a field with all its content, or an object with its own kept fields. */
export type Kept<T> =
  | true
  | (T extends readonly (infer Item)[]
      ? Kept<Item>
      : T extends object
        ? { readonly [Field in keyof T]?: Kept<NonNullable<T[Field]>> }
        : never);

/**
 * Copies a value and replaces every field that is not kept with null or an empty list. A guest remains as an
 * object without name and address.
 */
function keepOnly(value: unknown, kept: unknown): unknown {
  if (kept === true || value === null || value === undefined) return value;
  if (kept === 'emptied') return {};
  if (typeof kept !== 'object' || typeof value !== 'object') return Array.isArray(value) ? [] : null;
  if (Array.isArray(value)) return value.map((item) => keepOnly(item, kept));
  const fields = kept as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(value).map(([field, inner]) => [field, keepOnly(inner, fields[field])]),
  );
}

/**
 * The columns of an object's table that an erasure keeps, or leaves as an empty object. Fields with the same
 * names are treated alike.
 */
export type KeptColumns = Record<
  'booking' | 'invoice' | 'member' | 'payment',
  Readonly<Record<string, true | 'emptied'>>
>;

/**
 * Kept fields that are not kept columns. The status, the pending tier and autopay of a member are those at
 * the time of an event, and stay in it. In the row they are erased, because they end with the membership.
 */
const COMPUTED: {
  booking: Kept<BookingWithPendingChange>;
  invoice: Kept<PresentedInvoice>;
  member: Kept<PresentedMember & { deleted: true }>;
  payment: Kept<PresentedPayment>;
} = {
  booking: {
    room: true,
    booked_by: { member_id: true, guest: {} },
    price: true,
    lines: true,
    extras: true,
    discount_code: true,
    tokens_used: true,
    settle: true,
    pending_change: true,
  },
  invoice: {
    paid_minor: true,
    outstanding_minor: true,
    lines: true,
    collection: true,
  },
  member: {
    deleted: true,
    status: true,
    company: true,
    tokens: true,
    pending_tier: true,
    pending_tier_at: true,
    monthly_statement: true,
    autopay: true,
  },
  payment: { refunds: true, disputes: true },
};

/** Returns the kept fields of an object as the API returns it. */
const keptFields = (subject: keyof KeptColumns, columns: KeptColumns): object => ({
  ...columns[subject],
  ...(COMPUTED[subject] as object),
});

type EventSubject = EventType extends `${infer Subject}.${string}` ? Subject : never;

/** Returns an event without personal data. A test event contains an endpoint, of which nothing is kept. */
export function eraseEvent(body: EventBody, columns: KeptColumns): EventBody {
  const { data, ...rest } = body;
  const subject = rest.type.split('.')[0] as EventSubject;
  const kept = subject === 'webhook' ? {} : keptFields(subject, columns);
  const previous = data.previous !== undefined && { previous: keepOnly(data.previous, kept) };
  const erased = { object: keepOnly(data.object, kept), ...previous };
  return { ...rest, data: erased };
}

const KEY = { scope: true, expires_at: true };
const DETAILS = { attendees: true };
const PLACE = { ...DETAILS, room: true, start_at: true, end_at: true, extras: true, price_minor: true };

/** The actions of audit entries whose details contain a member before and after. */
const MEMBER_ACTIONS = ['created', 'invited', 'updated', 'tier_changed', 'archived'].map(
  (done) => `member.${done}`,
);

/**
 * The kept details of other audit entries about a member, a key, a booking, an invoice or a payment, by
 * action. Details of other actions are not kept.
 */
const AUDIT_DETAILS: Record<string, object> = {
  'booking.cancelled': { refund_policy: true, refund_minor: true, from: true },
  'booking.change_withdrawn': { pending_change_id: true },
  'booking.details_changed': { before: DETAILS, after: DETAILS },
  'booking.guest_corrected': { fields: true },
  'booking.message_sent': { message_id: true },
  'booking.payment_taken': {
    payment_id: true,
    amount_minor: true,
    method: true,
    reference: true,
    pending_change_id: true,
  },
  'booking.extras_changed': { before: PLACE, after: PLACE, currency: true },
  'booking.moved': { before: PLACE, after: PLACE, currency: true },
  'invoice.created': { total_minor: true, currency: true, company_id: true, member_id: true },
  'invoice.marked_paid': { payment_id: true, amount_minor: true, method: true, reference: true },
  'invoice.adjusted': { adjustment_id: true, total_minor: true },
  'payment.refunded': { refund_id: true, amount_minor: true },
  'api_key.created': {
    ...KEY,
    fingerprint: true,
    member_id: true,
    kind: true,
    origins: true,
    room_ids: true,
  },
  'api_key.narrowed': { fingerprint: true, before: KEY, after: KEY },
  'api_key.rotated': {
    rotation_id: true,
    fingerprint: true,
    previous_fingerprint: true,
    previous_expires_at: true,
  },
  'api_key.revoked': { fingerprint: true, reason: true, revoker_profile_id: true },
  'oauth_grant.revoked': { client_id: true, reason: true, fingerprint: true, revoker_profile_id: true },
};

/** Returns the details of an audit entry without personal data. */
export function eraseAuditDetails(
  action: string,
  details: Record<string, unknown>,
  columns: KeptColumns,
): Record<string, unknown> {
  // An entry can lose details but must not get others in their place, not even empty ones.
  const member = Object.fromEntries(
    Object.entries(keptFields('member', columns)).filter(([, kept]) => kept !== 'emptied'),
  );
  const kept = MEMBER_ACTIONS.includes(action) ? { before: member, after: member } : AUDIT_DETAILS[action];
  return keepOnly(details, kept ?? {}) as Record<string, unknown>;
}

const CHANGE_REQUEST: Kept<ChangeRequest & CancelRequest> = {
  start_at: true,
  end_at: true,
  room_id: true,
  attendees: true,
  extras: true,
  refund_policy: true,
  refund_amount_minor: true,
  at_desk: true,
  notify_attendees: true,
  expected_refund_minor: true,
  expected_difference_minor: true,
  blackout_id: true,
  pay_by_link: true,
  by_staff: true,
};
const DESK_PAYMENT: Kept<DeskPaymentRequest> = {
  method: true,
  amount_minor: true,
  reference: true,
  paid_at: true,
  idempotency: true,
};
const CHANGE_PLAN: Kept<ChangePlan> = { attendees: true, move: true };

/** Removes free text about the payer from a requested change, cancellation or payment at the desk. */
export const eraseChangeRequest = <R extends ChangeRequest | CancelRequest | DeskPaymentRequest>(
  request: R,
): R => keepOnly(request, { ...CHANGE_REQUEST, ...DESK_PAYMENT }) as R;

/** Removes free text from a planned change. */
export const eraseChangePlan = (plan: ChangePlan): ChangePlan => keepOnly(plan, CHANGE_PLAN) as ChangePlan;
