import { randomBytes } from 'node:crypto';

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** A random id in Stripe's format: `pi_3Q…`. */
export function newId(prefix: string, length = 24): string {
  let id = '';
  // 62 does not divide 256; the slight bias does not matter in a simulator.
  for (const byte of randomBytes(length)) id += ALPHABET[byte % ALPHABET.length];
  return `${prefix}_${id}`;
}
