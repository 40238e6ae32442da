import type { CancelRequest } from './booking-cancellation.js';
import type { ChangePlan, ChangeRequest } from './booking-change.js';
import type { DeskPaymentRequest } from './desk-payment.js';
import type { EventBody, EventType } from './events.js';
import type { BookingWithPendingChange } from './presenters/pending-change.js';
import type { PresentedInvoice } from './presenters/invoice.js';
import type { PresentedMember } from './presenters/member.js';
import type { PresentedPayment } from './presenters/payment.js';

/*
 * The parts of stored JSON that an erasure keeps (docs/rules/members.md#erasure). Fields that are not listed become
 * null, and lists empty, so a new field is erased until it is listed here.
 */

/** The fields of `T` that are kept: `true` for a field with everything in it, or an object of its kept fields. */
export type Kept<T> =
  | true
  | (T extends readonly (infer Item)[]
      ? Kept<Item>
      : T extends object
        ? { readonly [Field in keyof T]?: Kept<NonNullable<T[Field]>> }
        : never);

/** A copy of a value with null, or an empty list, for every field that is not kept. A guest remains an object without name and address. */
function keepOnly(value: unknown, kept: unknown): unknown {
  if (kept === true || value === null || value === undefined) return value;
  if (typeof kept !== 'object' || typeof value !== 'object') return Array.isArray(value) ? [] : null;
  if (Array.isArray(value)) return value.map((item) => keepOnly(item, kept));
  const fields = kept as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(value).map(([field, inner]) => [field, keepOnly(inner, fields[field])]),
  );
}

const MEMBER: Kept<PresentedMember & { deleted: true }> = {
  id: true,
  deleted: true,
  tier: true,
  billed: true,
  status: true,
  role: true,
  company: true,
  joined_at: true,
  tokens: true,
  trial_ends_at: true,
  pending_tier: true,
  pending_tier_at: true,
  payment_terms: true,
  credit_limit_minor: true,
  monthly_statement: true,
  autopay: true,
  archived_at: true,
  created_at: true,
  updated_at: true,
};

const BOOKING: Kept<BookingWithPendingChange> = {
  id: true,
  reference: true,
  status: true,
  checkout_url: true,
  expires_at: true,
  room: true,
  room_id: true,
  start_at: true,
  end_at: true,
  booked_by: { member_id: true, guest: {} },
  member_id: true,
  company_id: true,
  attendees: true,
  price: true,
  lines: true,
  extras: true,
  discount_code: true,
  tokens_used: true,
  invoice_id: true,
  processor_payment_intent_id: true,
  settle: true,
  confirmation_source: true,
  sequence: true,
  created_at: true,
  updated_at: true,
  confirmed_at: true,
  cancelled_at: true,
  completed_at: true,
  no_show_at: true,
  pending_change: true,
  source: true,
  terms_version: true,
  terms_accepted_at: true,
};

const INVOICE: Kept<PresentedInvoice> = {
  id: true,
  kind: true,
  number: true,
  document_number: true,
  status: true,
  currency: true,
  net_minor: true,
  tax_minor: true,
  total_minor: true,
  paid_minor: true,
  outstanding_minor: true,
  due_at: true,
  company_id: true,
  member_id: true,
  booking_id: true,
  adjusts: true,
  period_start: true,
  period_end: true,
  reference: true,
  accounting_id: true,
  accounting_reference: true,
  accounting_error: true,
  lines: true,
  created_at: true,
  sent_at: true,
  overdue_at: true,
  collection: true,
  paid_at: true,
  voided_at: true,
  cancelled_at: true,
};

const PAYMENT: Kept<PresentedPayment> = {
  id: true,
  invoice_id: true,
  booking_id: true,
  kind: true,
  status: true,
  amount_minor: true,
  currency: true,
  method: true,
  reference: true,
  processor_payment_intent_id: true,
  refunded_minor: true,
  refunds: true,
  disputed_minor: true,
  disputes: true,
  refund_of: true,
  origin: true,
  reason: true,
  source: true,
  paid_at: true,
  settled_at: true,
  created_at: true,
};

type EventSubject = EventType extends `${infer Subject}.${string}` ? Subject : never;

/** By the object of an event. Test events have an endpoint. */
const EVENT_OBJECTS: Record<EventSubject, object> = {
  booking: BOOKING,
  member: MEMBER,
  invoice: INVOICE,
  payment: PAYMENT,
  webhook: {},
};

/** An event without personal data. */
export function eraseEvent(body: EventBody): EventBody {
  const { id, type, created_at, workspace_id, sequence, data } = body;
  const kept = EVENT_OBJECTS[type.split('.')[0] as EventSubject];
  const previous = data.previous !== undefined && { previous: keepOnly(data.previous, kept) };
  const erased = { object: keepOnly(data.object, kept), ...previous };
  return { id, type, created_at, workspace_id, sequence, data: erased };
}

const KEY = { scope: true, expires_at: true };
const DETAILS = { attendees: true };
const PLACE = { ...DETAILS, room: true, start_at: true, end_at: true, extras: true, price_minor: true };

/**
 * By the action of an audit entry about a member, a key, a booking, an invoice or a payment. Details of other actions are
 * not kept.
 */
const AUDIT_DETAILS: Record<string, object> = {
  'member.created': { after: MEMBER },
  'member.invited': { after: MEMBER },
  'member.updated': { before: MEMBER, after: MEMBER },
  'member.tier_changed': { before: MEMBER, after: MEMBER },
  'member.archived': { before: MEMBER, after: MEMBER },
  'booking.cancelled': { refund_policy: true, refund_minor: true, from: true },
  'booking.change_withdrawn': { pending_change_id: true },
  'booking.details_changed': { before: DETAILS, after: DETAILS },
  'booking.guest_corrected': { fields: true },
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

/** The details of an audit entry without personal data. */
export const eraseAuditDetails = (
  action: string,
  details: Record<string, unknown>,
): Record<string, unknown> => keepOnly(details, AUDIT_DETAILS[action] ?? {}) as Record<string, unknown>;

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

/** A requested change, cancellation or payment at the desk without free text about the payer. */
export const eraseChangeRequest = <R extends ChangeRequest | CancelRequest | DeskPaymentRequest>(
  request: R,
): R => keepOnly(request, { ...CHANGE_REQUEST, ...DESK_PAYMENT }) as R;

/** A planned change without free text. */
export const eraseChangePlan = (plan: ChangePlan): ChangePlan => keepOnly(plan, CHANGE_PLAN) as ChangePlan;
