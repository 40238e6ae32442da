import { CONTROL, type Intercepted, type ProxyFault } from './fault-proxy.js';
import type { TestWorkspace } from './workspaces.js';

/** The proxy between the service and the processor simulator, which `npm test` starts. */
function proxyUrl(): string {
  const url = process.env.STRIPE_API_URL;
  if (!url) throw new Error('Run "npm test": it starts the proxy in front of the processor simulator.');
  return url;
}

async function setFaults(scope: string, faults: ProxyFault[]): Promise<void> {
  await fetch(proxyUrl() + CONTROL, { method: 'POST', body: JSON.stringify({ scope, faults }) });
}

/** Runs `work` with faults between the service and a workspace's account at the processor. */
export async function withProxyFaults<T>(
  { accountId }: Pick<TestWorkspace, 'accountId'>,
  faults: ProxyFault[],
  work: () => Promise<T>,
): Promise<T> {
  await setFaults(accountId!, faults);
  try {
    return await work();
  } finally {
    await setFaults(accountId!, []);
  }
}

/** A workspace's requests that met a fault, in order. */
export async function listIntercepted({
  accountId,
}: Pick<TestWorkspace, 'accountId'>): Promise<Intercepted[]> {
  return (await (await fetch(`${proxyUrl()}${CONTROL}?scope=${accountId}`)).json()) as Intercepted[];
}

/** What Stripe responds to a rolled platform key. */
export const ROLLED_KEY: ProxyFault = {
  fault: 'status',
  path: '*',
  status: 401,
  body: {
    error: {
      type: 'invalid_request_error',
      code: 'api_key_expired',
      message: 'Expired API Key provided: sk_test_******fast',
    },
  },
};

/** What Stripe responds to a restricted key that lacks a permission. */
export const RESTRICTED_KEY: ProxyFault = {
  fault: 'status',
  path: '*',
  status: 403,
  body: {
    error: {
      type: 'invalid_request_error',
      message:
        "The provided key 'rk_test_******fast' does not have the required permissions for this endpoint.",
    },
  },
};
