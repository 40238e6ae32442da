import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';

/** How long a name server may take for one query. With one retry, the caller waits at most 3 s. */
const QUERY_MS = 1_000;

/**
 * The addresses of a host; rejects if it has none. Queries name servers directly: `dns.lookup` would block
 * one of the process's few threads while a name server does not respond.
 */
export async function resolveHost(host: string, servers?: string[]): Promise<string[]> {
  if (isIP(host)) return [host];
  const resolver = new Resolver({ timeout: QUERY_MS, tries: 2 });
  if (servers) resolver.setServers(servers);
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
  const found = [v4, v6].flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  if (found.length === 0) throw (v4 as PromiseRejectedResult).reason;
  return found;
}
