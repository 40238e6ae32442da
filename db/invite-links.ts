import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Encryption } from './encryption.js';
import { isId } from './ids.js';

/** Creates and reads invite links: an invite's id, signed, so that read access to the database cannot forge one. */
export interface InviteLinks {
  /** The URL to send. */
  linkTo(inviteId: string): string;
  /** The URL that confirms a requested address. */
  addressLink(requestId: string): string;
  /** The invite's id from a link's token, or null if the signature is invalid. */
  read(token: string): string | null;
}

/** HMAC-SHA256 with keys derived from the service's encryption keys: the first signs, all verify. */
export function createInviteLinks(
  { deriveKeys }: Pick<Encryption, 'deriveKeys'>,
  publicUrl: string,
): InviteLinks {
  const keys = deriveKeys('holdfast:invites');
  const sign = (id: string, key: Buffer): Buffer => createHmac('sha256', key).update(id).digest();
  const tokenOf = (id: string): string => `${id}.${sign(id, keys[0]).toString('base64url')}`;
  return {
    linkTo: (id) => `${publicUrl}/invite/${tokenOf(id)}`,
    addressLink: (id) => `${publicUrl}/account/email/${tokenOf(id)}`,
    read(token) {
      const [id = '', signature = '', ...rest] = token.split('.');
      const given = Buffer.from(signature, 'base64url');
      const isValid = keys.some((key) => {
        const expected = sign(id, key);
        return given.length === expected.length && timingSafeEqual(given, expected);
      });
      return isValid && rest.length === 0 && isId('ivt', id) ? id : null;
    },
  };
}
