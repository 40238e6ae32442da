import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Encryption } from './encryption.js';
import { isId, type IdPrefix } from './ids.js';

/** Creates and reads links with the signed id of an object: read access to the database cannot forge one. */
export interface SignedLinks {
  /** The URL to send. */
  linkTo(id: string): string;
  /** The id in a link's token, or null if the signature is invalid. */
  read(token: string): string | null;
}

/** Signs and reads ids. */
interface SignedIds {
  tokenOf(id: string): string;
  read(token: string): string | null;
}

/** HMAC-SHA256 with keys derived from the service's encryption keys for one purpose: the first signs, all verify. */
export function createSignedIds(
  { deriveKeys }: Pick<Encryption, 'deriveKeys'>,
  { purpose, prefix }: { purpose: string; prefix: IdPrefix },
): SignedIds {
  const keys = deriveKeys(purpose);
  const sign = (id: string, key: Buffer): Buffer => createHmac('sha256', key).update(id).digest();
  return {
    tokenOf: (id) => `${id}.${sign(id, keys[0]).toString('base64url')}`,
    read(token) {
      const [id = '', signature = '', ...rest] = token.split('.');
      const given = Buffer.from(signature, 'base64url');
      const isValid = keys.some((key) => {
        const expected = sign(id, key);
        return given.length === expected.length && timingSafeEqual(given, expected);
      });
      return isValid && rest.length === 0 && isId(prefix, id) ? id : null;
    },
  };
}
