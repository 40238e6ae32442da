import { createHash, randomBytes } from 'node:crypto';

/** Returns a new secret of 256 bits, for a link or a session. */
export const newSecret = (): string => randomBytes(32).toString('base64url');

/**
 * Returns the stored hash of a secret. Secrets are long and random, so a plain digest cannot be reversed by
 * search.
 */
export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest();
