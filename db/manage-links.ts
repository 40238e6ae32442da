import { createHmac, createSecretKey, timingSafeEqual, type KeyObject } from 'node:crypto';
import type { Encryption } from './encryption.js';
import { isId } from './ids.js';

/** What a link to manage a booking is signed for. */
export interface LinkedBooking {
  id: string;
  /** A new version invalidates earlier links. Null if there is no link. */
  manage_link_version: number | null;
}

/** Creates and checks links to manage a booking: read access to the database cannot forge one. */
export interface ManageLinks {
  /** The URL; null if the booking has no link. */
  linkTo(booking: LinkedBooking): string | null;
  /** The booking's id in a token that may be forged. */
  bookingIdIn(token: string): string | null;
  /** Whether a token was signed for a booking as it is now. */
  isValid(token: string, booking: LinkedBooking): boolean;
}

/** HMAC-SHA256 with keys derived from the service's encryption keys: the first signs, all verify. */
export function createManageLinks(
  { deriveKeys }: Pick<Encryption, 'deriveKeys'>,
  publicUrl: string,
): ManageLinks {
  const keys = deriveKeys('holdfast:manage links').map((key) => createSecretKey(key));
  const sign = (booking: LinkedBooking, key: KeyObject): Buffer =>
    createHmac('sha256', key).update(`${booking.id}.${booking.manage_link_version}`).digest();
  return {
    linkTo: (booking) =>
      booking.manage_link_version === null
        ? null
        : `${publicUrl}/manage/${booking.id}.${sign(booking, keys[0]!).toString('base64url')}`,
    bookingIdIn(token) {
      const [id = ''] = token.split('.', 1);
      return isId('bk', id) ? id : null;
    },
    isValid(token, booking) {
      if (booking.manage_link_version === null) return false;
      const [id, signature = '', ...rest] = token.split('.');
      const given = Buffer.from(signature, 'base64url');
      // Another encoding of the same bytes is refused too: each booking has one address.
      if (id !== booking.id || rest.length > 0 || given.toString('base64url') !== signature) return false;
      return keys.some((key) => {
        const expected = sign(booking, key);
        return given.length === expected.length && timingSafeEqual(given, expected);
      });
    },
  };
}
