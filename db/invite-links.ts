import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { isId } from './ids.js';

/** Makes and reads the links of invites: an invite's id, signed, so that nobody who reads the database can make one. */
export interface InviteLinks {
  /** The address that goes into the mail. */
  linkTo(inviteId: string): string;
  /** The invite of a token from a link, or null for one that we never signed. */
  read(token: string): string | null;
}

/** HMAC-SHA256 under a key of its own, derived from the service's (32 bytes in base64). */
export function createInviteLinks(keyBase64: string, publicUrl: string): InviteLinks {
  const key = Buffer.from(hkdfSync('sha256', Buffer.from(keyBase64, 'base64'), '', 'holdfast:invites', 32));
  const sign = (id: string): Buffer => createHmac('sha256', key).update(id).digest();
  return {
    linkTo: (id) => `${publicUrl}/invite/${id}.${sign(id).toString('base64url')}`,
    read(token) {
      const [id = '', signature = '', ...rest] = token.split('.');
      const given = Buffer.from(signature, 'base64url');
      const expected = sign(id);
      const genuine = given.length === expected.length && timingSafeEqual(given, expected);
      return genuine && rest.length === 0 && isId('ivt', id) ? id : null;
    },
  };
}
