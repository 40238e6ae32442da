import { randomBytes } from 'node:crypto';
import test from 'ava';
import { createEncryption } from '../../db/encryption.js';

const newKey = (): string => randomBytes(32).toString('base64');

test('a secret is decrypted with its own key and context, and the ciphertext does not contain it', (t) => {
  const { encrypt, decrypt } = createEncryption(newKey());
  const sealed = encrypt('whsec_geheim ✓', 'webhook-secret:ws_1');
  t.is(decrypt(sealed, 'webhook-secret:ws_1'), 'whsec_geheim ✓');
  t.false(sealed.includes('whsec_'));
  t.notDeepEqual(encrypt('whsec_geheim ✓', 'webhook-secret:ws_1'), sealed, 'each encryption differs');
});

test('decryption fails with another key, another context or a changed byte', (t) => {
  const { encrypt, decrypt } = createEncryption(newKey());
  const sealed = encrypt('secret', 'webhook-secret:ws_1');
  t.throws(() => createEncryption(newKey()).decrypt(sealed, 'webhook-secret:ws_1'));
  t.throws(() => decrypt(sealed, 'webhook-secret:ws_2'));
  for (let at = 0; at < sealed.length; at++) {
    const changed = Buffer.from(sealed);
    changed[at]! ^= 1;
    t.throws(() => decrypt(changed, 'webhook-secret:ws_1'));
  }
  t.throws(() => decrypt(sealed.subarray(0, 20), 'webhook-secret:ws_1'));
});

test('the first of several keys encrypts, all decrypt, and a value names its key', (t) => {
  const [one, two] = [newKey(), newKey()];
  const [first, second, both] = [one, two, `${two},${one}`].map(createEncryption);
  const sealed = first!.encrypt('secret', 'webhook-secret:ws_1');
  t.is(both!.decrypt(sealed, 'webhook-secret:ws_1'), 'secret');
  t.throws(() => second!.decrypt(sealed, 'webhook-secret:ws_1'));
  const renewed = both!.encrypt('secret', 'webhook-secret:ws_1');
  t.is(second!.decrypt(renewed, 'webhook-secret:ws_1'), 'secret');
  t.throws(() => first!.decrypt(renewed, 'webhook-secret:ws_1'));
  const startsWith = (value: Buffer, prefix: Buffer): boolean =>
    value.subarray(0, prefix.length).equals(prefix);
  t.true(startsWith(sealed, first!.prefix));
  t.true(startsWith(renewed, both!.prefix));
  t.false(startsWith(sealed, both!.prefix));
  t.false(
    second!.prefix.includes(Buffer.from(two, 'base64').subarray(0, 4)),
    'the id is not part of the key',
  );
});
