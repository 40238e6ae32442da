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
    `Check the id, and that the key belongs to the workspace of the ${object}.`,
  );

/** What each error code means and how to resolve it. Does not compile while one is missing. */
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
      'which of missing, malformed or not valid.',
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
    'The request comes from a web site that may not use this publishable key or, without a publishable ' +
      'key, from one of no application.',
    'Add a key for the origin of the site in the dashboard, since a key is for the origins that it was ' +
      'created with, or a public OAuth client with a redirect URI of this origin.',
  ),
  proof_required: means(
    'Several rooms were held from this address within ten minutes, so the next hold needs a proof of ' +
      'work. `details.challenge` is one for ALTCHA’s libraries and widgets.',
    'Solve the challenge and repeat the request with the answer as `proof`: base64 of ' +
      '`{challenge, solution}` in JSON. Or try again after ten minutes.',
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
    'The room cannot be booked by the tier of the member, or by guests.',
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
    'The organisation of the accounting system cannot be connected.',
    'Connect the organisation that the workspace had before, or one that no other workspace has used.',
  ),
  already_paid: means(
    'The booking was paid already, on its hosted page or at the desk, or it costs nothing. No ' +
      'payment was recorded.',
    'Return what you have taken. To undo the payment of the booking, refund it or cancel the booking.',
  ),
  booking_not_cancellable: means(
    'The booking has expired or ended. `details.reason` is the cause: `status`, `ended`, `partly_paid` ' +
      'or `refund_changed`.',
    'If it was paid, refund its payment instead.',
  ),
  booking_not_editable: means(
    'The booking can no longer be changed, or not in this way. `details.reason` is the cause, such as ' +
      '`status`, `unpaid` or `edit_window`.',
    'See `message`. Cancel the booking and create a new one if it must change.',
  ),
  booking_not_payable: means(
    'No payment can be taken at the desk for the booking. `details.reason` is the cause: `status`, ' +
      '`ended` or `on_account`.',
    'See `message`. Record the payment of a booking on account with `POST /v1/invoices/{id}/mark-paid`.',
  ),
  credit_limit_exceeded: means(
    'The booking on account exceeds the credit limit of its payer, cannot be compared with it (another ' +
      'currency), or an invoice of theirs is overdue. `details.reason` is `limit`, `currency` or ' +
      '`overdue`, `details.available_minor` what is left.',
    'Have the overdue invoices paid, raise the `credit_limit_minor`, or book without `settle`.',
  ),
  change_pending: means(
    'The difference of an earlier change of the booking is still being charged, or waits until the ' +
      'payer has paid it. `details.change_id` names the change, `details.expires_at` the time at which ' +
      'a pending one lapses.',
    'Wait until it is applied or discarded, or withdraw a pending one with ' +
      '`DELETE /v1/bookings/{id}/pending-change`. Then repeat the request.',
  ),
  booking_not_started: means(
    'A no-show can be marked once the booking has started.',
    'Repeat the request after `start_at`.',
  ),
  idempotency_conflict: means(
    'The idempotency key has been used for a different request.',
    'Use a new key for a new request, and the same body for a retry.',
  ),
  invoice_managed_by_booking: means(
    'The booking of the invoice is waiting for payment.',
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
  invoice_not_paid: means('Only a paid invoice can be adjusted.', 'Void the invoice and create a new one.'),
  invoice_not_voidable: means(
    'The invoice has payments, or its status does not allow it to be voided.',
    'Refund the payments instead.',
  ),
  member_cancelled: means(
    'The membership is cancelled, so nothing new can be booked for the member.',
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
    'Nothing: the member has signed up, or was created without an invite.',
  ),
  key_not_live: means('The key has been revoked or has expired.', 'Create a new key.'),
  parts_conflict: means(
    'Bookings of the room and of its parts overlap. `details.bookings` lists them with room ' +
      'and time, at most 100.',
    'Move or cancel one of each two that overlap, then send the parts again.',
  ),
  payment_not_confirmed: means(
    'The payment processor has not confirmed the payment.',
    'Wait, and get the object again: a confirmation updates it.',
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
    'The workspace has as many of these objects as `details.limit` allows. `details.reason` is `rooms`, ' +
      '`companies`, `members`, `extras`, `discounts`, `blackouts` (of the room, not ended), ' +
      '`pending_changes` or `pictures`.',
    'Delete blackouts or cancel changes that are no longer needed. For more of the others, ask ' +
      'who runs the service.',
  ),
  too_many_keys: means('The workspace has 100 live API keys.', 'Revoke keys that are no longer used.'),
  too_many_unpaid_bookings: means(
    'The member has as many unpaid bookings and pending changes as `details.limit` allows. The limit ' +
      'applies to members and billing contacts who book for themselves.',
    'Pay or cancel one of them, or wait until its hold ends.',
  ),
  extra_unavailable: means(
    'Too few of an extra are left at some time of the booking. `details.extra_id` is the extra, ' +
      '`details.available` how many are left.',
    'Send a smaller quantity, or choose another time.',
  ),
  discount_unavailable: means(
    'The discount code cannot be used for this booking. `details.reason` says why to callers with the ' +
      'role front_desk, admin or owner: `unknown`, `archived`, `not_yet_valid`, `expired`, `other_room`, ' +
      '`other_audience`, `other_currency`, `used_up` or `used_up_by_payer`.',
    'Book without the code, or with another one.',
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
    'The service has no store for uploaded pictures.',
    'Send the addresses of pictures in `image_urls` and `logo_url`.',
  ),
  version_conflict: means(
    'What the request changes has another version than its `If-Match` header says.',
    'Get it again, apply the change to what it is now, and send that with the version in `details.version`.',
  ),
  payload_too_large: means(
    'The request body exceeds the maximum of 1 MiB, or the picture that of 5 MiB.',
    'Split the request, or make the picture smaller.',
  ),
  unsupported_media_type: means(
    'The content type of the request body is not JSON, or of a picture none of those that are accepted; ' +
      'or the body has a content encoding.',
    'Send JSON with the content type `application/json`, a picture with its own, and neither with ' +
      'a `Content-Encoding`.',
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
    'Charge at least `details.minimum_minor`; null if only the processor knows it.',
  ),
  scope_not_narrower: means(
    'The new scope exceeds the current scope of the key.',
    'Create a new key with the scope that you need.',
  ),
  slot_misaligned: means(
    'The start or end is not on the slot grid of the room.',
    'Use multiples of the `slot_minutes` of the room after local midnight.',
  ),
  validation_failed: means(
    'A field is missing, invalid or unknown.',
    'Correct the fields that `errors` lists; `param` is the first one.',
  ),
  rate_limited: means(
    'Too many requests.',
    'Wait for the number of seconds in `Retry-After`, then repeat the request. Requests sent ' +
      'earlier reduce the limit.',
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
    'The payment processor did not respond or refused the request. With `details.reason` `not_opened`, ' +
      'its page was not opened, so nothing was paid.',
    'See `message`. Retry with the same idempotency key.',
  ),
  maintenance: means(
    'The workspace is under maintenance.',
    'Repeat the request after the time in `message`, or after `Retry-After` seconds.',
  ),
  service_unavailable: means(
    'The service could not process the request in time. With `details.reason` `recovering`, payments are ' +
      'paused until it has read again what happened with the payment processor.',
    'Retry with the same idempotency key after `Retry-After` seconds.',
  ),
};
