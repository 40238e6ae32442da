import { domainToASCII } from 'node:url';

/**
 * Returns the parts of an email address, with the domain as IDNA A-labels without a trailing dot; null if it
 * has no such form.
 */
function splitAddress(address: string): { local: string; domain: string } | null {
  const at = address.lastIndexOf('@');
  const local = address.slice(0, at);
  const domain = domainToASCII(address.slice(at + 1)).replace(/\.$/, '');
  const isValid = /^[\x21-\x7e]+$/.test(local) && /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(domain);
  return isValid ? { local, domain } : null;
}

/**
 * True if an email address has a canonical form (docs/rules/members.md#mail-addresses). Others are refused,
 * since two of them could be different here and the same mailbox elsewhere, or the reverse.
 */
export const isCanonical = (address: string): boolean => splitAddress(address) !== null;

/**
 * Returns the address in the form to which mail is sent: the local part as written, the domain as A-labels.
 */
export function deliveryAddress(address: string): string {
  const parts = splitAddress(address);
  return parts ? `${parts.local}@${parts.domain}` : address;
}

/**
 * Returns the key by which two spellings are the same address: the local part in lower case, the domain as
 * A-labels. An address without a canonical form only equals itself.
 */
export const addressKey = (address: string): string =>
  isCanonical(address) ? deliveryAddress(address).toLowerCase() : address;

/**
 * Returns the canonical form of an address; null for an ASCII address, whose canonical form is the address in
 * lower case.
 */
export const canonicalIfOther = (email: string): string | null =>
  /[^\x21-\x7e]/.test(email) ? addressKey(email) : null;
