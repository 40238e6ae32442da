import type { ApiError, ErrorCode } from '../../domain/errors.js';
import { formatMoney } from '../../domain/display.js';

type Details = Record<string, unknown>;
type Sentence = string | ((details: Details) => string | null);

/** What an error means to somebody at the dashboard, and to a payer, where the API's message is not for them. */
interface Meaning {
  staff?: Sentence;
  payer?: Sentence;
}

const money = (minor: unknown, currency: unknown): string =>
  formatMoney({ amount_minor: minor as number, currency: currency as string });

const DECLINED =
  'The bank declined the card on file: nothing was charged, and the booking is unchanged. To let the payer pay with ' +
  'another card, choose below to send a link.';

/** How many bookings a sentence names. */
const MAX_NAMED = 5;

/** What each error means to people. Null if the API's message is for them too. */
const MEANINGS: Record<ErrorCode, Meaning | null> = {
  invalid_json: null,
  auth_invalid: null,
  payment_failed: {
    staff: ({ reason }) => (reason === 'declined' ? DECLINED : null),
    payer: 'Your card was declined. Nothing has changed.',
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
      reason === 'deleted' ? 'This was created before and has been deleted since.' : null,
    payer: 'The change is no longer awaiting payment.',
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
  booking_not_cancellable: null,
  booking_not_editable: null,
  booking_not_payable: null,
  booking_not_started: null,
  change_pending: {
    staff: ({ reason }) =>
      reason === 'pending'
        ? 'An earlier change waits for its payment. Wait until it is paid or lapses, or withdraw it.'
        : null,
    payer:
      'An earlier change is still being processed or awaiting payment. Pay for it or withdraw it, or try again in a few minutes.',
  },
  credit_limit_exceeded: null,
  extra_unavailable: null,
  discount_unavailable: {
    payer:
      'This code cannot be used for this booking. Nothing is booked yet; check the code or leave it out.',
  },
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
  limit_reached: {
    payer: 'This change cannot be made at the moment. Nothing has changed; try again later.',
  },
  parts_conflict: {
    staff: ({ bookings }) => {
      const references = (bookings as { reference: string }[]).map(({ reference }) => reference);
      const more = references.length > MAX_NAMED ? ` and ${references.length - MAX_NAMED} more` : '';
      const named = references.slice(0, MAX_NAMED).join(', ');
      return `Bookings of these rooms overlap: ${named}${more}. Move or cancel one of each two, then save again.`;
    },
  },
  payment_not_confirmed: null,
  payment_too_late: null,
  processor_account_taken: null,
  slot_already_paid: null,
  slot_unavailable: {
    staff: ({ booking_ids }) =>
      booking_ids
        ? 'Bookings are in the way of the blackout. Submit it again to choose what happens to them.'
        : null,
    payer: 'This time is no longer available. Nothing has changed; choose another time.',
  },
  too_many_keys: null,
  too_many_unpaid_bookings: null,
  accounting_unconfigured: null,
  processor_unconfigured: null,
  version_conflict: {
    staff: () => 'Somebody else has changed this in the meantime. Nothing was saved: load the page again.',
  },
  payload_too_large: null,
  unsupported_media_type: null,
  amount_exceeds_outstanding: {
    staff: ({ outstanding_minor, currency }) =>
      `At most ${money(outstanding_minor, currency)} is outstanding.`,
  },
  amount_exceeds_refundable: {
    staff: ({ refundable_minor, currency }) =>
      refundable_minor === 0 ? null : `At most ${money(refundable_minor, currency)} can be refunded.`,
  },
  amount_too_small: null,
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
      reason === 'not_opened'
        ? 'The payment page could not be opened, and nothing has changed. Try again in a few minutes.'
        : 'Your payment has not been confirmed yet. Once it is, the booking changes and we email you. Please do not try again.',
  },
  maintenance: null,
  service_unavailable: {
    staff: 'The service is busy or did not respond in time. Check the current state, then try again.',
    payer: 'Something went wrong, and nothing has changed. Try again in a few minutes.',
  },
};

/** What an error means to somebody at the dashboard, or to a payer; null if the API's message is for them too. */
export function sentenceOf(
  { code, context: { details = {} } }: ApiError,
  reader: keyof Meaning,
): string | null {
  const sentence = MEANINGS[code]?.[reader] ?? null;
  return typeof sentence === 'function' ? sentence(details) : sentence;
}

/** A text for API clients and operators as staff read it: with the name of the payment processor that the workspace uses. */
export const namingStripe = (text: string): string =>
  text.replaceAll(/\b[Tt]he (payment )?processor\b/g, 'Stripe');
