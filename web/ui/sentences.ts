import type { ApiError, ErrorCode } from '../../domain/errors.js';
import { formatMoney } from '../../domain/display.js';
import { NOT_OPENED } from '../../domain/processor/refusals.js';
import type { WordKey, Words } from '../../domain/words/words.js';

type Details = Record<string, unknown>;
type Sentence = string | ((details: Details) => string | null);

/** Error messages for staff in the dashboard and for payers, where the API's message does not fit. */
interface Meaning {
  staff?: Sentence;
  payer?: WordKey | ((details: Details) => WordKey | null);
}

const money = (minor: unknown, currency: unknown): string =>
  formatMoney({ amount_minor: minor as number, currency: currency as string });

const DECLINED =
  'The bank declined the card that the booking was paid with. Nothing was charged, and the ' +
  'booking is unchanged. To use another card, choose to pay by link below.';

/** How many bookings a message lists. */
const MAX_NAMED = 5;

/** Null if the API's message suits staff and payers. */
const MEANINGS: Record<ErrorCode, Meaning | null> = {
  invalid_json: null,
  auth_invalid: null,
  payment_failed: {
    staff: ({ reason }) => (reason === 'declined' ? DECLINED : null),
    payer: 'payer.error_payment_failed',
  },
  auth_scope_insufficient: null,
  https_required: null,
  ip_not_allowed: null,
  origin_not_allowed: null,
  proof_required: null,
  owner_protected: null,
  role_insufficient: null,
  tier_not_allowed: null,
  not_found: {
    staff: ({ reason }) =>
      reason === 'deleted' ? 'This was already created and has since been deleted.' : null,
    payer: 'payer.error_not_found',
  },
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
  already_paid: null,
  booking_not_cancellable: {
    payer: ({ reason }) => (reason === 'partly_paid' ? 'payer.error_partly_paid' : null),
  },
  booking_not_editable: null,
  booking_not_payable: null,
  booking_not_started: null,
  change_pending: {
    staff: ({ reason }) =>
      reason === 'pending'
        ? 'An earlier change is not paid yet. Wait until it is paid or lapses, or withdraw it.'
        : null,
    payer: 'payer.error_change_pending',
  },
  credit_limit_exceeded: null,
  extra_unavailable: null,
  discount_unavailable: {
    payer: 'payer.error_discount_unavailable',
  },
  idempotency_conflict: null,
  invoice_managed_by_booking: null,
  invoice_not_mutable: null,
  invoice_not_open: null,
  invoice_not_overdue: null,
  invoice_not_paid: null,
  invoice_not_voidable: null,
  member_cancelled: null,
  member_exists: null,
  member_not_editable: null,
  member_not_invited: null,
  key_not_live: null,
  limit_reached: {
    payer: 'payer.error_limit_reached',
  },
  parts_conflict: {
    staff: ({ bookings }) => {
      const references = (bookings as { reference: string }[]).map(({ reference }) => reference);
      const more = references.length > MAX_NAMED ? ` and ${references.length - MAX_NAMED} more` : '';
      const named = references.slice(0, MAX_NAMED).join(', ');
      return (
        `Bookings of these rooms overlap: ${named}${more}. Move or cancel one of each pair, then ` +
        'save again.'
      );
    },
  },
  payment_not_confirmed: null,
  payment_too_late: null,
  processor_account_taken: null,
  slot_already_paid: null,
  slot_unavailable: {
    staff: ({ booking_ids }) =>
      booking_ids ? 'Bookings overlap this blackout. Submit it again to choose what happens to them.' : null,
    payer: 'payer.error_slot_unavailable',
  },
  too_many_keys: null,
  too_many_unpaid_bookings: null,
  accounting_unconfigured: null,
  processor_unconfigured: {
    payer: 'payer.error_no_payments',
  },
  uploads_unconfigured: null,
  version_conflict: {
    staff: () => 'Someone else has changed this. Nothing was saved. Reload the page.',
  },
  payload_too_large: null,
  malformed_request: null,
  request_timeout: null,
  headers_too_large: null,
  unsupported_media_type: null,
  amount_exceeds_outstanding: {
    staff: ({ outstanding_minor, currency }) =>
      `At most ${money(outstanding_minor, currency)} is outstanding.`,
  },
  amount_exceeds_refundable: {
    staff: ({ refundable_minor, currency }) =>
      refundable_minor === 0 ? null : `At most ${money(refundable_minor, currency)} can be refunded.`,
  },
  amount_too_small: {
    payer: 'payer.error_amount_too_small',
  },
  scope_not_narrower: null,
  slot_misaligned: null,
  validation_failed: {
    staff: ({ reason }) =>
      reason === 'no_email'
        ? 'The payer has no email address. Enter the billing email of the company first.'
        : null,
  },
  rate_limited: null,
  internal_error: null,
  accounting_error: null,
  processor_error: {
    payer: ({ reason }) =>
      reason === NOT_OPENED ? 'payer.error_page_not_opened' : 'payer.error_payment_unknown',
  },
  maintenance: null,
  service_unavailable: {
    staff: 'The service is busy or did not respond in time. Check the current state, then try again.',
    payer: 'payer.error_service_unavailable',
  },
};

/** The message for staff in the dashboard; null if the API's message fits. */
export function describeError({ code, context: { details = {} } }: ApiError): string | null {
  const sentence = MEANINGS[code]?.staff ?? null;
  return typeof sentence === 'function' ? sentence(details) : sentence;
}

/** Messages for payers in other languages, where the API's English message fits. */
const IN_OTHER_LANGUAGES: Partial<Record<ErrorCode, WordKey>> = {
  booking_not_cancellable: 'payer.error_not_cancellable',
  booking_not_editable: 'payer.error_not_editable',
  extra_unavailable: 'payer.error_extra_unavailable',
  maintenance: 'payer.error_service_unavailable',
  rate_limited: 'payer.error_rate_limited',
  too_many_unpaid_bookings: 'payer.error_too_many_unpaid',
};

/** The message for a payer. `message`: the API's, used if there is no other. */
export function payerSentence(
  words: Words,
  { code, context: { details = {} } }: ApiError,
  message: string,
): string {
  const meaning = MEANINGS[code]?.payer;
  const key = typeof meaning === 'function' ? meaning(details) : meaning;
  if (key) return words.say(key as 'payer.error_limit_reached');
  if (words.language === 'en') return message;
  return words.say((IN_OTHER_LANGUAGES[code] ?? 'payer.error_other') as 'payer.error_other');
}

/** Replaces "the payment processor" in a text with the name of the processor that the workspace uses. */
export const namingStripe = (text: string): string =>
  text.replaceAll(/\b[Tt]he (payment )?processor\b/g, 'Stripe');
