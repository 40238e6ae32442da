import { createHash } from 'node:crypto';
import { KEY_LIFETIME_MS, type Store } from '../state/store.js';
import type { SavedAnswer } from '../state/records.js';
import { problem } from './errors.js';

export interface KeyedRequest {
  key: string;
  method: string;
  url: string;
  tenant: string;
  body: string;
}

/**
 * Xero's rules for idempotency keys: for six minutes one key is one request, and one request has one answer, be it
 * an error. Later the same key is a new one.
 */
export function savedAnswer(store: Store, request: KeyedRequest): SavedAnswer | undefined {
  const { key } = request;
  if (key.length > 128)
    throw problem(400, 'Bad Request', 'Idempotency Key must not be longer than 128 characters.');
  const saved = store.answers.get(key);
  if (!saved || saved.created_at <= Date.now() - KEY_LIFETIME_MS) return undefined;
  if (saved.fingerprint === fingerprint(request)) return saved;
  throw problem(400, 'Bad Request', `Idempotency Key ${key} is used with a different request.`);
}

/** Keeps an answer, in the transaction that did the work. */
export function saveAnswer(store: Store, request: KeyedRequest, status: number, body: unknown): void {
  const answer = { fingerprint: fingerprint(request), status, body, created_at: Date.now() };
  store.answers.set(request.key, answer);
}

function fingerprint({ method, url, tenant, body }: KeyedRequest): string {
  return createHash('sha256')
    .update(JSON.stringify([method, url, tenant, body]))
    .digest('base64url');
}
