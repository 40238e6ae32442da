import { createHash, createHmac, randomBytes } from 'node:crypto';

/** A new secret of 256 bits, for a link or a session. */
export const newSecret = (): string => randomBytes(32).toString('base64url');

/** What is kept of a secret. It is random and long, so a plain digest can't be searched for it. */
export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest();

/** The form token of a session: only who has the session's id can compute it, and our pages do. */
export const csrfTokenOf = (sessionId: string): string =>
  createHmac('sha256', sessionId).update('csrf').digest('base64url');
