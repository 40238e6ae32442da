import type { Encryption } from './encryption.js';
import { createReplaceableLinks, createSigner } from './signed-links.js';

/** The fields for which a link to manage a booking is signed. */
export interface LinkedBooking {
  id: string;
  /** A new version invalidates earlier links. Null if there is no link. */
  manage_link_version: number | null;
}

/** The version of a booking's first link. Each replacement has the next version. */
export const FIRST_MANAGE_LINK = 1;

/** Creates and checks links to manage a booking. */
export type ManageLinks = ReturnType<typeof createManageLinks>;

export const createManageLinks = (encryption: Pick<Encryption, 'deriveKeys'>, publicUrl: string) =>
  createReplaceableLinks(createSigner(encryption, 'holdfast:manage links'), {
    prefix: 'bk',
    base: `${publicUrl}/manage`,
    signedText: ({ id, manage_link_version: version }: LinkedBooking) =>
      version === null ? null : `${id}.${version}`,
  });
