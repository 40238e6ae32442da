import { createHash } from 'node:crypto';
import {
  bindingDatabase,
  DoneBefore,
  findBound,
  type IdempotencyKey,
} from '../../commands/api-keys/idempotency.js';
import { ApiError } from '../../domain/errors.js';
import type { ApiDependencies } from '../dependencies.js';
import type { ApiContext } from './context.js';
import type { SentFile } from './body.js';
import type { AnyOperation, Input, Route } from './operation.js';

const MAX_LENGTH = 255;

const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex');

/** For `JSON.stringify`: objects with their keys sorted, since many languages serialize them in any order. */
function sorted(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * The optional `Idempotency-Key` header with the fingerprint of its request (docs/rules/api.md#idempotency):
 * the method, the path, and the body or the file. `path` replaces a path that does not identify its object.
 * Errors: 422 if the key is not 1 to 255 characters of printable ASCII. An empty key is rejected too: its
 * client relies on a protection that it would not have.
 */
export function readIdempotencyKey(
  ctx: ApiContext,
  { path = ctx.path, file }: { path?: string; file: SentFile | null },
): IdempotencyKey | null {
  if (ctx.headers['idempotency-key'] === undefined) return null;
  const key = ctx.get('idempotency-key');
  if (key.length > MAX_LENGTH || !/^[\x20-\x7e]+$/.test(key)) {
    const message = `Idempotency-Key must be 1 to ${MAX_LENGTH} characters of printable ASCII.`;
    throw new ApiError('validation_failed', message, { param: 'Idempotency-Key' });
  }
  const body = file ? sha256(file.content) : ctx.state.body;
  return { key, fingerprint: sha256(JSON.stringify([ctx.method, path, body], sorted)) };
}

/** The header may repeat the key of a body, but not contradict it. Errors: 422. */
export function assertSameKey(header: IdempotencyKey | null, key: string): void {
  if (header === null || header.key.toLowerCase() === key) return;
  const message =
    'The Idempotency-Key header must match idempotency_key in the body. Send only idempotency_key.';
  throw new ApiError('validation_failed', message, { param: 'Idempotency-Key' });
}

/**
 * Runs an operation once for each key: a repeat returns the current state of the object
 * (docs/rules/api.md#idempotency). The key is bound in the first transaction of `run`, or after `run` if it
 * has no transaction. Errors: those of the operation; 409 `idempotency_conflict`.
 */
export async function runOnce(
  { run, idempotent }: Pick<AnyOperation, 'run' | 'idempotent'>,
  input: Input<Route, unknown, unknown>,
  caller: { workspace_id: string },
  deps: ApiDependencies,
): Promise<unknown> {
  const { idempotency } = input;
  if (!idempotency || typeof idempotent !== 'function') return run(input, caller, deps);
  const { workspace_id } = caller;
  if (await findBound(deps.db.manager, workspace_id, idempotency)) return idempotent(input, caller, deps);
  const { db, bind } = bindingDatabase(deps.db, workspace_id, idempotency);
  try {
    const result = await run(input, caller, { ...deps, db });
    await bind();
    return result;
  } catch (error) {
    if (error instanceof DoneBefore) return idempotent(input, caller, deps);
    throw error;
  }
}
