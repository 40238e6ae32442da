import type { RequestOptions } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { checkServerIdentity } from 'node:tls';
import { HttpsProxyAgent } from 'https-proxy-agent';
import { RequestFilteringHttpAgent, RequestFilteringHttpsAgent } from 'request-filtering-agent';
import { MINUTE_MS } from '../../domain/durations.js';
import { isPublicAddress, notPublic } from '../../domain/events/receiver-address.js';

/** Idle connections are closed after this long. */
const IDLE_MS = MINUTE_MS;
const POOL = { keepAlive: true, maxFreeSockets: 16, timeout: IDLE_MS };

/**
 * Returns the options of the request to a receiver, which say how its connection is made. Throws if the
 * address may not be connected to.
 */
export type Route = (url: URL) => Promise<RequestOptions>;

/** Refuses a name if any of its addresses is not public, since any of them could be used. */
function publicOnly(lookup: LookupFunction): LookupFunction {
  return (host, options, callback) =>
    lookup(host, options, (error, found, family) => {
      const addresses = typeof found === 'string' ? [found] : (found ?? []).map(({ address }) => address);
      if (!error && !addresses.every(isPublicAddress)) callback(notPublic(), [], 0);
      else callback(error, found, family);
    });
}

/** Connects directly to the receiver. request-filtering-agent checks the address of the socket once more. */
function directly(lookup: LookupFunction, allowPrivate: boolean): Route {
  const options = {
    ...POOL,
    lookup,
    allowPrivateIPAddress: allowPrivate,
    allowMetaIPAddress: allowPrivate,
  };
  const agents = {
    'http:': new RequestFilteringHttpAgent(options),
    'https:': new RequestFilteringHttpsAgent(options),
  };
  return async ({ protocol }) => ({ agent: agents[protocol as keyof typeof agents] });
}

type Connect = HttpsProxyAgent<string>['connect'];

/** Gives up in time. Its errors distinguish a failing proxy from a failing receiver. */
class TunnelAgent extends HttpsProxyAgent<string> {
  constructor(
    proxyUrl: string,
    private readonly timeoutMs: number,
  ) {
    super(proxyUrl, POOL);
  }

  override async connect(...[request, options]: Parameters<Connect>): ReturnType<Connect> {
    const waiting = new AbortController();
    const timer = setTimeout(() => waiting.abort(), this.timeoutMs);
    let status: number | undefined;
    request.once('proxyConnect', ({ statusCode }: { statusCode: number }) => (status = statusCode));
    try {
      // Read before `super.connect` waits for anything.
      Object.assign(this.connectOpts, { signal: waiting.signal });
      const socket = await super.connect(request, options);
      if (status === 200) return socket;
      // The agent would return the response of the proxy as if it were the receiver's.
      socket.destroy();
    } catch (error) {
      if (waiting.signal.aborted) throw new Error('timeout', { cause: error });
      throw Object.assign(new Error('no tunnel', { cause: error }), { code: 'proxy_unavailable' });
    } finally {
      clearTimeout(timer);
    }
    throw Object.assign(new Error('no tunnel'), { code: 'proxy_refused' });
  }
}

/**
 * Connects through a tunnel of a proxy (`CONNECT`) to an address that was resolved and checked here, so that
 * no second resolution can lead elsewhere. The receiver's certificate is still checked for its name.
 */
function throughProxy(lookup: LookupFunction, agent: TunnelAgent): Route {
  return async ({ hostname, host }) => {
    const name = hostname.replace(/^\[|\]$/g, '');
    return {
      agent,
      hostname: isIP(name) ? name : await resolveAddress(lookup, name),
      servername: isIP(name) ? '' : name,
      checkServerIdentity: (_, certificate) => checkServerIdentity(name, certificate),
      headers: { host },
    };
  };
}

/** Returns the first address of a name after all of them have been checked. */
const resolveAddress = (lookup: LookupFunction, name: string): Promise<string> =>
  new Promise((resolve, reject) => {
    lookup(name, { all: true }, (error, found) => {
      if (error) return reject(error);
      resolve(typeof found === 'string' ? found : found[0]!.address);
    });
  });

/**
 * Creates the route to receivers (docs/rules/events.md#receiver-addresses): each address of a name must be
 * public, unless `allowPrivate` is set.
 */
export function createRoute(
  lookup: LookupFunction,
  options: { allowPrivate: boolean; proxyUrl: string | null; timeoutMs: number },
): Route {
  const { allowPrivate, proxyUrl, timeoutMs } = options;
  const checked = allowPrivate ? lookup : publicOnly(lookup);
  return proxyUrl
    ? throughProxy(checked, new TunnelAgent(proxyUrl, timeoutMs))
    : directly(checked, allowPrivate);
}
