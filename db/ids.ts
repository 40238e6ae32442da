import { randomUUID } from 'node:crypto';
import { fromString, fromUUID, toUUID, typeidUnboxed } from 'typeid-js';

/** The prefixes of our TypeIDs (docs/rules/api.md#identifiers). */
export type IdPrefix =
  | 'bk'
  | 'chg'
  | 'adj'
  | 'inv'
  | 'pay'
  | 'mem'
  | 'prof'
  | 'key'
  | 'rot'
  | 'ws'
  | 'evt'
  | 'wh'
  | 'bo'
  | 'chk'
  | 'cset'
  | 'cns'
  | 'rec'
  | 'mail'
  | 'msg'
  | 'ivt'
  | 'tch'
  | 'link'
  | 'feed'
  | 'stmt'
  | 'sso'
  | 'client';

/** Returns a new id, sortable by creation time: `bk_01h…`. */
export function newId(prefix: IdPrefix): string {
  return typeidUnboxed(prefix);
}

/** Returns the lowest id that `newId` could have returned at a time: ids from before are lower. */
export function firstIdAt(prefix: IdPrefix, at: Date): string {
  const ms = at.getTime().toString(16).padStart(12, '0');
  return fromUUID(`${ms.slice(0, 8)}-${ms.slice(8)}-7000-8000-000000000000`, prefix);
}

/**
 * Returns a new profile id. It is random, since every workspace of the person sees it and must not learn from
 * it when the first workspace added the person.
 */
export function newProfileId(): string {
  return fromUUID(randomUUID(), 'prof');
}

/** Returns a new plain UUID, sortable by creation time, for rooms and companies. */
export function newUuid(): string {
  return toUUID(typeidUnboxed('x'));
}

/** True for a well-formed id with this prefix. */
export function isId(prefix: IdPrefix, value: string): boolean {
  try {
    fromString(value, prefix);
    return true;
  } catch {
    return false;
  }
}

/** A plain UUID with hyphens, in upper or lower case, as Postgres reads it. */
export const UUID = /^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$/;
export const isUuid = (value: string): boolean => UUID.test(value);

/**
 * Returns the TypeID for an id that is given as a TypeID or as the UUID with the same 128 bits; null for
 * anything else.
 */
export function asId(prefix: IdPrefix, value: string): string | null {
  if (UUID.test(value)) return fromUUID(value.toLowerCase(), prefix);
  return isId(prefix, value) ? value : null;
}
