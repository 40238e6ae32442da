import { ERROR_STATUS, type ErrorCode } from '../../domain/errors.js';
import type { RouteFacts } from '../http/route-facts.js';
import type { PathId } from '../resources/shared/resource.js';
import { array, number, oneOf, optional } from '../http/typed.js';
import * as s from '../resources/shared/shapes.js';
import { ERROR_CODES } from './error-codes.js';
import { parametersIn, type DescribedOperation } from './operations.js';

const CODES = Object.keys(ERROR_STATUS) as ErrorCode[];

const described = CODES.map(
  (code) => `- \`${code}\` (${ERROR_STATUS[code]}): ${ERROR_CODES[code].meaning} ${ERROR_CODES[code].remedy}`,
).join('\n');

/** The schema of every error response (docs/rules/api.md#errors). */
export const failure = s
  .shape({
    error: s
      .shape({
        code: oneOf(CODES).description('The error code, for programs.'),
        message: s.anyText.description('What went wrong and what to do, for people.'),
        request_id: s.anyUuid.description('The id of the request, to quote to support.'),
        param: optional(s.anyText.description('The first invalid field.')),
        details: optional(s.anyObject.description('Details of the error, which depend on the code.')),
        errors: optional(
          array(
            s.shape({
              param: optional(
                s.anyText.description('The path of the invalid field, such as `lines.0.quantity`.'),
              ),
              message: s.anyText.description('What is wrong with the field, for people.'),
            }),
          ).description('All invalid fields.'),
        ),
        retry_after_ms: optional(
          number.description('How long to wait before the next request, in milliseconds.'),
        ),
      })
      .description('The error.'),
  })
  .description(`Error codes:\n\n${described}`);

/** The error codes an operation can return: those of its middlewares, of the ids in its path, and its own. */
export function listErrorCodes(
  operation: DescribedOperation,
  facts: RouteFacts,
  ids: Record<string, PathId>,
): ErrorCode[] {
  const codes: (ErrorCode | undefined | false)[] = [
    'https_required',
    'rate_limited',
    'internal_error',
    'service_unavailable',
    (facts.key || facts.publishable) && 'auth_invalid',
    facts.key && 'ip_not_allowed',
    facts.publishable && 'origin_not_allowed',
    (facts.key || facts.publishable) && 'maintenance',
    facts.scope && 'auth_scope_insufficient',
    facts.capability && 'role_insufficient',
    ...parametersIn(operation.route, ids).map(([, id]) => id?.notFound),
    facts.body && 'invalid_json',
    facts.body && 'payload_too_large',
    facts.body && 'unsupported_media_type',
    (facts.body || facts.query || operation.idempotent) && 'validation_failed',
    operation.idempotent && 'idempotency_conflict',
    ...(operation.errors ?? []),
  ];
  return CODES.filter((code) => codes.includes(code));
}

/** The names of error responses with several codes that many operations have. */
const SETS: Record<string, ErrorCode[]> = {
  forbidden: ['auth_scope_insufficient', 'https_required', 'ip_not_allowed', 'role_insufficient'],
  unavailable: ['maintenance', 'service_unavailable'],
};

/**
 * The name of an error response that operations share: that of its code if it has one, or of a known set.
 */
export function sharedName(codes: readonly ErrorCode[]): string | undefined {
  const [code, ...others] = codes;
  if (others.length === 0) return code;
  const [name] =
    Object.entries(SETS).find(
      ([, set]) => set.length === codes.length && set.every((each) => codes.includes(each)),
    ) ?? [];
  return name;
}

/** Codes grouped by their status. */
export function byStatus(codes: ErrorCode[]): Map<number, ErrorCode[]> {
  const statuses = [...new Set(codes.map((code) => ERROR_STATUS[code]))].sort();
  return new Map(statuses.map((status) => [status, codes.filter((code) => ERROR_STATUS[code] === status)]));
}
