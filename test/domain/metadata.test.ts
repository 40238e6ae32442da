import { isDeepStrictEqual } from 'node:util';
import test from 'ava';
import fc from 'fast-check';
import {
  MAX_KEYS,
  mergeMetadata,
  METADATA_KEY,
  sameMetadata,
  type Metadata,
  type MetadataChange,
} from '../../domain/metadata.js';

const key = fc.oneof(
  fc.stringMatching(/^[a-z._-]{1,3}$/),
  fc.constantFrom('a', 'B', '1', '10', '9', 'toString'),
);
const change = fc.dictionary(key, fc.option(fc.string({ maxLength: 5 })), { maxKeys: 12 });
const stored = fc.dictionary(key, fc.string({ maxLength: 5 }), { maxKeys: MAX_KEYS });

/** An object's metadata after a change, without a limit. */
function expected(before: Metadata, change: MetadataChange): Map<string, string> {
  const values = new Map(Object.entries(before));
  for (const [name, value] of Object.entries(change))
    if (value === null) values.delete(name);
    else values.set(name, value);
  return values;
}

test('a change of metadata sets its keys, removes null ones, and keeps the others, up to 20 in total', (t) => {
  fc.assert(
    fc.property(stored, change, (before, change) => {
      const values = expected(before, change);
      const frozen = Object.freeze({ ...before });
      if (values.size > MAX_KEYS)
        return void t.throws(() => mergeMetadata(frozen, change), { message: /at most 20 keys/ });
      const after = mergeMetadata(frozen, change);
      t.deepEqual(after, Object.fromEntries(values));
      t.true(sameMetadata(after, mergeMetadata(after, change)), 'the same change again changes nothing');
      t.is(JSON.stringify(after), JSON.stringify(mergeMetadata({}, after)), 'in one order of their keys');
      t.is(sameMetadata(before, after), isDeepStrictEqual({ ...before }, after));
    }),
  );
});

test('a key has 1 to 40 letters, digits, underscores, dots and hyphens', (t) => {
  for (const good of ['a', 'crm.id', 'A-1_b', 'x'.repeat(40)]) t.regex(good, METADATA_KEY);
  for (const bad of ['', 'x'.repeat(41), 'a b', 'ä', 'a\n', '[a]']) t.notRegex(bad, METADATA_KEY);
});
