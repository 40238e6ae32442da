import { NO_FAULTS } from '../faults.js';
import type { Failure, Faults } from '../state/faults.js';
import type { Via } from '../state/records.js';
import { invalidRequest } from '../http/errors.js';
import { field, onlyKnown, word } from './body.js';

/** Parses the body of `POST /_sim/faults`. Omitted fields mean no such fault. */
export function readFaults(body: Record<string, unknown>): Faults {
  onlyKnown(body, ...Object.keys(NO_FAULTS));
  return {
    drop_webhooks: readTypes(body['drop_webhooks']),
    duplicate_webhooks: atLeastZero(body, 'duplicate_webhooks'),
    webhook_delay_ms: atLeastZero(body, 'webhook_delay_ms'),
    shuffle_webhooks: field(body, 'shuffle_webhooks', 'boolean') ?? false,
    webhook_routing: word(body, 'webhook_routing', ['specification', 'stripe']) ?? 'specification',
    break_endpoints: readEndpoints(body['break_endpoints']),
    latency_ms: atLeastZero(body, 'latency_ms'),
    fail: readList(body['fail'], 'fail').map((each) => readFailure(each)),
  };
}

function readFailure(value: unknown): Failure {
  if (typeof value !== 'object' || value === null) throw invalidRequest("'fail' must be a list of objects.");
  const body = value as Record<string, unknown>;
  onlyKnown(body, 'method', 'path', 'status', 'times', 'after_effect', 'code');
  const path = field(body, 'path', 'string');
  const status = field(body, 'status', 'number');
  if (!path?.startsWith('/'))
    throw invalidRequest("'fail' needs a path that begins with a slash.", { param: 'path' });
  if (status === undefined || (status !== 0 && (status < 400 || status > 599))) {
    throw invalidRequest("'fail' needs a status from 400 to 599, or 0 for no response.", {
      param: 'status',
    });
  }
  const times = field(body, 'times', 'number') ?? 1;
  if (times < 1) throw invalidRequest("'times' must be at least 1.", { param: 'times' });
  return {
    method: field(body, 'method', 'string'),
    path,
    status,
    times,
    after_effect: field(body, 'after_effect', 'boolean') ?? false,
    code: field(body, 'code', 'string'),
  };
}

function readTypes(value: unknown): string[] {
  const types = readList(value, 'drop_webhooks');
  if (types.every((type) => typeof type === 'string')) return types as string[];
  throw invalidRequest('\'drop_webhooks\' must be a list of event types, or ["all"].', {
    param: 'drop_webhooks',
  });
}

function readEndpoints(value: unknown): Via[] {
  const names = readList(value, 'break_endpoints');
  if (names.every((name) => name === 'platform' || name === 'connect')) return names;
  throw invalidRequest("'break_endpoints' must be a list of 'platform' and 'connect'.", {
    param: 'break_endpoints',
  });
}

function readList(value: unknown, name: string): unknown[] {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value as unknown[];
  throw invalidRequest(`'${name}' must be a list.`, { param: name });
}

function atLeastZero(body: Record<string, unknown>, name: string): number {
  const value = field(body, name, 'number') ?? 0;
  if (value < 0) throw invalidRequest(`'${name}' must not be negative.`, { param: name });
  return value;
}
