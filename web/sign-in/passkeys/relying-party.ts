import type { ApiDependencies } from '../../../api/dependencies.js';

/** The relying party of passkeys: the host that they belong to, and the origin that may request them. */
export interface RelyingParty {
  id: string;
  origin: string;
}

const LOOPBACK = '127.0.0.1';

/**
 * The relying party for the service's public URL. Passkeys need a host name, not an IP address, so a service
 * on a loopback address, in development, uses `localhost`.
 */
export function createRelyingParty({ publicUrl }: Pick<ApiDependencies, 'publicUrl'>): RelyingParty {
  const url = new URL(publicUrl);
  if (url.hostname === LOOPBACK) url.hostname = 'localhost';
  return { id: url.hostname, origin: url.origin };
}
