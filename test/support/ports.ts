import { reservePorts } from '../../dev/launcher/ports.js';

/**
 * Free ports below the ephemeral range, so that no outgoing connection takes one before its process listens.
 */
export const freePorts = (count: number): Promise<number[]> =>
  reservePorts(Array.from({ length: count }, () => ({ variable: 'PORT', port: 0 })));
