import type { ExecutionContext } from 'ava';
import { HOUR_MS } from '../../domain/durations.js';
import { client } from './api-client.js';
import type { ApiResponse } from './api-response.js';
import { processorLedger } from './simulators.js';
import { dev } from './stack.js';
import type { TestWorkspace } from './workspaces.js';

export const later = (time: string, hours: number): string =>
  new Date(Date.parse(time) + hours * HOUR_MS).toISOString();

export function refused(
  t: ExecutionContext,
  response: ApiResponse,
  status: number,
  code: string,
  reason?: string,
) {
  t.is(response.status, status, JSON.stringify(response.body));
  t.is(response.body.error.code, code);
  if (reason) t.is(response.body.error.details!.reason, reason);
}

/** Clients of one workspace on every API process, used in turn. */
export function everywhere({ api }: TestWorkspace) {
  const clients = dev.baseUrls.map((url) => client(api.token, url));
  return (turn: number) => clients[turn % clients.length]!;
}

export const listSessions = async (workspace: TestWorkspace) => (await processorLedger(workspace)).sessions;

export function isError(t: ExecutionContext, response: ApiResponse, status: number, code: string, what = '') {
  t.is(response.status, status, `${what} → ${JSON.stringify(response.body)}`);
  const { error } = response.body;
  t.is(error.code, code, what);
  t.is(typeof error.message, 'string');
  t.is(error.request_id, response.headers.get('x-request-id')!);
  t.regex(error.request_id, /^[0-9a-f-]{36}$/);
  t.deepEqual(Object.keys(response.body), ['error']);
}
