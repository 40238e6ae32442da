import type { Encryption } from './encryption.js';
import { isId } from './ids.js';
import { createSigner } from './signed-links.js';

/** What a link to manage a booking is signed for. */
export interface LinkedBooking {
  id: string;
  /** A new version invalidates earlier links. Null if there is no link. */
  manage_link_version: number | null;
}

/** Creates and checks links to manage a booking. */
export interface ManageLinks {
  /** The URL; null if the booking has no link. */
  linkTo(booking: LinkedBooking): string | null;
  /** The booking's id in a token that may be forged. */
  bookingIdIn(token: string): string | null;
  /** Whether a token was signed for a booking as it is now. */
  isValid(token: string, booking: LinkedBooking): boolean;
}

export function createManageLinks(
  encryption: Pick<Encryption, 'deriveKeys'>,
  publicUrl: string,
): ManageLinks {
  const { sign, verify } = createSigner(encryption, 'holdfast:manage links');
  const signed = ({ id, manage_link_version }: LinkedBooking): string => `${id}.${manage_link_version}`;
  return {
    linkTo: (booking) =>
      booking.manage_link_version === null
        ? null
        : `${publicUrl}/manage/${booking.id}.${sign(signed(booking))}`,
    bookingIdIn(token) {
      const [id = ''] = token.split('.', 1);
      return isId('bk', id) ? id : null;
    },
    isValid(token, booking) {
      if (booking.manage_link_version === null) return false;
      const [id, signature = '', ...rest] = token.split('.');
      // Another encoding of the same bytes is refused too: each booking has one address.
      const isCanonical = Buffer.from(signature, 'base64url').toString('base64url') === signature;
      return id === booking.id && rest.length === 0 && isCanonical && verify(signed(booking), signature);
    },
  };
}
