import joi from 'joi';
import { ERROR_STATUS, type ErrorCode } from '../../domain/errors.js';
import type { RouteFacts } from '../http/route-facts.js';
import { jsonSchemaOf, type JsonSchema } from './json-schema.js';
import type { Operation } from './operation.js';
import * as s from './shapes.js';

const CODES = Object.keys(ERROR_STATUS) as ErrorCode[];

/** The shape of every error (spec.md, "Errors"). */
export const errorSchema: JsonSchema = jsonSchemaOf(
  s.shape({
    error: s.shape({
      code: s.oneOf(CODES),
      message: s.anyText,
      request_id: s.anyUuid,
      param: s.anyText.optional(),
      details: s.anyObject.optional(),
      errors: joi
        .array()
        .items(s.shape({ param: s.anyText.optional(), message: s.anyText }))
        .optional(),
      retry_after_ms: joi.number().optional(),
    }),
  }),
);

/** What a missing id in a path is called, by the word before it. */
const NOT_FOUND: Record<string, ErrorCode> = {
  bookings: 'booking_not_found',
  rooms: 'room_not_found',
  companies: 'company_not_found',
  members: 'member_not_found',
  invoices: 'invoice_not_found',
  payments: 'payment_not_found',
  'api-keys': 'key_not_found',
  events: 'event_not_found',
};

/** The codes that a route can answer with: those of its middlewares, of the id in its path, and of what it does. */
export function codesOf(route: string, facts: RouteFacts, operation: Operation): ErrorCode[] {
  const [, resource = ''] = /\/([a-z-]+)\/:id/.exec(route) ?? [];
  const codes: (ErrorCode | undefined | false)[] = [
    'https_required',
    'rate_limited',
    'internal_error',
    'service_unavailable',
    facts.key && 'auth_invalid',
    facts.key && 'ip_not_allowed',
    facts.key && 'maintenance',
    facts.scope && 'auth_scope_insufficient',
    facts.capability && 'role_insufficient',
    NOT_FOUND[resource],
    facts.body && 'invalid_json',
    facts.body && 'payload_too_large',
    facts.body && 'unsupported_media_type',
    (facts.body || facts.query || operation.idempotent) && 'validation_failed',
    operation.idempotent && 'idempotency_conflict',
    ...(operation.errors ?? []),
  ];
  return CODES.filter((code) => codes.includes(code));
}

/** The statuses that have one code only; their answers are the same everywhere and have a name. */
export const STATUS_OF_ONE = new Map(
  CODES.filter(
    (code) => CODES.filter((other) => ERROR_STATUS[other] === ERROR_STATUS[code]).length === 1,
  ).map((code) => [ERROR_STATUS[code] as number, code]),
);

/** Codes by their status. */
export function byStatus(codes: ErrorCode[]): Map<number, ErrorCode[]> {
  const statuses = [...new Set(codes.map((code) => ERROR_STATUS[code]))].sort();
  return new Map(statuses.map((status) => [status, codes.filter((code) => ERROR_STATUS[code] === status)]));
}
