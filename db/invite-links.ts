import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { isId } from './ids.js';

/** Creates and reads invite links: an invite's id, signed, so that read access to the database cannot forge one. */
export interface InviteLinks {
  /** The URL to send. */
  linkTo(inviteId: string): string;
  /** The invite's id from a link's token, or null if the signature is invalid. */
  read(token: string): string | null;
}

/** HMAC-SHA256 with a key derived from the service's encryption key (32 bytes in base64). */
export function createInviteLinks(keyBase64: string, publicUrl: string): InviteLinks {
  const key = Buffer.from(hkdfSync('sha256', Buffer.from(keyBase64, 'base64'), '', 'holdfast:invites', 32));
  const sign = (id: string): Buffer => createHmac('sha256', key).update(id).digest();
  return {
    linkTo: (id) => `${publicUrl}/invite/${id}.${sign(id).toString('base64url')}`,
    read(token) {
      const [id = '', signature = '', ...rest] = token.split('.');
      const given = Buffer.from(signature, 'base64url');
      const expected = sign(id);
      const isValid = given.length === expected.length && timingSafeEqual(given, expected);
      return isValid && rest.length === 0 && isId('ivt', id) ? id : null;
    },
  };
}
