import { createHash } from 'node:crypto';
import type { SavedResponse } from '../state/records.js';
import type { Store } from '../state/store.js';
import { StripeError } from './errors.js';
import type { FormObject, FormValue } from './form.js';

const KEY_LIFETIME_SECONDS = 24 * 60 * 60;

/** A request that carries an idempotency key. */
export interface KeyedRequest {
  key: string;
  account: string | null;
  path: string;
  form: FormObject;
}

/** Stripe's rules for idempotency keys: a key identifies one request, and a request has one response. */
export class IdempotencyKeys {
  private readonly inFlight = new Set<string>();

  constructor(private readonly store: Store) {}

  /** The saved response of this request, if there is one. Rejects another request with the same key. */
  begin(request: KeyedRequest): SavedResponse | undefined {
    const { key, path } = request;
    if (key.length > 255) {
      throw new StripeError(400, 'invalid_request_error', 'Idempotency keys can have up to 255 characters.');
    }
    if (this.inFlight.has(scopedKey(request))) throw keyInUse(key);
    const saved = this.store.responses.get(scopedKey(request));
    if (saved && saved.created > Date.now() / 1000 - KEY_LIFETIME_SECONDS) {
      if (saved.path !== path) throw otherEndpoint(key, saved.path);
      if (saved.fingerprint !== fingerprint(request)) throw otherParameters(key);
      return saved;
    }
    this.inFlight.add(scopedKey(request));
    return undefined;
  }

  /** Saves a response, in the transaction that did the work. */
  save(request: KeyedRequest, status: number, body: unknown, requestId: string): void {
    const created = Math.floor(Date.now() / 1000);
    const response = {
      path: request.path,
      fingerprint: fingerprint(request),
      status,
      body,
      request_id: requestId,
    };
    this.store.responses.set(scopedKey(request), { ...response, created });
  }

  /** Ends a request, whether it succeeded or not. */
  end(request: KeyedRequest): void {
    this.inFlight.delete(scopedKey(request));
  }
}

function scopedKey({ account, key }: KeyedRequest): string {
  return `${account ?? 'platform'}:${key}`;
}

function fingerprint({ form }: KeyedRequest): string {
  return createHash('sha256')
    .update(JSON.stringify(sorted(form)))
    .digest('base64url');
}

/** The order of parameters does not matter. */
function sorted(value: FormValue): unknown {
  if (typeof value === 'string') return value;
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, each]) => [key, sorted(each)]);
}

function otherParameters(key: string): StripeError {
  return new StripeError(
    400,
    'idempotency_error',
    'Keys for idempotent requests can only be used with the same parameters they were first used with. ' +
      `Try using a key other than '${key}' if you meant to execute a different request.`,
  );
}

function otherEndpoint(key: string, path: string): StripeError {
  return new StripeError(
    400,
    'idempotency_error',
    'Keys for idempotent requests can only be used for the same endpoint they were first used for ' +
      `('${path}'). Try using a key other than '${key}' if you meant to execute a different request.`,
  );
}

function keyInUse(key: string): StripeError {
  return new StripeError(
    409,
    'idempotency_error',
    'There is currently another in-progress request using this Idempotent Key (that probably means you ' +
      `submitted twice, and the other request is still going through): ${key}. Please try again later.`,
    { code: 'idempotency_key_in_use' },
  );
}
