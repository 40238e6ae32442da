import type { ErrorCode } from '../../domain/errors.js';

/** Markdown. */
export interface ErrorMeaning {
  meaning: string;
  /** What the caller can do. */
  remedy: string;
}

const means = (meaning: string, remedy: string): ErrorMeaning => ({ meaning, remedy });

const gone = (object: string): ErrorMeaning =>
  means(
    `The workspace has no such ${object}.`,
    `Check the id, and check that the key belongs to the workspace of the ${object}.`,
  );

/** What each error code means and how to resolve it. Does not compile if a code is missing. */
export const ERROR_CODES: Record<ErrorCode, ErrorMeaning> = {
  invalid_json: means(
    'The request body is not valid JSON.',
    'Check quotes and commas, and encode the body as UTF-8.',
  ),
  malformed_request: means(
    'The request is not valid HTTP. The connection is closed.',
    'Use an HTTP library, and send the header `Host`.',
  ),
  auth_invalid: means(
    'The API key or access token is missing, malformed, unknown, expired or revoked. `message` says ' +
      'whether it is missing, malformed or not valid.',
    'Send a valid key as `Authorization: Bearer <API_KEY>`. Create or rotate keys in the dashboard; ' +
      'refresh access tokens at `/oauth/token`.',
  ),
  payment_failed: means(
    'The card on file could not be charged. Nothing was changed. `details.reason` is `declined`, ' +
      '`authentication_required` or `no_card_on_file`.',
    'If `details.authentication_required` is true, repeat the request with ' +
      '`on_authentication: link`, which returns a page where the payer can pay. Otherwise ask the ' +
      'payer, or cancel and create a new booking.',
  ),
  auth_scope_insufficient: means(
    'The key lacks the scope in `details.required`.',
    'Use or create a key with this scope: the scope of a key cannot be widened.',
  ),
  https_required: means('The request used plain HTTP.', 'Use HTTPS. Rotate the key that you sent.'),
  ip_not_allowed: means(
    'The `ip_allowlist` of the key does not contain your IP address.',
    'Send the request from an allowed address, or use another key.',
  ),
  origin_not_allowed: means(
    'The origin of the request is not one of the publishable key’s `origins`. Without a publishable ' +
      'key, it is not the origin of a redirect URI of a public OAuth client.',
    'In the dashboard, create a publishable key for the origin, or a public OAuth client with a ' +
      'redirect URI of the origin. The origins of an existing key cannot be changed.',
  ),
  proof_required: means(
    'Several rooms were held from this address within 10 minutes, so the next hold needs a proof of ' +
      'work. `details.challenge` is a challenge for ALTCHA’s libraries and widgets.',
    'Solve the challenge and repeat the request with the answer as `proof`: the JSON `{challenge, ' +
      'solution}` in base64. Or try again after 10 minutes.',
  ),
  owner_protected: means(
    'The owner of the workspace is protected from this change.',
    'Transfer the ownership in the dashboard first.',
  ),
  role_insufficient: means(
    'The role of the member the key belongs to does not permit the request.',
    'Use the key of a member with one of the roles that the operation lists.',
  ),
  tier_not_allowed: means(
    'The tier of the member cannot book the room, or guests cannot book it.',
    'Book another room, or change the tier of the member or the `tiers` of the room.',
  ),
  not_found: means('The path or the object does not exist.', 'Check the path and the id.'),
  booking_not_found: means(
    'The workspace has no such booking, or you may not see it.',
    'Check the id. The roles `member` and `billing_contact` see only their own bookings.',
  ),
  company_not_found: gone('company'),
  event_not_found: gone('event'),
  invoice_not_found: gone('invoice'),
  key_not_found: gone('API key'),
  member_not_found: gone('member'),
  payment_not_found: gone('payment'),
  room_not_found: gone('room'),
  method_not_allowed: means(
    'The path does not support the method.',
    'Use one of the methods in the `Allow` header.',
  ),
  request_timeout: means(
    'The request did not arrive completely in time. The connection is closed.',
    'Send it again.',
  ),
  accounting_organisation_taken: means(
    'The organisation cannot be connected: the workspace has used another organisation before, or ' +
      'another workspace uses this one.',
    'Connect the organisation that the workspace used before, or one that no other workspace uses.',
  ),
  already_paid: means(
    'The booking has already been paid, on its hosted page or at the desk, or it is free. No payment ' +
      'was recorded.',
    'Return the money that you received. To undo the payment, refund it or cancel the booking.',
  ),
  booking_not_cancellable: means(
    'The booking cannot be cancelled, for example because it has expired or ended. `details.reason` is ' +
      'the cause: `status`, `ended`, `partly_paid` or `refund_changed`.',
    'See `message`. To return the money for a booking that has ended, refund its payment.',
  ),
  booking_not_editable: means(
    'The booking can no longer be changed, or cannot be changed in this way. `details.reason` is the ' +
      'cause, such as `status`, `unpaid` or `edit_window`.',
    'See `message`. Cancel the booking and create a new one if it must change.',
  ),
  booking_not_payable: means(
    'No payment can be taken at the desk for the booking. `details.reason` is the cause: `status`, ' +
      '`ended` or `on_account`.',
    'See `message`. Record the payment of a booking on account with `POST /v1/invoices/{id}/mark-paid`.',
  ),
  credit_limit_exceeded: means(
    'The payer cannot book on account. `details.reason` is the cause: the booking exceeds the credit ' +
      'limit (`limit`), the credit limit is in another currency (`currency`), or an invoice of the ' +
      'payer is overdue (`overdue`). `details.available_minor` is the amount that is left.',
    'Have the overdue invoices paid, raise the `credit_limit_minor`, or book without `settle`.',
  ),
  change_pending: means(
    'An earlier change of the booking is still in progress: its price difference is being charged, ' +
      'or the payer has not paid it yet. `details.change_id` is the id of the change, and ' +
      '`details.expires_at` the time at which a pending change lapses.',
    'Wait until the change is applied or discarded, or withdraw a pending change with `DELETE ' +
      '/v1/bookings/{id}/pending-change`. Then repeat the request.',
  ),
  booking_not_started: means(
    'The booking has not started yet, so it cannot be marked as a no-show.',
    'Repeat the request after `start_at`.',
  ),
  idempotency_conflict: means(
    'The idempotency key has been used for a different request.',
    'Use a new key for a new request, and the same body for a retry.',
  ),
  invoice_managed_by_booking: means(
    'The invoice belongs to a booking that is awaiting payment.',
    'Pay the booking at its `checkout_url`, or cancel the booking.',
  ),
  invoice_not_mutable: means(
    'The invoice is managed automatically, such as a subscription invoice.',
    'Change what it is created from, such as the tier of the member.',
  ),
  invoice_not_open: means(
    'The status of the invoice does not allow the request.',
    'Get the invoice and check its `status`. A paid invoice can be adjusted.',
  ),
  invoice_not_overdue: means(
    'The invoice is not due yet, or nothing is outstanding.',
    'Send the invoice again instead, or wait until the day after `due_at`.',
  ),
  invoice_not_paid: means('Only a paid invoice can be adjusted.', 'Void the invoice and create a new one.'),
  invoice_not_voidable: means(
    'The invoice has payments, or its status does not allow it to be voided.',
    'Refund the payments of an open invoice first. Refund those of a paid one instead.',
  ),
  member_cancelled: means(
    'The membership is cancelled, so no new bookings can be made for the member.',
    'Set the `status` of the member to `active`, or book for a guest.',
  ),
  member_exists: means(
    'A member or person with this email address already exists.',
    'Find the member with `GET /v1/members?q=`, including archived ones.',
  ),
  member_not_editable: means(
    'The status of the member does not allow the change.',
    'Get the member and check its `status`.',
  ),
  member_not_invited: means(
    'The member has no invite to resend.',
    'No action is needed: the member has signed up, or was created without an invite.',
  ),
  key_not_live: means('The key has been revoked or has expired.', 'Create a new key.'),
  parts_conflict: means(
    'Bookings of the room and of its parts overlap. `details.bookings` lists up to 100 of them with ' +
      'their room and time.',
    'Move or cancel one booking of each overlapping pair, then repeat the request.',
  ),
  payment_not_confirmed: means(
    'The payment processor has not confirmed the payment.',
    'Wait, then get the object again. It is updated when the payment is confirmed.',
  ),
  payment_too_late: means('The payment arrived too late and is refunded in full.', 'Create a new booking.'),
  processor_account_taken: means(
    'The processor account is connected to another workspace.',
    'Onboard with a different account.',
  ),
  slot_already_paid: means(
    'The slot has already been booked. The payment is refunded in full.',
    'Create a booking for another time.',
  ),
  limit_reached: means(
    'The workspace has reached the maximum number of these objects, `details.limit`. ' +
      '`details.reason` is the kind: `rooms`, `companies`, `members`, `extras`, `discounts`, ' +
      '`blackouts` (of the room, not counting those that have ended), `pending_changes` or `pictures`.',
    'Delete blackouts and withdraw pending changes that are no longer needed. For a higher limit of ' +
      'other objects, contact the operator of the service.',
  ),
  too_many_keys: means('The workspace has 100 live API keys.', 'Revoke keys that are no longer used.'),
  too_many_unpaid_bookings: means(
    'The member has reached the maximum number of unpaid bookings and pending changes, ' +
      '`details.limit`. The limit applies to members and billing contacts who book for themselves.',
    'Pay or cancel one of them, or wait until its hold ends.',
  ),
  extra_unavailable: means(
    'An extra is not available in the requested quantity. `details.extra_id` is the extra, and ' +
      '`details.available` the quantity that is left.',
    'Send a smaller quantity, or choose another time.',
  ),
  discount_unavailable: means(
    'The discount code cannot be used for this booking. For callers with the role `front_desk`, ' +
      '`admin` or `owner`, `details.reason` is the cause: `unknown`, `archived`, `not_yet_valid`, ' +
      '`expired`, `other_room`, `other_audience`, `other_currency`, `used_up` or `used_up_by_payer`.',
    'Book without the code, or use another code.',
  ),
  slot_unavailable: means(
    'The room is not available for the whole time. `details.reason` is the cause: `booked`, ' +
      '`part_booked` (a part of the room, or a room that includes it), `blackout` or `closed`.',
    'Choose a `free` window of `GET /v1/availability`.',
  ),
  accounting_unconfigured: means(
    'No accounting system is connected or configured.',
    'Connect one with `POST /v1/workspace/accounting/connect`.',
  ),
  processor_unconfigured: means(
    'The workspace cannot take payments.',
    'Complete the onboarding: `POST /v1/workspace/processor/onboarding`.',
  ),
  uploads_unconfigured: means(
    'The service is not set up to store uploaded pictures.',
    'Send the URLs of pictures in `image_urls` and `logo_url`.',
  ),
  version_conflict: means(
    'The version in the `If-Match` header is not the current version: the object has changed.',
    'Get the object again, apply your change to it, and repeat the request with the version in ' +
      '`details.version`.',
  ),
  payload_too_large: means(
    'The request body exceeds 1 MiB, or 5 MiB for a picture.',
    'Split the request, or make the picture smaller.',
  ),
  unsupported_media_type: means(
    'The content type of the request body is not accepted, or the body has a content encoding.',
    'Send JSON with the content type `application/json`, or a picture with its own content type, ' +
      'without a `Content-Encoding`.',
  ),
  amount_exceeds_outstanding: means(
    'The amount exceeds the outstanding amount.',
    'Send at most `details.outstanding_minor`.',
  ),
  amount_exceeds_refundable: means(
    'The amount exceeds what can still be refunded.',
    'Send at most `details.refundable_minor`.',
  ),
  amount_too_small: means(
    'The amount is below the payment processor’s minimum charge.',
    'Charge at least `details.minimum_minor`, which is null if the service does not know the minimum.',
  ),
  scope_not_narrower: means(
    'The new scope exceeds the current scope of the key.',
    'Create a new key with the scope that you need.',
  ),
  slot_misaligned: means(
    'The start or end is not on the slot grid of the room.',
    'Use a time that is a multiple of the room’s `slot_minutes` after local midnight.',
  ),
  validation_failed: means(
    'A field is missing, invalid or unknown.',
    'Correct the fields in `errors`. `param` is the first of them.',
  ),
  rate_limited: means(
    'Too many requests.',
    'Wait for the number of seconds in `Retry-After`, then repeat the request. Repeated requests ' +
      'before that reduce the limit.',
  ),
  headers_too_large: means(
    'The headers of the request, with its path and query, exceed 16 KiB. The connection is closed.',
    'Send fewer or shorter headers.',
  ),
  internal_error: means(
    'An internal error occurred.',
    'Retry with the same idempotency key. To report it, quote the `request_id`.',
  ),
  accounting_error: means(
    'The accounting system did not respond or refused the request.',
    'Try again later. See `message`.',
  ),
  processor_error: means(
    'The payment processor did not respond or refused the request. If `details.reason` is ' +
      '`not_opened`, the hosted page was not opened, so nothing was paid.',
    'See `message`. Retry with the same idempotency key.',
  ),
  maintenance: means(
    'The workspace is under maintenance.',
    'Repeat the request after the time in `message`, or after `Retry-After` seconds.',
  ),
  service_unavailable: means(
    'The service could not process the request in time. If `details.reason` is `recovering`, ' +
      'payments are paused until the service has read the accounts at the payment processor again.',
    'Retry with the same idempotency key after `Retry-After` seconds.',
  ),
};
