import type { ApiError, ErrorCode } from '../../../domain/errors.js';
import type { NotCharged } from '../../../domain/pending-change.js';
import { formatMoney } from '../../../domain/display.js';

type Details = Record<string, unknown>;
/** A sentence about an error with these details. Null if the API's message is for people too. */
type Sentence = ((details: Details) => string | null) | null;

const money = (minor: unknown, currency: unknown): string =>
  formatMoney({ amount_minor: minor as number, currency: currency as string });

const NOT_PAID: Record<NotCharged, string | null> = {
  declined:
    'The bank declined the card on file: nothing was charged, and the booking is unchanged. To let the payer pay with ' +
    'another card, choose below to send a link.',
  authentication_required: null,
  no_card_on_file: null,
};

/** What each error means to somebody at the dashboard. */
const SENTENCES: Record<ErrorCode, Sentence> = {
  invalid_json: null,
  auth_invalid: null,
  payment_failed: ({ reason }) => NOT_PAID[reason as NotCharged] ?? null,
  auth_scope_insufficient: null,
  https_required: null,
  ip_not_allowed: null,
  owner_protected: null,
  role_insufficient: null,
  tier_not_allowed: null,
  not_found: ({ reason }) =>
    reason === 'deleted' ? 'This was created before and has been deleted since.' : null,
  booking_not_found: null,
  company_not_found: null,
  event_not_found: null,
  invoice_not_found: null,
  key_not_found: null,
  member_not_found: null,
  payment_not_found: null,
  room_not_found: null,
  method_not_allowed: null,
  accounting_organisation_taken: null,
  booking_not_cancellable: null,
  booking_not_editable: null,
  booking_not_started: null,
  change_pending: ({ reason }) =>
    reason === 'pending'
      ? 'An earlier change waits for its payment. Wait until it is paid or lapses, or withdraw it.'
      : null,
  credit_limit_exceeded: null,
  idempotency_conflict: null,
  invoice_managed_by_booking: null,
  invoice_not_mutable: null,
  invoice_not_open: null,
  invoice_not_paid: null,
  invoice_not_voidable: null,
  member_cancelled: null,
  member_exists: null,
  member_not_editable: null,
  member_not_invited: null,
  key_not_live: null,
  payment_not_confirmed: null,
  payment_too_late: null,
  processor_account_taken: null,
  slot_already_paid: null,
  slot_unavailable: ({ booking_ids }) =>
    booking_ids
      ? 'The blackout overlaps pending or confirmed bookings. To create it anyway, select the checkbox.'
      : null,
  too_many_keys: null,
  too_many_unpaid_bookings: null,
  accounting_unconfigured: null,
  processor_unconfigured: null,
  payload_too_large: null,
  unsupported_media_type: null,
  amount_exceeds_outstanding: ({ outstanding_minor, currency }) =>
    `At most ${money(outstanding_minor, currency)} is outstanding.`,
  amount_exceeds_refundable: ({ refundable_minor, currency }) =>
    refundable_minor === 0 ? null : `At most ${money(refundable_minor, currency)} can be refunded.`,
  amount_too_small: null,
  scope_not_narrower: null,
  slot_misaligned: null,
  validation_failed: null,
  rate_limited: null,
  internal_error: null,
  accounting_error: null,
  processor_error: null,
  maintenance: null,
  service_unavailable: () =>
    'The service is busy or did not respond in time. Check the current state, then try again.',
};

/** What an error means to somebody at the dashboard; null if the API's message is for people too. */
export const sentenceOf = ({ code, context: { details } }: ApiError): string | null =>
  SENTENCES[code]?.(details ?? {}) ?? null;
