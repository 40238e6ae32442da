import { createHash } from 'node:crypto';
import { KEY_LIFETIME_MS, type Store } from '../state/store.js';
import type { SavedResponse } from '../state/records.js';
import { problem } from './errors.js';

export interface KeyedRequest {
  key: string;
  method: string;
  url: string;
  tenant: string;
  body: string;
}

/**
 * Xero's rules for idempotency keys: for six minutes a key identifies one request with one response, even if
 * that is an error. After that the key can be reused.
 */
export function savedResponse(store: Store, request: KeyedRequest): SavedResponse | undefined {
  const { key } = request;
  if (key.length > 128)
    throw problem(400, 'Bad Request', 'Idempotency Key must not be longer than 128 characters.');
  const saved = store.responses.get(key);
  if (!saved || saved.created_at <= Date.now() - KEY_LIFETIME_MS) return undefined;
  if (saved.fingerprint === fingerprint(request)) return saved;
  throw problem(400, 'Bad Request', `Idempotency Key ${key} is used with a different request.`);
}

/** Saves a response in the transaction that did the work. */
export function saveResponse(store: Store, request: KeyedRequest, status: number, body: unknown): void {
  const response = { fingerprint: fingerprint(request), status, body, created_at: Date.now() };
  store.responses.set(request.key, response);
}

function fingerprint({ method, url, tenant, body }: KeyedRequest): string {
  return createHash('sha256')
    .update(JSON.stringify([method, url, tenant, body]))
    .digest('base64url');
}
