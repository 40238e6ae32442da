import { randomBytes } from 'node:crypto';
import test from '../support/suite.js';
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
