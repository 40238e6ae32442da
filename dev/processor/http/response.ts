import type { Context } from 'koa';
import getRawBody from 'raw-body';
import { API_VERSION } from '../events.js';
import { withFaults, type Failure } from '../../simulator/faults.js';
import { newId } from '../state/ids.js';
import type { Simulator } from '../simulator.js';
import { authenticate, requireAccount } from './authenticate.js';
import type { Endpoint } from './endpoint.js';
import { StripeError } from './errors.js';
import { expand } from './expand.js';
import { decodeForm, type FormObject } from './form.js';
import type { IdempotencyKeys, KeyedRequest } from './idempotency.js';
import { list, readParams, text } from './params.js';

interface ApiResponse {
  status: number;
  body: unknown;
  replayOf?: string;
}

/** Always responds to an API call, and adds it to the request log. */
export async function respondToCall(sim: Simulator, keys: IdempotencyKeys, endpoint: Endpoint, ctx: Context) {
  const requestId = newId('req', 14);
  const received_at = new Date().toISOString();
  const response = await attempt(sim, keys, endpoint, ctx, requestId).catch((error: unknown) => {
    return failed(error, requestId);
  });
  respond(ctx, requestId, response);
  sim.store.log(sim.store.requests, {
    method: ctx.method,
    path: ctx.path,
    account: header(ctx, 'stripe-account'),
    idempotency_key: header(ctx, 'idempotency-key'),
    status: response.status,
    received_at,
    at: new Date().toISOString(),
    request_id: requestId,
  });
}

/** The response for an error. An unexpected error is an `api_error`, as at Stripe. */
export function failed(error: unknown, requestId: string): ApiResponse {
  if (error instanceof StripeError) return { status: error.status, body: error.body(requestId) };
  // The body is too long, or the client disconnected while sending it.
  if (isHttpError(error))
    return failed(new StripeError(error.status, 'invalid_request_error', error.message), requestId);
  console.error(error);
  const unknown = new StripeError(500, 'api_error', 'An unknown error occurred');
  return { status: 500, body: unknown.body(requestId) };
}

async function attempt(
  sim: Simulator,
  keys: IdempotencyKeys,
  endpoint: Endpoint,
  ctx: Context,
  requestId: string,
): Promise<ApiResponse> {
  const platform = authenticate(ctx, sim.secretKey);
  const account = header(ctx, 'stripe-account');
  if (account) requireAccount(sim, account, platform);
  const form = decodeForm(endpoint.method === 'post' ? await body(ctx) : ctx.querystring);
  const key = endpoint.method === 'post' ? header(ctx, 'idempotency-key') : null;
  const keyed = key ? { key, account, path: ctx.path, form } : null;
  const saved = keyed && keys.begin(keyed);
  if (saved) return { status: saved.status, body: saved.body, replayOf: saved.request_id };
  try {
    return await withFaults(
      sim.store.settings,
      account,
      ctx,
      () => execute({ sim, keys, endpoint, ctx, requestId, platform, account, form, keyed }),
      (failure) => {
        const response = failed(failureError(failure), requestId);
        // Stripe saves a 500 like any other response and replays it. Other failures happen before the
        // execution, or on the way back.
        if (keyed && failure.status === 500)
          sim.store.transaction(() => keys.save(keyed, response.status, response.body, requestId));
        return response;
      },
    );
  } finally {
    if (keyed) keys.end(keyed);
  }
}

interface Execution {
  sim: Simulator;
  keys: IdempotencyKeys;
  endpoint: Endpoint;
  ctx: Context;
  requestId: string;
  platform: string;
  account: string | null;
  form: FormObject;
  keyed: KeyedRequest | null;
}

/**
 * Does the work and saves the response in one transaction. Invalid parameters are rejected before that:
 * Stripe saves a response, even an error, once the execution has begun.
 */
function execute({
  sim,
  keys,
  endpoint,
  ctx,
  requestId,
  platform,
  account,
  form,
  keyed,
}: Execution): ApiResponse {
  const shape = { ...endpoint.params, expand: list(text()) };
  const { expand: paths = [], ...params } = readParams(shape, form);
  const idempotencyKey = keyed?.key ?? null;
  const origin = {
    account,
    idempotency_key: idempotencyKey,
    request: { id: requestId, idempotency_key: idempotencyKey },
  };
  return sim.store.transaction(() => {
    let response: ApiResponse;
    try {
      const id = (ctx.params as { id?: string }).id ?? '';
      const object = endpoint.run({
        sim,
        params,
        id,
        platform,
        account,
        version: requestedVersion(ctx),
        origin,
      });
      response = { status: 200, body: expand(sim.store, object, paths) };
    } catch (error) {
      response = failed(error, requestId);
    }
    if (keyed) keys.save(keyed, response.status, response.body, requestId);
    return response;
  });
}

function failureError({ status, code }: Failure): StripeError {
  if (status === 402) {
    const message = 'Your card was declined.';
    return new StripeError(402, 'card_error', message, {
      code: code ?? 'card_declined',
      decline_code: 'generic_decline',
    });
  }
  if (status === 429) {
    return new StripeError(429, 'invalid_request_error', 'Request rate limit exceeded.', {
      code: code ?? 'rate_limit',
    });
  }
  const type = status >= 500 || status === 0 ? 'api_error' : 'invalid_request_error';
  return new StripeError(status, type, 'This failure was requested at /_sim/faults.', { code });
}

function respond(ctx: Context, requestId: string, { status, body: content, replayOf }: ApiResponse): void {
  if (status === 0) {
    ctx.respond = false;
    ctx.req.socket.destroy();
    return;
  }
  ctx.status = status;
  ctx.set('Request-Id', requestId);
  ctx.set('Stripe-Version', requestedVersion(ctx));
  for (const name of ['Stripe-Account', 'Idempotency-Key']) {
    const value = header(ctx, name.toLowerCase());
    if (value) ctx.set(name, value);
  }
  if (replayOf) {
    ctx.set('Idempotent-Replayed', 'true');
    ctx.set('Original-Request', replayOf);
  }
  ctx.type = 'application/json';
  ctx.body = JSON.stringify(content, null, 2);
}

async function body(ctx: Context): Promise<string> {
  const type = ctx.get('content-type');
  if (type && !type.startsWith('application/x-www-form-urlencoded')) {
    throw new StripeError(
      400,
      'invalid_request_error',
      `Invalid request (check that your POST content type is application/x-www-form-urlencoded).`,
    );
  }
  return getRawBody(ctx.req, { encoding: 'utf8', limit: '1mb' });
}

function isHttpError(error: unknown): error is Error & { status: number } {
  const { status } = error as { status?: unknown };
  return error instanceof Error && typeof status === 'number' && status >= 400 && status < 500;
}

/** The requested version of the API; by default the account's. */
const requestedVersion = (ctx: Context): string => header(ctx, 'stripe-version') ?? API_VERSION;

function header(ctx: Context, name: string): string | null {
  return ctx.get(name) || null;
}
