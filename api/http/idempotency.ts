import { createHash } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { createOnce as create, type IdempotencyKey } from '../../commands/api-keys/idempotency.js';
import type { Tx } from '../../db/transaction.js';
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
 * one counts on a protection that it does not have. A form of the dashboard has a key of its own instead.
 */
export function idempotencyOf(ctx: ApiContext, path = ctx.path): IdempotencyKey | null {
  if (ctx.state.idempotency) return ctx.state.idempotency;
  if (ctx.headers['idempotency-key'] === undefined) return null;
  const key = ctx.get('idempotency-key');
  if (key.length > MAX_LENGTH || !/^[\x20-\x7e]+$/.test(key)) {
    const message = `Idempotency-Key must be 1 to ${MAX_LENGTH} characters of printable ASCII.`;
    throw new ApiError('validation_failed', message, { param: 'Idempotency-Key' });
  }
  const request = JSON.stringify([ctx.method, path, ctx.state.body], sorted);
  return { key, fingerprint: createHash('sha256').update(request).digest('hex') };
}

/**
 * Creates an object once for each `Idempotency-Key` of the workspace and sends the response: 201 with what
 * `create` has stored under `id`; 200 to a repeat, with the original object as `find` returns it now.
 * Errors: those of `createOnce`.
 */
export async function createOnce(
  ctx: ApiContext,
  db: DataSource,
  id: string,
  work: { create(tx: Tx): Promise<unknown>; find(tx: Tx, id: string): Promise<unknown> },
): Promise<void> {
  const { workspace_id } = ctx.state.principal;
  const { object, isNew } = await create(db, { workspace_id, idempotency: idempotencyOf(ctx), id }, work);
  ctx.status = isNew ? 201 : 200;
  ctx.body = object;
}
