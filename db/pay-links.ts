import type { Encryption } from './encryption.js';
import { createSignedLinks, type SignedLinks } from './signed-links.js';

/** The links with which payers open their invoices (docs/rules/billing.md#pay-links). */
export type PayLinks = SignedLinks;

export const createPayLinks = (encryption: Pick<Encryption, 'deriveKeys'>, publicUrl: string): PayLinks =>
  createSignedLinks(encryption, {
    purpose: 'holdfast:pay links',
    prefix: 'inv',
    address: `${publicUrl}/pay`,
  });
