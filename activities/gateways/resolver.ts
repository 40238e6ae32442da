import dns from 'node:dns';
import { Resolver } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { isInternalName } from '../../domain/events/receiver-address.js';

/** The time limit for resolving a name, and the part of it that a name server may take for one query. */
const DEADLINE_MS = 5_000;
const PART_OF_A_QUERY = 0.4;

interface ResolverOptions {
  /** Name servers to use instead of the system's, as `address:port`. */
  servers?: string[];
  deadlineMs?: number;
}

/**
 * Resolves host names over the network, with a time limit. `dns.lookup` would occupy one of the process's few
 * threads for as long as a name server is silent, and everything else that needs a thread would wait: other
 * lookups, files, compression. Names of internal networks, which only development allows, are resolved by the
 * system, because they may be in its hosts file.
 */
export function createLookup({ servers, deadlineMs = DEADLINE_MS }: ResolverOptions = {}): LookupFunction {
  async function resolve(host: string): Promise<dns.LookupAddress[]> {
    const resolver = new Resolver({ timeout: deadlineMs * PART_OF_A_QUERY, tries: 2 });
    if (servers) resolver.setServers(servers);
    const deadline = setTimeout(() => resolver.cancel(), deadlineMs);
    try {
      const [v4, v6] = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
      const found = [
        ...(v4.status === 'fulfilled' ? v4.value.map((address) => ({ address, family: 4 })) : []),
        ...(v6.status === 'fulfilled' ? v6.value.map((address) => ({ address, family: 6 })) : []),
      ];
      if (found.length === 0)
        throw v4.status === 'rejected' ? v4.reason : (v6 as PromiseRejectedResult).reason;
      return found;
    } finally {
      clearTimeout(deadline);
    }
  }

  return (host, options, callback) => {
    if (isInternalName(host)) return dns.lookup(host, options as dns.LookupAllOptions, callback as never);
    resolve(host).then(
      (all) => {
        const wanted = options.family === 4 || options.family === 6 ? options.family : null;
        const found = wanted ? all.filter(({ family }) => family === wanted) : all;
        if (found.length === 0) callback(Object.assign(new Error('No address'), { code: 'ENOTFOUND' }), []);
        else if (options.all) callback(null, found);
        else callback(null, found[0]!.address, found[0]!.family);
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };
}
