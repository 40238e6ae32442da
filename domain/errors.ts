/**
 * Every error code of the API and its HTTP status (docs/rules/api.md#errors).
 * One record, so that no code lacks a status.
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
 * The rule that a field breaks, as data. Pages call fields by other names than the API and make a sentence
 * of it. No response has it.
 */
export interface BrokenRule {
  /** joi's type of the error, such as `string.max`; `custom` for a rule in code. */
  type: string;
  /**
   * What the message says after the name of `param`. Other fields are in braces: `must be after {start_at}`.
   */
  says: string;
}

/** What is wrong with one field of a request; with the request itself if it has no `param`. */
export interface FieldError {
  param?: string;
  /** For clients of the API. */
  message: string;
  rule?: BrokenRule;
}

/** What an error contains besides its code and message. */
export interface ErrorContext {
  /** The invalid field. */
  param?: string;
  details?: Record<string, unknown>;
  /** All invalid fields, if the request was validated. */
  errors?: FieldError[];
  /** The rule that `param` breaks, if it is not in `errors`. */
  rule?: BrokenRule;
  /** How long to wait until the same request can succeed. */
  retry_after_ms?: number;
}

/** An error that clients may read. Any other error becomes a plain `internal_error`. */
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

/** The names of fields in `says`. */
export const namedIn = (says: string, nameField: (field: string) => string): string =>
  says.replaceAll(/\{([a-z_.]+)\}/g, (_, field: string) => nameField(field));

/**
 * 422 `validation_failed` for a field that breaks a rule which its schema does not have.
 * `says`: see `BrokenRule`.
 */
export const invalidField = (param: string, says: string): ApiError =>
  new ApiError('validation_failed', `${param} ${namedIn(says, (field) => field)}.`, {
    param,
    rule: { type: 'custom', says },
  });

/**
 * Why something is not possible, as data: what `whyNot…` functions return. A command throws it and a page
 * asks for it beforehand, so both follow one rule.
 */
export interface Refusal<Details extends { reason: string } = { reason: string }> {
  code: ErrorCode;
  /** For clients of the API. */
  message: string;
  /** The reason, and what a sentence about it needs. */
  details: Details;
  /** The invalid field. */
  param?: string;
  retry_after_ms?: number;
}

/** A refusal as the error of the API. */
export const refusalError = ({ code, message, details, param, retry_after_ms }: Refusal): ApiError =>
  new ApiError(code, message, {
    details: { ...details },
    ...(param && { param }),
    ...(retry_after_ms && { retry_after_ms }),
  });

/** Throws a refusal, if there is one. */
export function refuse(refusal: Refusal | null): void {
  if (refusal) throw refusalError(refusal);
}
