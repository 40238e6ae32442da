import type { Encryption } from './encryption.js';
import { createSignedIds, type SignedLinks } from './signed-links.js';

/** Creates and reads invite links: an invite's id, signed. */
export interface InviteLinks extends SignedLinks {
  /** The URL that confirms a requested address. */
  addressLink(requestId: string): string;
}

export function createInviteLinks(
  encryption: Pick<Encryption, 'deriveKeys'>,
  publicUrl: string,
): InviteLinks {
  const ids = createSignedIds(encryption, { purpose: 'holdfast:invites', prefix: 'ivt' });
  return {
    linkTo: (id) => `${publicUrl}/invite/${ids.tokenOf(id)}`,
    addressLink: (id) => `${publicUrl}/account/email/${ids.tokenOf(id)}`,
    read: ids.read,
  };
}
