import { createHash, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { KeyKind } from '../../domain/api-keys/key-scope.js';

/** How tokens begin, by the kind of their key. */
const PREFIXES: Record<KeyKind, string> = { secret: 'hf_live_', publishable: 'hf_pub_' };
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const RANDOM = /^([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/;

/** CRC32 of a token's random part as six base62 digits, so that a typo is refused without a query. */
function checksum(random: string): string {
  let digits = '';
  for (let rest = crc32(random), i = 0; i < 6; i++, rest = Math.floor(rest / 62))
    digits = BASE62[rest % 62] + digits;
  return digits;
}

/** What the service stores of a token: its SHA-256 and the abbreviations it may be shown as. */
export interface TokenRecord {
  hash: Buffer;
  fingerprint: string;
  prefix: string;
}

/**
 * The record of a token (docs/rules/credentials.md#tokens), or null for text that cannot be one of this kind.
 */
export function readToken(token: string, kind: KeyKind = 'secret'): TokenRecord | null {
  const begin = PREFIXES[kind];
  const [, random, check] = (token.startsWith(begin) && RANDOM.exec(token.slice(begin.length))) || [];
  if (!random || check !== checksum(random)) return null;
  const prefix = token.slice(0, begin.length + 4);
  return {
    hash: createHash('sha256').update(token).digest(),
    prefix,
    fingerprint: `${prefix}…${token.slice(-4)}`,
  };
}

/** The token of a kind in an `Authorization` header, or null if it contains none. */
export function bearerToken(header: string, kind: KeyKind = 'secret'): TokenRecord | null {
  return header.startsWith('Bearer ') ? readToken(header.slice('Bearer '.length), kind) : null;
}

/** A new token. The plaintext of a secret one is shown once and never stored. */
export function mintToken(kind: KeyKind = 'secret'): { token: string; record: TokenRecord } {
  const random = Array.from({ length: 30 }, () => BASE62[randomInt(62)]).join('');
  const token = PREFIXES[kind] + random + checksum(random);
  return { token, record: readToken(token, kind)! };
}
