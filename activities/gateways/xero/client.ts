import { DAY_SECONDS } from '../../../domain/durations.js';
import { AccountingApi, type ValidationError } from './sdk.js';
import { AccountingRefusal, failures, readRateLimit } from '../../failures.js';
import type { AccountingAccess } from '../accounting.js';
import { readReason, joinErrorTexts, withAdvice } from './reasons.js';

/**
 * Called with each request before it is sent. Returns a function that is called with its response: its
 * status, absent without a response, and Xero's id of the request.
 */
type ObserveRequest = (request: {
  method: string;
  url: string;
}) => (response: { status?: number; correlationId?: string | null }) => void;

export interface XeroAccess {
  /** Xero's URL, or the simulator's in development. */
  apiUrl: string;
  access: AccountingAccess;
  timeoutMs?: number;
  observe?: ObserveRequest;
}

/** Runs a call with Xero's client. Returns the response's body, or throws the classified failure. */
export type XeroCall = <T>(
  workspaceId: string,
  work: (api: AccountingApi, tenantId: string) => Promise<{ body: T; response: Response }>,
) => Promise<T>;

/** The wait after too many concurrent calls, for which Xero does not return a duration. */
const PAUSE_SECONDS = 2;

const LACKS_ROLE =
  'The accounting system denies access (403): the person who connected it may lack a role there. Connect ' +
  'it again as a user who may edit invoices.';
const LACKS_SCOPE =
  'The connection lacks a permission that the service needs. Connect the accounting system again.';
const INACTIVE_ORGANISATION =
  'The accounting system denies access to the organisation, which is still connected. Check ' +
  'that it is active there.';

/** Creates calls to Xero's client with our timeout and without retries, because Temporal retries. */
export function createXeroCall({ apiUrl, access, timeoutMs = 10_000, observe }: XeroAccess): XeroCall {
  return async (workspaceId, work) => {
    const { accessToken, tenantId, limitedUntil } = await access.token(workspaceId);
    const limitedMs = (limitedUntil?.getTime() ?? 0) - Date.now();
    if (limitedMs > 0) throw failures.accountingRateLimited('day', Math.ceil(limitedMs / 1000));
    const api = new AccountingApi(`${apiUrl}/api.xro/2.0`);
    api.accessToken = accessToken;
    let observed: ReturnType<ObserveRequest> | undefined;
    // The client's only hook for each request.
    api.setDefaultAuthentication({
      applyToRequest(request) {
        request.timeout = timeoutMs;
        observed = observe?.({ method: request.method!, url: request.url! });
      },
    });
    try {
      const { body, response } = await work(api, tenantId);
      observed?.({ status: response.status, correlationId: readCorrelationId(response) });
      return body;
    } catch (error) {
      if (typeof error !== 'string') {
        observed?.({});
        throw error;
      }
      const rejection = (JSON.parse(error) as { response: Rejection }).response;
      observed?.({ status: rejection.statusCode, correlationId: readCorrelationId(rejection) });
      if (isTenantRefused(rejection) && (await access.isDisconnected(workspaceId, accessToken)))
        throw failures.accountingDisconnected(describe(rejection));
      const failure = classify(rejection);
      const limit = readRateLimit(failure);
      if (limit?.limit === 'day') await access.limited(workspaceId, limit.retryAfterSeconds);
      if (rejection.statusCode === 401) await access.refused(workspaceId, accessToken);
      throw failure;
    }
  };
}

/** Returns null for a 404. */
export async function orNull<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AccountingRefusal && error.status === 404) return null;
    throw error;
  }
}

/** True if a document with this number already exists. */
export function isNumberTaken(error: unknown): boolean {
  return error instanceof AccountingRefusal && /must be unique/i.test(error.reason);
}

/**
 * Returns the only element of a response. A write can also be refused in a response with status 200: Xero's
 * documentation and its OpenAPI document differ about when.
 */
export function acceptedElement<T extends { validationErrors?: ValidationError[] }>(elements?: T[]): T {
  const [element] = elements ?? [];
  if (!element) throw failures.accountingUnavailable('a response without its element');
  const { validationErrors = [] } = element;
  if (validationErrors.length === 0) return element;
  throw new AccountingRefusal('200 ValidationException', withAdvice(joinErrorTexts(validationErrors)), 400);
}

interface Response {
  status: number;
  headers: Record<string, unknown>;
}

interface Rejection {
  statusCode: number;
  body: unknown;
  headers: Record<string, string | undefined>;
}

/** Returns the fields of Xero's error bodies. A page from its network edge is a string. */
const errorFields = ({ body }: Rejection) =>
  (typeof body === 'object' && body !== null ? body : {}) as { Type?: string | null; Detail?: string };

const readCorrelationId = ({ headers }: { headers: Record<string, unknown> }): string | undefined =>
  headers['xero-correlation-id'] as string | undefined;

const describe = (rejection: Rejection): string =>
  [rejection.statusCode, errorFields(rejection).Type, readCorrelationId(rejection)].filter(Boolean).join(' ');

/**
 * True if Xero refuses the tenant: it is disconnected, inactive, or not the token's. Other 403s have other
 * causes.
 */
const isTenantRefused = (rejection: Rejection): boolean =>
  rejection.statusCode === 403 && errorFields(rejection).Detail === 'AuthenticationUnsuccessful';

/**
 * Classifies a failure. The client rejects with the response as JSON text, without a status if there was no
 * response.
 */
function classify(rejection: Rejection): Error {
  const { statusCode: status, body, headers } = rejection;
  const words = describe(rejection);
  if (status === 429) {
    const limit = headers['x-rate-limit-problem']?.toLowerCase() ?? 'unknown';
    // Without a Retry-After, a daily limit ends in a day at the latest.
    const seconds = Number(headers['retry-after']) || (limit === 'day' ? DAY_SECONDS : PAUSE_SECONDS);
    return failures.accountingRateLimited(limit, seconds);
  }
  if (status === 401 && errorFields(rejection).Detail === 'AuthorizationUnsuccessful')
    return new AccountingRefusal(words, LACKS_SCOPE, status);
  if (isTenantRefused(rejection)) return new AccountingRefusal(words, INACTIVE_ORGANISATION, status);
  // A page instead of JSON comes from Xero's network edge and is temporary.
  const final = status >= 400 && status < 500 && status !== 401 && status !== 408;
  const isPage = status === 403 && typeof body !== 'object';
  // Without a response, the body is the client's own message, such as `timeout of 10000ms exceeded`.
  if (!final || isPage) return failures.accountingUnavailable(words || String(body));
  if (status === 403) return new AccountingRefusal(words, LACKS_ROLE, status);
  return new AccountingRefusal(words, readReason(body) || words, status);
}
