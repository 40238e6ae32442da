import Stripe from 'stripe';
import { ApplicationFailure } from '@temporalio/common';
import test from 'ava';
import { call } from '../../../activities/gateways/stripe-call.js';
import { createUnlessFound } from '../../../activities/gateways/stripe-once.js';

const error = (statusCode: number, type: string, code?: string) =>
  Stripe.errors.StripeError.generate({ type, code, statusCode, message: 'x' } as never);

/** The outcome that a response means. */
const OUTCOMES: [string, number, string, string?][] = [
  ['ProcessorRefused', 400, 'invalid_request_error'],
  ['ProcessorRefused', 400, 'invalid_request_error', 'charge_disputed'],
  ['ProcessorRefused', 402, 'card_error', 'card_declined'],
  ['ProcessorRefused', 404, 'invalid_request_error', 'resource_missing'],
  ['ProcessorAccountUnusable', 403, 'invalid_request_error', 'account_invalid'],
  ['ProcessorAccountUnusable', 400, 'invalid_request_error', 'account_invalid'],
  ['ProcessorKeyRefused', 401, 'invalid_request_error'],
  ['ProcessorKeyRefused', 401, 'invalid_request_error', 'api_key_expired'],
  ['ProcessorKeyRefused', 401, 'invalid_request_error', 'account_invalid'],
  ['ProcessorKeyRefused', 403, 'invalid_request_error'],
  ['ProcessorKeyRefused', 403, 'invalid_request_error', 'platform_api_key_expired'],
  ['ProcessorKeyRefused', 400, 'invalid_request_error', 'platform_api_key_expired'],
  ['ProcessorUnavailable', 400, 'idempotency_error'],
  ['ProcessorUnavailable', 409, 'idempotency_error', 'idempotency_key_in_use'],
  ['ProcessorUnavailable', 424, 'api_error'],
  ['ProcessorUnavailable', 429, 'invalid_request_error', 'rate_limit'],
  ['ProcessorUnavailable', 500, 'api_error'],
  ['ProcessorUnavailable', 503, 'api_error'],
];

for (const [outcome, status, type, code] of OUTCOMES) {
  test(`${status} ${type} ${code ?? ''} is ${outcome}`, async (t) => {
    const thrown = await t.throwsAsync(call(() => Promise.reject(error(status, type, code))));
    t.true(thrown instanceof ApplicationFailure);
    const failure = thrown as ApplicationFailure;
    t.is(failure.type, outcome);
    const isFinal = outcome === 'ProcessorRefused' || outcome === 'ProcessorAccountUnusable';
    t.is(failure.nonRetryable, isFinal);
  });
}

test('a missing response leaves the outcome unknown', async (t) => {
  const lost = new Stripe.errors.StripeConnectionError({ message: 'x' } as never);
  const thrown = await t.throwsAsync(call(() => Promise.reject(lost)));
  t.is((thrown as ApplicationFailure).type, 'ProcessorUnavailable');
});

/** A processor that fails for some keys, and the suffix that is stored for the next attempt. */
function rig(failing: Record<string, Error | (() => Error)>, created: string[] = []) {
  const tried: string[] = [];
  let suffix = 2;
  const suffixes = {
    find: () => Promise.resolve(suffix),
    advance: (_key: string, spent: number) => Promise.resolve(void (suffix = spent + 1)),
  };
  const attempt = () =>
    createUnlessFound(suffixes, {
      key: 'k',
      async create(key) {
        tried.push(key);
        const failure = failing[key];
        if (failure) throw typeof failure === 'function' ? failure() : failure;
        created.push(key);
        return key;
      },
      find: () => Promise.resolve(created[0] ?? null),
    });
  return { tried, created, attempt };
}

const SAVED = error(500, 'api_error');

test('after a 500 the object is looked up immediately, then created under a new key', async (t) => {
  const none = rig({ k: SAVED });
  t.is(await none.attempt(), 'k:2');
  const done = rig({ k: SAVED }, ['made']);
  t.is(await done.attempt(), 'made');
  t.deepEqual(done.tried, ['k']);
});

test('a key that was used with other parameters leaves the outcome unknown too', async (t) => {
  t.is(await rig({ k: error(400, 'idempotency_error') }).attempt(), 'k:2');
});

test('each 500 uses up one key, and the next attempt takes the next key', async (t) => {
  const { attempt, tried } = rig({ k: SAVED, 'k:2': SAVED });
  await t.throwsAsync(attempt());
  t.is(await attempt(), 'k:3');
  t.deepEqual(tried, ['k', 'k:2', 'k', 'k:3']);
});

test('a call whose outcome may still arrive keeps its key', async (t) => {
  const { attempt, tried } = rig({ k: error(409, 'idempotency_error') });
  await t.throwsAsync(attempt());
  t.deepEqual(tried, ['k']);
  const slow = rig({ k: SAVED, 'k:2': error(503, 'api_error') });
  await t.throwsAsync(slow.attempt());
  await t.throwsAsync(slow.attempt());
  t.deepEqual(slow.tried, ['k', 'k:2', 'k', 'k:2']);
});

test('a refusal under a new key counts only if the object does not exist', async (t) => {
  const refusal = error(400, 'invalid_request_error', 'charge_already_refunded');
  await t.throwsAsync(rig({ k: SAVED, 'k:2': refusal }).attempt());
  const created: string[] = [];
  const late = () => {
    created.push('finished late');
    return refusal;
  };
  t.is(await rig({ k: SAVED, 'k:2': late }, created).attempt(), 'finished late');
});
