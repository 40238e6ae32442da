import { createHash } from 'node:crypto';
import type { IdempotencyKey } from '../../commands/api-keys/idempotency.js';
import { ApiError } from '../../domain/errors.js';
import type { ApiContext } from './context.js';

const MAX_LENGTH = 255;

/** For `JSON.stringify`: objects with their keys sorted, since many languages serialize them in any order. */
function sorted(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * The optional `Idempotency-Key` header of a POST with the fingerprint of its request
 * (docs/rules/api.md#idempotency): method, body and path. `path` replaces a path that does not name its
 * object. Errors: 422 if the key is not 1 to 255 characters of printable ASCII: a client that sends an empty
 * one counts on a protection that it does not have.
 */
export function readIdempotencyKey(ctx: ApiContext, path = ctx.path): IdempotencyKey | null {
  if (ctx.headers['idempotency-key'] === undefined) return null;
  const key = ctx.get('idempotency-key');
  if (key.length > MAX_LENGTH || !/^[\x20-\x7e]+$/.test(key)) {
    const message = `Idempotency-Key must be 1 to ${MAX_LENGTH} characters of printable ASCII.`;
    throw new ApiError('validation_failed', message, { param: 'Idempotency-Key' });
  }
  const request = JSON.stringify([ctx.method, path, ctx.state.body], sorted);
  return { key, fingerprint: createHash('sha256').update(request).digest('hex') };
}
