import { AccountingApi } from 'xero-node';
import { AccountingRefusal, failures, isDisconnected } from '../../failures.js';
import type { AccountingAccess } from '../accounting.js';

export interface XeroAccess {
  /** Xero's URL, or the simulator's in development. */
  apiUrl: string;
  access: AccountingAccess;
  timeoutMs?: number;
}

/** Runs a call with Xero's client. Returns the response's body, or throws the classified failure. */
export type XeroCall = <T>(
  workspaceId: string,
  work: (api: AccountingApi, tenantId: string) => Promise<{ body: T }>,
) => Promise<T>;

/** The wait after too many concurrent calls, for which Xero gives no duration. */
const PAUSE_SECONDS = 2;

/** Calls to Xero's client with our timeout and without retries: Temporal retries. */
export function createXeroCall({ apiUrl, access, timeoutMs = 10_000 }: XeroAccess): XeroCall {
  return async (workspaceId, work) => {
    const { accessToken, tenantId } = await access.token(workspaceId);
    const api = new AccountingApi(`${apiUrl}/api.xro/2.0`);
    api.accessToken = accessToken;
    // The client's only hook for each request.
    api.setDefaultAuthentication({
      applyToRequest(request) {
        request.timeout = timeoutMs;
      },
    });
    try {
      return (await work(api, tenantId)).body;
    } catch (error) {
      const failure = toFailure(error);
      if (isUnauthorized(error)) await access.refused(workspaceId, accessToken);
      if (isDisconnected(failure)) await access.disconnected(workspaceId, accessToken);
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

/** True if a document with this number exists already. */
export function isNumberTaken(error: unknown): boolean {
  return error instanceof AccountingRefusal && /must be unique/i.test(error.reason);
}

interface Rejection {
  statusCode: number;
  body: unknown;
  headers: Record<string, string | undefined>;
}

function isUnauthorized(error: unknown): boolean {
  return (
    typeof error === 'string' && (JSON.parse(error) as { response: Rejection }).response.statusCode === 401
  );
}

/** The client rejects with JSON text, or with an error if there was no response. */
function toFailure(error: unknown): unknown {
  if (typeof error !== 'string') return error;
  const { statusCode: status, body, headers } = (JSON.parse(error) as { response: Rejection }).response;
  const { Type, Detail } = (body ?? {}) as { Type?: string | null; Detail?: string };
  const text = [status, Type, headers['xero-correlation-id']].filter(Boolean).join(' ');
  if (status === 429) {
    const seconds = Number(headers['retry-after']) || PAUSE_SECONDS;
    return failures.accountingRateLimited(headers['x-rate-limit-problem'] ?? 'unknown', seconds);
  }
  if (status === 403 || Detail === 'AuthorizationUnsuccessful') return failures.accountingDisconnected(text);
  const final = status >= 400 && status < 500 && status !== 401 && status !== 408;
  // Without a response the body is the client's own message, such as `timeout of 10000ms exceeded`.
  if (!final) return failures.accountingUnavailable(text || String(body));
  return new AccountingRefusal(text, reasonOf(body) || text, status);
}

function reasonOf(body: unknown): string {
  const {
    Elements = [],
    Message,
    Detail,
  } = (body ?? {}) as {
    Elements?: { ValidationErrors?: { Message: string }[] }[];
    Message?: string;
    Detail?: string;
  };
  const texts = Elements.flatMap(({ ValidationErrors: all = [] }) => all.map((each) => each.Message));
  return texts.join(' ') || Message || Detail || '';
}
