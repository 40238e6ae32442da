import type { Encryption } from './encryption.js';
import { createSignedLinks, type SignedLinks } from './signed-links.js';

/** The links that invited members get. */
export type InviteLinks = SignedLinks;

export const createInviteLinks = (
  encryption: Pick<Encryption, 'deriveKeys'>,
  publicUrl: string,
): InviteLinks =>
  createSignedLinks(encryption, {
    purpose: 'holdfast:invites',
    prefix: 'ivt',
    address: `${publicUrl}/invite`,
  });
