import { invalidField } from './errors.js';

/** What an integration keeps with an object, by key (docs/rules/api.md#metadata). */
export type Metadata = Record<string, string>;

/** A change of metadata: null removes a key, and keys that it does not name stay. */
export type MetadataChange = Record<string, string | null>;

/** The most keys of an object, and the most characters of a value. */
export const MAX_KEYS = 20;
export const MAX_VALUE = 500;
export const METADATA_KEY = /^[A-Za-z0-9_.-]{1,40}$/;

/**
 * The metadata of an object after a change, in the order of their keys. Errors: 422 `validation_failed` for
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
 * What a change of an object says of its metadata, as a column: nothing if it does not name them. Errors: as
 * `mergeMetadata`.
 */
export const changedMetadata = (
  { metadata: before }: { metadata: Metadata },
  { metadata: change }: { metadata?: MetadataChange },
): { metadata?: Metadata } => (change ? { metadata: mergeMetadata(before, change) } : {});

/** True if two objects have the same metadata, in any order of their keys. */
export const sameMetadata = (one: Metadata, other: Metadata): boolean =>
  Object.keys(one).length === Object.keys(other).length &&
  Object.entries(one).every(([key, value]) => other[key] === value);
