import { createHash } from 'node:crypto';
import type { IdempotencyKey } from '../../db/repositories/idempotency.js';
import { ApiError } from '../../domain/errors.js';
import type { ApiContext } from './context.js';

const MAX_LENGTH = 255;

/**
 * The optional `Idempotency-Key` header of a POST, with the fingerprint of what it asks for (decisions.md, "Invoices
 * and payments"). Errors: 422 where the key is not printable ASCII of at most 255 characters.
 */
export function idempotencyOf(ctx: ApiContext): IdempotencyKey | null {
  const key = ctx.get('idempotency-key');
  if (key === '') return null;
  if (key.length > MAX_LENGTH || !/^[\x20-\x7e]+$/.test(key)) {
    const message = `Idempotency-Key must be printable ASCII, at most ${MAX_LENGTH} characters.`;
    throw new ApiError('validation_failed', message, { param: 'Idempotency-Key' });
  }
  const asked = JSON.stringify([ctx.method, ctx.path, ctx.state.body]);
  return { key, fingerprint: createHash('sha256').update(asked).digest('hex') };
}
