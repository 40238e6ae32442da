import { ERROR_STATUS, type ErrorCode } from '../../domain/errors.js';
import { UNAVAILABLE_REASONS } from '../../domain/bookings/slots.js';
import { ERROR_CODES } from './error-codes.js';
import type { Example } from './open-api.js';

const REQUEST_ID = '019a3c5e-7b1d-7c44-9a52-2f6d8c1e4dff';
const INVALID = { param: 'end_at', message: 'end_at must be after start_at' };

/** What the examples of some codes have in addition to code, message and id. */
const MORE: Partial<Record<ErrorCode, object>> = {
  amount_exceeds_outstanding: { details: { outstanding_minor: 3000 } },
  amount_exceeds_refundable: { details: { refundable_minor: 3000 } },
  amount_too_small: { details: { minimum_minor: 30 } },
  auth_scope_insufficient: { details: { required: 'calendar:write' } },
  booking_not_cancellable: { details: { reason: 'ended' } },
  booking_not_editable: { details: { reason: 'edit_window' } },
  booking_not_payable: { details: { reason: 'on_account' } },
  credit_limit_exceeded: { details: { reason: 'limit', available_minor: 1200 } },
  discount_unavailable: { details: { reason: 'expired' } },
  limit_reached: { details: { reason: 'rooms', limit: 1000 } },
  maintenance: { retry_after_ms: 600_000 },
  payment_failed: { details: { reason: 'declined' } },
  rate_limited: { retry_after_ms: 1500 },
  slot_unavailable: { details: { reason: UNAVAILABLE_REASONS[0] } },
  too_many_unpaid_bookings: { details: { limit: 5 } },
  validation_failed: { param: INVALID.param, errors: [INVALID] },
  version_conflict: { details: { version: 4 } },
};

/** The first sentence of a meaning, without Markdown. */
const firstSentence = (markdown: string): string => /^.*?\.(?= |$)/.exec(markdown.replaceAll('`', ''))![0];

/** An example of each error code. */
export const errorExamples = (): Record<ErrorCode, Example> =>
  Object.fromEntries(
    (Object.keys(ERROR_STATUS) as ErrorCode[]).map((code) => {
      const message =
        code === 'validation_failed' ? `${INVALID.message}.` : firstSentence(ERROR_CODES[code].meaning);
      const error = { code, message, request_id: REQUEST_ID, ...MORE[code] };
      return [code, { summary: code, value: { error } }];
    }),
  ) as Record<ErrorCode, Example>;
