import { AccountingApi } from 'xero-node';
import { AccountingRefusal, failures, isDisconnected } from '../../failures.js';
import type { AccountingAccess } from '../accounting.js';

export interface XeroAccess {
  /** Xero's address, or the simulator's in development. */
  apiUrl: string;
  access: AccountingAccess;
  timeoutMs?: number;
}

/** Runs a call of Xero's client. Returns the response's body, or throws the classified failure. */
export type XeroCall = <T>(
  workspaceId: string,
  work: (api: AccountingApi, tenantId: string) => Promise<{ body: T }>,
) => Promise<T>;

/** Xero does not say how long to wait after too many concurrent calls. */
const PAUSE_SECONDS = 2;

/** Xero's client for an address, with our timeout and without retries: Temporal retries. */
export function createXeroCall({ apiUrl, access, timeoutMs = 10_000 }: XeroAccess): XeroCall {
  return async (workspaceId, work) => {
    const { accessToken, tenantId } = await access.token(workspaceId);
    const api = new AccountingApi(`${apiUrl}/api.xro/2.0`);
    api.accessToken = accessToken;
    // The only hook into each request.
    api.setDefaultAuthentication({
      applyToRequest(request) {
        request.timeout = timeoutMs;
      },
    });
    try {
      return (await work(api, tenantId)).body;
    } catch (error) {
      const failure = named(error);
      if (isUnauthorized(error)) await access.refused(workspaceId, accessToken);
      if (isDisconnected(failure)) await access.disconnected(workspaceId, accessToken);
      throw failure;
    }
  };
}

/** Null for a 404. */
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
function named(error: unknown): unknown {
  if (typeof error !== 'string') return error;
  const { statusCode: status, body, headers } = (JSON.parse(error) as { response: Rejection }).response;
  const { Type, Detail } = (body ?? {}) as { Type?: string | null; Detail?: string };
  const words = [status, Type, headers['xero-correlation-id']].filter(Boolean).join(' ');
  if (status === 429) {
    const seconds = Number(headers['retry-after']) || PAUSE_SECONDS;
    return failures.accountingRateLimited(headers['x-rate-limit-problem'] ?? 'unknown', seconds);
  }
  if (status === 403 || Detail === 'AuthorizationUnsuccessful') return failures.accountingDisconnected(words);
  const final = status >= 400 && status < 500 && status !== 401 && status !== 408;
  // Without a response the body is the client's own message, such as `timeout of 10000ms exceeded`.
  if (!final) return failures.accountingUnavailable(words || String(body));
  return new AccountingRefusal(words, reasonOf(body) || words, status);
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
  const said = Elements.flatMap(({ ValidationErrors = [] }) => ValidationErrors.map((each) => each.Message));
  return said.join(' ') || Message || Detail || '';
}
