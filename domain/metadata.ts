import { invalidField } from './errors.js';

/** Data that an integration stores with an object, by key (docs/rules/api.md#metadata). */
export type Metadata = Record<string, string>;

/** A change of metadata: null removes a key, and keys that are not in the change stay as they are. */
export type MetadataChange = Record<string, string | null>;

/** The maximum number of keys of an object, and the maximum length of a value in characters. */
export const MAX_KEYS = 20;
export const MAX_VALUE = 500;
export const METADATA_KEY = /^[A-Za-z0-9_.-]{1,40}$/;

/**
 * Applies a change to an object's metadata. The result is sorted by key. Errors: 422 `validation_failed` for
 * more than 20 keys.
 */
export function mergeMetadata(before: Metadata, change: MetadataChange = {}): Metadata {
  const merged = Object.entries({ ...before, ...change })
    .filter((entry): entry is [string, string] => entry[1] !== null)
    .toSorted(([one], [other]) => (one < other ? -1 : 1));
  if (merged.length > MAX_KEYS) throw invalidField('metadata', `must have at most ${MAX_KEYS} keys`);
  return Object.fromEntries(merged);
}

/**
 * Returns the column `metadata` after a change of an object, or an empty object if the change does not
 * include metadata. Errors: as `mergeMetadata`.
 */
export const changedMetadata = (
  { metadata: before }: { metadata: Metadata },
  { metadata: change }: { metadata?: MetadataChange },
): { metadata?: Metadata } => (change ? { metadata: mergeMetadata(before, change) } : {});

/** True if two objects have the same metadata, regardless of the order of keys. */
export const sameMetadata = (one: Metadata, other: Metadata): boolean =>
  Object.keys(one).length === Object.keys(other).length &&
  Object.entries(one).every(([key, value]) => other[key] === value);
