import { randomUUID } from 'node:crypto';
import type { Context } from 'koa';
import getRawBody from 'raw-body';
import { withFaults, type Failure } from '../../simulator/faults.js';
import type { LimitMet } from '../limits.js';
import type { Simulator } from '../simulator.js';
import type { Organisation } from '../state/records.js';
import { authenticate, requireOrganisation, requireScope } from './authenticate.js';
import type { Call, Endpoint, Query } from './endpoint.js';
import { postDataInvalid, problem, validationException, XeroError } from './errors.js';
import { saveResponse, savedResponse, type KeyedRequest } from './idempotency.js';

export interface ApiResponse {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

/** Always responds to a request, and adds it to the request log. */
export async function respond(sim: Simulator, ctx: Context, work: () => Promise<ApiResponse>): Promise<void> {
  const given = await work().catch(failed);
  const { status, body, headers = {} } = given;
  if (status === 0) {
    ctx.respond = false;
    ctx.req.socket.destroy();
  } else {
    ctx.status = status;
    ctx.set({ ...headers, 'Xero-Correlation-Id': randomUUID() });
    ctx.type = typeof body === 'string' ? 'text/html' : 'application/json';
    ctx.body = typeof body === 'object' ? JSON.stringify(body) : body;
  }
  sim.store.log(sim.store.requests, {
    method: ctx.method,
    path: ctx.path,
    tenant: ctx.get('xero-tenant-id') || null,
    idempotency_key: ctx.get('idempotency-key') || null,
    status,
    at: new Date().toISOString(),
  });
}

/** Responds to an API call. */
export async function respondToCall(sim: Simulator, endpoint: Endpoint, ctx: Context): Promise<ApiResponse> {
  const token = authenticate(sim, ctx);
  const organisation = requireOrganisation(sim, ctx, token);
  requireScope(token, endpoint.area, endpoint.method);
  const tenant = organisation.tenant_id;
  const met = sim.limits.begin(tenant);
  if (met) throw tooMany(met, sim.limits.headers(tenant));
  try {
    const text = endpoint.method === 'get' ? '' : await rawBody(ctx);
    const keyed = keyedRequest(endpoint, ctx, tenant, text);
    const done = await withFaults(
      sim.store.settings,
      tenant,
      ctx,
      () => execute(sim, endpoint, ctx, organisation, text, keyed),
      (failure) => {
        const error = asError(failure);
        // Xero saves an internal error under the call's idempotency key and repeats it.
        if (keyed && failure.status === 500 && !failure.after_effect)
          sim.store.transaction(() => saveResponse(sim.store, keyed, error.status, error.body));
        throw error;
      },
    );
    return { ...done, headers: sim.limits.headers(tenant) };
  } finally {
    sim.limits.end(tenant);
  }
}

/** The response for an error. An unexpected error is an internal server error, as at Xero. */
export function failed(error: unknown): ApiResponse {
  if (error instanceof XeroError) return error;
  console.error(error);
  return problem(500, 'Internal Server Error', 'An error occurred in Xero. Check the API Status page.');
}

/** Does the work and saves the response, in one transaction. Failed work is reverted. */
function execute(
  sim: Simulator,
  endpoint: Endpoint,
  ctx: Context,
  organisation: Organisation,
  text: string,
  keyed: KeyedRequest | null,
): ApiResponse {
  const saved = keyed && savedResponse(sim.store, keyed);
  if (saved) return saved;
  return sim.store.transaction(() => {
    let done: ApiResponse;
    try {
      const call: Call = {
        sim,
        organisation,
        path: ctx.path,
        query: readQuery(ctx),
        body: endpoint.method === 'get' ? undefined : parse(text),
        id: decodeURIComponent((ctx['params'] as { id?: string }).id ?? ''),
        idempotencyKey: ctx.get('idempotency-key') || null,
      };
      done = { status: 200, body: inEnvelope(sim.store.attempt(() => endpoint.run(call))) };
    } catch (error) {
      done = failed(error);
    }
    if (keyed) saveResponse(sim.store, keyed, done.status, done.body);
    return done;
  });
}

function keyedRequest(endpoint: Endpoint, ctx: Context, tenant: string, body: string): KeyedRequest | null {
  const key = ctx.get('idempotency-key');
  return key && endpoint.method !== 'get' ? { key, method: ctx.method, url: ctx.url, tenant, body } : null;
}

function inEnvelope(content: object): object {
  const now = `/Date(${Date.now()})/`;
  return { Id: randomUUID(), Status: 'OK', ProviderName: 'Holdfast', DateTimeUTC: now, ...content };
}

/** The response of an injected failure. */
export function asError({ status }: Failure): XeroError {
  const detail = 'This failure was requested at /_sim/faults.';
  if (status === 400) return validationException([{ ValidationErrors: [{ Message: detail }] }]);
  if (status === 429) return tooMany({ problem: 'minute', retry_after: 1 });
  return problem(status, 'Failure', detail);
}

function tooMany({ problem, retry_after }: LimitMet, headers: Record<string, string> = {}): XeroError {
  const when: Record<string, string> = retry_after === null ? {} : { 'Retry-After': String(retry_after) };
  return new XeroError(429, '', { ...headers, ...when, 'X-Rate-Limit-Problem': problem });
}

function readQuery(ctx: Context): Query {
  return Object.fromEntries(
    Object.entries(ctx.query).map(([name, value]) => [name, Array.isArray(value) ? value.join(',') : value]),
  );
}

async function rawBody(ctx: Context): Promise<string> {
  try {
    return await getRawBody(ctx.req, { encoding: 'utf8', limit: '10mb' });
  } catch {
    throw postDataInvalid('The request body could not be read.');
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw postDataInvalid('JSON for post data was invalid.');
  }
}
