import type { ApiDependencies } from '../../../api/dependencies.js';

/** For whom passkeys are made: the host that they belong to, and the origin that may ask for them. */
export interface RelyingParty {
  id: string;
  origin: string;
}

const LOOPBACK = '127.0.0.1';

/**
 * The service as browsers know it, by its public URL. Passkeys belong to a name, never to an address: a
 * service on the loopback address, for development, has them as `localhost`.
 */
export function createRelyingParty({ publicUrl }: Pick<ApiDependencies, 'publicUrl'>): RelyingParty {
  const url = new URL(publicUrl);
  if (url.hostname === LOOPBACK) url.hostname = 'localhost';
  return { id: url.hostname, origin: url.origin };
}
