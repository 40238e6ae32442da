import { createHash } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { bindKey, type IdempotencyKey } from '../../db/repositories/access/idempotency.js';
import { transaction, type Tx } from '../../db/transaction.js';
import { ApiError } from '../../domain/errors.js';
import type { ApiContext } from './context.js';

const MAX_LENGTH = 255;

/**
 * The optional `Idempotency-Key` header of a POST, with the fingerprint of what it asks for (decisions.md, "Invoices
 * and payments"): the body and the path, or `path` where the request's own does not say whom it is about. Errors: 422
 * where the key is not printable ASCII of at most 255 characters.
 */
export function idempotencyOf(ctx: ApiContext, path = ctx.path): IdempotencyKey | null {
  const key = ctx.get('idempotency-key');
  if (key === '') return null;
  if (key.length > MAX_LENGTH || !/^[\x20-\x7e]+$/.test(key)) {
    const message = `Idempotency-Key must be printable ASCII, at most ${MAX_LENGTH} characters.`;
    throw new ApiError('validation_failed', message, { param: 'Idempotency-Key' });
  }
  const asked = JSON.stringify([ctx.method, path, ctx.state.body]);
  return { key, fingerprint: createHash('sha256').update(asked).digest('hex') };
}

/** The answer to a repeat of a request whose outcome has been deleted since. */
export const standsForNothing = (): ApiError =>
  new ApiError('not_found', 'What this Idempotency-Key stands for has been deleted.');

/**
 * Makes what a POST asks for, once for each `Idempotency-Key` of the workspace, and answers it: 201 with what `make` has
 * made under `id`; 200 with what the key stands for, as `find` shows it now, to a repeat. Errors: as `make`; 409
 * `idempotency_conflict`; 404 where what the key stands for is gone.
 */
export async function createOnce(
  ctx: ApiContext,
  db: DataSource,
  id: string,
  work: { make(tx: Tx): Promise<unknown>; find(tx: Tx, id: string): Promise<unknown> },
): Promise<void> {
  const idempotency = idempotencyOf(ctx);
  const { workspace_id } = ctx.state.principal;
  const [made, shown] = await transaction(db, async (tx) => {
    const bound = await bindKey(tx, workspace_id, idempotency, id);
    if (bound === id) await work.make(tx);
    return [bound, await work.find(tx, bound)];
  });
  if (!shown) throw standsForNothing();
  ctx.status = made === id ? 201 : 200;
  ctx.body = shown;
}
