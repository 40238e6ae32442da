import type { Encryption } from './encryption.js';
import { createSigner, readToken } from './signed-links.js';

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
    bookingIdIn: (token) => readToken('bk', token)?.id ?? null,
    isValid(token, booking) {
      const given = readToken('bk', token);
      if (booking.manage_link_version === null || given?.id !== booking.id) return false;
      return verify(signed(booking), given.signature);
    },
  };
}
