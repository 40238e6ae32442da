import type { Encryption } from './encryption.js';
import { createSignedIds, type SignedLinks } from './signed-links.js';

/** The links with which payers open their invoices (docs/rules/billing.md#pay-links). */
export type PayLinks = SignedLinks;

export function createPayLinks(encryption: Pick<Encryption, 'deriveKeys'>, publicUrl: string): PayLinks {
  const ids = createSignedIds(encryption, { purpose: 'holdfast:pay links', prefix: 'inv' });
  return { linkTo: (id) => `${publicUrl}/pay/${ids.tokenOf(id)}`, read: ids.read };
}
