import { domainToASCII } from 'node:url';

/**
 * The parts of a mail address, the domain as IDNA A-labels without a final dot; null if it has no such form.
 */
function splitAddress(address: string): { local: string; domain: string } | null {
  const at = address.lastIndexOf('@');
  const local = address.slice(0, at);
  const domain = domainToASCII(address.slice(at + 1)).replace(/\.$/, '');
  const isValid = /^[\x21-\x7e]+$/.test(local) && /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(domain);
  return isValid ? { local, domain } : null;
}

/**
 * Whether a mail address has a canonical form (docs/rules/members.md#mail-addresses): others are refused,
 * since two of them could be told apart here and be one mailbox there, or the other way around.
 */
export const isCanonical = (address: string): boolean => splitAddress(address) !== null;

/** The address as mail is sent to it: the local part as written, the domain as A-labels. */
export function deliveryAddress(address: string): string {
  const parts = splitAddress(address);
  return parts ? `${parts.local}@${parts.domain}` : address;
}

/**
 * What makes two spellings the same address: the local part in lower case, the domain as A-labels. A stored
 * address from before there was a canonical form is the same as itself only.
 */
export const addressKey = (address: string): string =>
  isCanonical(address) ? deliveryAddress(address).toLowerCase() : address;

/** The canonical form of an address; null for one in ASCII, of which it is the written one in lower case. */
export const canonicalIfOther = (email: string): string | null =>
  /[^\x21-\x7e]/.test(email) ? addressKey(email) : null;
