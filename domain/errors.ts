/**
 * The HTTP status of every error code of the API (docs/rules/api.md#errors). The record's keys are the codes,
 * so every code has a status.
 */
export const ERROR_STATUS = {
  invalid_json: 400,
  malformed_request: 400,
  auth_invalid: 401,
  payment_failed: 402,
  auth_scope_insufficient: 403,
  https_required: 403,
  ip_not_allowed: 403,
  origin_not_allowed: 403,
  proof_required: 403,
  owner_protected: 403,
  role_insufficient: 403,
  tier_not_allowed: 403,
  not_found: 404,
  booking_not_found: 404,
  company_not_found: 404,
  event_not_found: 404,
  invoice_not_found: 404,
  key_not_found: 404,
  member_not_found: 404,
  payment_not_found: 404,
  room_not_found: 404,
  method_not_allowed: 405,
  request_timeout: 408,
  accounting_organisation_taken: 409,
  already_paid: 409,
  booking_not_cancellable: 409,
  booking_not_editable: 409,
  booking_not_payable: 409,
  booking_not_started: 409,
  change_pending: 409,
  credit_limit_exceeded: 409,
  extra_unavailable: 409,
  discount_unavailable: 409,
  idempotency_conflict: 409,
  invoice_managed_by_booking: 409,
  invoice_not_mutable: 409,
  invoice_not_open: 409,
  invoice_not_overdue: 409,
  invoice_not_paid: 409,
  invoice_not_voidable: 409,
  member_cancelled: 409,
  member_exists: 409,
  member_not_editable: 409,
  member_not_invited: 409,
  key_not_live: 409,
  limit_reached: 409,
  parts_conflict: 409,
  payment_not_confirmed: 409,
  payment_too_late: 409,
  processor_account_taken: 409,
  slot_already_paid: 409,
  slot_unavailable: 409,
  too_many_keys: 409,
  too_many_unpaid_bookings: 409,
  accounting_unconfigured: 412,
  processor_unconfigured: 412,
  uploads_unconfigured: 412,
  version_conflict: 412,
  payload_too_large: 413,
  unsupported_media_type: 415,
  amount_exceeds_outstanding: 422,
  amount_exceeds_refundable: 422,
  amount_too_small: 422,
  scope_not_narrower: 422,
  slot_misaligned: 422,
  validation_failed: 422,
  rate_limited: 429,
  headers_too_large: 431,
  internal_error: 500,
  accounting_error: 502,
  processor_error: 502,
  maintenance: 503,
  service_unavailable: 503,
} as const;

export type ErrorCode = keyof typeof ERROR_STATUS;

/**
 * The rule that a field breaks, as data. Pages use other names for fields than the API and build their
 * sentences from it. The API never returns it.
 */
export interface BrokenRule {
  /** The type of joi's error, such as `string.max`, or `custom` for a rule in code. */
  type: string;
  /**
   * The part of the message after the name of `param`. Names of other fields are in braces: `must be after
   * {start_at}`.
   */
  says: string;
}

/** What is wrong with a field of a request, or with the whole request if `param` is missing. */
export interface FieldError {
  param?: string;
  /** The text that clients of the API see. */
  message: string;
  rule?: BrokenRule;
}

/** The fields of an error besides its code and message. */
export interface ErrorContext {
  param?: string;
  details?: Record<string, unknown>;
  /** All invalid fields, if the request was validated. */
  errors?: FieldError[];
  /** The rule that `param` breaks, if it is not in `errors`. */
  rule?: BrokenRule;
  /** How long to wait until the same request can succeed. */
  retry_after_ms?: number;
}

/** An error that clients may see. Any other error becomes a plain `internal_error`. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    readonly code: ErrorCode,
    message: string,
    readonly context: ErrorContext = {},
  ) {
    super(message);
  }

  get status(): number {
    return ERROR_STATUS[this.code];
  }
}

/** Replaces the field names in `says` with those that `nameField` returns. */
export const namedIn = (says: string, nameField: (field: string) => string): string =>
  says.replaceAll(/\{([a-z_.]+)\}/g, (_, field: string) => nameField(field));

/**
 * Returns a 422 `validation_failed` for a field that breaks a rule which is not in its schema. `says`: see
 * `BrokenRule`.
 */
export const invalidField = (param: string, says: string): ApiError =>
  new ApiError('validation_failed', `${param} ${namedIn(says, (field) => field)}.`, {
    param,
    rule: { type: 'custom', says },
  });

/**
 * Why something is not possible, as data: the result of the `whyNot…` functions. Commands throw it and pages
 * check it beforehand, so both follow the same rule.
 */
export interface Refusal<Details extends { reason: string } = { reason: string }> {
  code: ErrorCode;
  /** The text that clients of the API see. */
  message: string;
  /** The reason, and the values that a sentence about it needs. */
  details: Details;
  param?: string;
  retry_after_ms?: number;
}

/** Returns the API error for a refusal. */
export const refusalError = ({ code, message, details, param, retry_after_ms }: Refusal): ApiError =>
  new ApiError(code, message, {
    details: { ...details },
    ...(param && { param }),
    ...(retry_after_ms && { retry_after_ms }),
  });

/** Throws the error of a refusal. Does nothing for null. */
export function refuse(refusal: Refusal | null): void {
  if (refusal) throw refusalError(refusal);
}
