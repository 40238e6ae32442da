import type { OpenApi } from '../../api/openapi/open-api.js';
import type { DevJson } from '../../dev/launcher/stack.js';
import type { Booking, ResponseBody, Failure, Method } from './api-bodies.js';
import type { ApiResponse } from './api-response.js';
import { Description } from './described.js';
import { dev } from './stack.js';

/** Sends a request, and parses a response that is JSON. Redirects are not followed. */
export async function send<Body>(
  url: string,
  method: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<ApiResponse<Body>> {
  const raw = typeof body === 'string' || Buffer.isBuffer(body);
  const response = await fetch(url, {
    method,
    headers: { ...(body !== undefined && { 'content-type': 'application/json' }), ...headers },
    body: body === undefined ? undefined : raw ? (body as string) : JSON.stringify(body),
    redirect: 'manual',
  });
  const text = await response.text();
  const json = response.headers.get('content-type')?.includes('json') && text !== '';
  return {
    status: response.status,
    headers: response.headers,
    body: (json ? JSON.parse(text) : text) as Body,
  };
}

let description: Promise<Description> | undefined;

async function fetchDescription(): Promise<Description> {
  const { status, body } = await send<OpenApi>(`${dev.baseUrl}/v1/openapi.json`, 'GET', undefined, {
    authorization: `Bearer ${dev.apiKey}`,
  });
  if (status !== 200) throw new Error(`GET /v1/openapi.json returned ${status} ${JSON.stringify(body)}`);
  return new Description(body);
}

/** Sends a request to the API and validates the response against the API document. */
async function ask<Body extends Failure | string>(
  on: string,
  method: string,
  target: string,
  body?: unknown,
  headers?: Record<string, string>,
): Promise<ApiResponse<Body>> {
  const response = await send<Body>(on + target, method, body, headers);
  (await (description ??= fetchDescription())).validate({ method, target, body }, response);
  return response;
}

/** An API client with a token. `on` is the address of the API process. */
export function client(token: string, on = dev.baseUrl) {
  const call =
    <M extends Method>(method: M) =>
    <Path extends string>(
      target: Path,
      body?: unknown,
      headers: Record<string, string> = {},
    ): Promise<ApiResponse<ResponseBody<M, Path>>> =>
      ask(on, method.toUpperCase(), target, body, { authorization: `Bearer ${token}`, ...headers });
  return {
    token,
    get: call('get'),
    post: call('post'),
    put: call('put'),
    patch: call('patch'),
    delete: call('delete'),
  };
}
export type ApiClient = ReturnType<typeof client>;

/** Sends a request without a token. */
export const anonymous = <Path extends string>(
  method: string,
  target: Path,
  body?: unknown,
  headers: Record<string, string> = {},
) =>
  ask<
    Path extends `/v1/openapi.json`
      ? OpenApi & Failure
      : Path extends `/v1/${string}`
        ? Failure
        : string & Failure
  >(dev.baseUrl, method, target, body, headers);

/** The body of the action `create_workspace`. */
interface CreatedWorkspace {
  workspace_id: string;
  owner_member_id: string;
  token: string;
  accounting_error?: string;
}

interface ActionResults {
  create_workspace: CreatedWorkspace;
  run_job: Record<string, number> & { created: string[]; skipped: number };
  backfill_reference: Record<string, number>;
  verify_payment: { payment_id: string; booking: Booking; already_confirmed: boolean };
}

/** Calls `POST /internal/actions`, on the stack's service unless another is given. */
export const internal = <Action extends string>(
  action: Action,
  input: Record<string, unknown> = {},
  { internalUrl, internalToken }: Pick<DevJson, 'internalUrl' | 'internalToken'> = dev,
): Promise<ApiResponse<Failure & (Action extends keyof ActionResults ? ActionResults[Action] : unknown)>> =>
  send(
    `${internalUrl}/internal/actions`,
    'POST',
    { action, ...input },
    { authorization: `Bearer ${internalToken}` },
  );
