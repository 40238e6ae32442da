import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const VERSION = 1;
const KEY_ID_BYTES = 4;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts secrets that are needed as plaintext (signing secrets, tokens of other services), so that access
 * to the database alone does not reveal them. `context` identifies the owner, such as `webhook-secret:ws_…`:
 * a value that is copied to another row cannot be decrypted. There can be several keys
 * (docs/guides/keys.md#rotate-the-encryption-key): the first one encrypts, all of them decrypt.
 */
export interface Encryption {
  encrypt(plaintext: string, context: string): Buffer;
  /** Throws if no key or the context does not match, or the value was changed. */
  decrypt(encrypted: Buffer, context: string): string;
  /** The bytes with which every value begins that the first key encrypted. */
  readonly prefix: Buffer;
  /**
   * Derives 32-byte keys for one purpose, one per key and the same in every process; the first is for new
   * values. They reveal nothing about keys for other purposes. No keys are derived from keys that are marked
   * as leaked, because values made with them could be forged.
   */
  deriveKeys(purpose: string): [Buffer, ...Buffer[]];
}

/** Marks a key that others may know: it still decrypts, but nothing that it has signed is valid. */
const LEAKED = 'leaked:';

interface ListedKey {
  key: Buffer;
  isLeaked: boolean;
}

/**
 * Parses a list of keys, each 32 bytes in base64, separated by commas. The first key is never marked as
 * leaked.
 */
const parseKeys = (list: string): ListedKey[] =>
  list.split(',').map((entry) => {
    const isLeaked = entry.startsWith(LEAKED);
    return { key: Buffer.from(isLeaked ? entry.slice(LEAKED.length) : entry, 'base64'), isLeaked };
  });

const derive = (key: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', key, '', purpose, 32));

/** Returns a version byte followed by the id of the key, which reveals nothing about the key. */
const keyPrefix = (key: Buffer): Buffer =>
  Buffer.concat([Buffer.of(VERSION), derive(key, 'holdfast:key id').subarray(0, KEY_ID_BYTES)]);

/**
 * Creates an encryption with AES-256-GCM and the keys of `parseKeys`. The stored value consists of version,
 * key id, nonce, tag and ciphertext.
 */
export function createEncryption(keyList: string): Encryption {
  const listed = parseKeys(keyList);
  const ring = listed.map(({ key }) => ({ key, prefix: keyPrefix(key) }));
  const [current] = ring as [(typeof ring)[0]];
  return {
    prefix: current.prefix,
    encrypt(plaintext, context) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(ALGORITHM, current.key, iv).setAAD(Buffer.from(context));
      const ciphertext = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
      return Buffer.concat([current.prefix, iv, cipher.getAuthTag(), ciphertext]);
    },
    decrypt(encrypted, context) {
      const named = ring.find(({ prefix }) => encrypted.subarray(0, prefix.length).equals(prefix));
      if (!named) throw new Error(`No key decrypts the value of ${context}.`);
      return open(named.key, encrypted.subarray(named.prefix.length), context);
    },
    deriveKeys: (purpose) =>
      listed.filter(({ isLeaked }) => !isLeaked).map(({ key }) => derive(key, purpose)) as [
        Buffer,
        ...Buffer[],
      ],
  };
}

/** Decrypts nonce, tag and ciphertext. */
function open(key: Buffer, sealed: Buffer, context: string): string {
  const iv = sealed.subarray(0, IV_BYTES);
  const tag = sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES);
  const decipher = createDecipheriv(ALGORITHM, key, iv, { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(context))
    .setAuthTag(tag);
  return decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
}
