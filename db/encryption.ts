import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const VERSION = 1;
const KEY_ID_BYTES = 4;
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts secrets that are needed as plaintext (signing secrets, tokens of other services), so that the
 * database alone does not reveal them. `context` names the owner, such as `webhook-secret:ws_…`: a value
 * copied to another row cannot be decrypted. There can be several keys
 * (docs/guides/keys.md#rotate-the-encryption-key): the first encrypts, all decrypt.
 */
export interface Encryption {
  encrypt(plaintext: string, context: string): Buffer;
  /** Throws if none of the keys or the context fits, or the value was changed. */
  decrypt(encrypted: Buffer, context: string): string;
  /** What every value that the first key encrypts begins with. */
  readonly prefix: Buffer;
  /**
   * 32-byte keys for one purpose, the same in every process, one per key; the first is for new values.
   * They reveal nothing about keys for other purposes. Keys that are marked as leaked have none: what
   * they derive could be forged.
   */
  deriveKeys(purpose: string): [Buffer, ...Buffer[]];
}

/** Marks a key that others may know: it still decrypts, and nothing that it has signed is valid. */
const LEAKED = 'leaked:';

interface ListedKey {
  key: Buffer;
  isLeaked: boolean;
}

/** The keys of a list, each 32 bytes in base64, separated by commas. The first is never marked as leaked. */
const parseKeys = (list: string): ListedKey[] =>
  list.split(',').map((entry) => {
    const isLeaked = entry.startsWith(LEAKED);
    return { key: Buffer.from(isLeaked ? entry.slice(LEAKED.length) : entry, 'base64'), isLeaked };
  });

const derive = (key: Buffer, purpose: string): Buffer =>
  Buffer.from(hkdfSync('sha256', key, '', purpose, 32));

/** A version byte and the id of the key, which reveals nothing about the key. */
const keyPrefix = (key: Buffer): Buffer =>
  Buffer.concat([Buffer.of(VERSION), derive(key, 'holdfast:key id').subarray(0, KEY_ID_BYTES)]);

/**
 * AES-256-GCM with the keys of `parseKeys`. The stored value is version, key id, nonce, tag and ciphertext,
 * concatenated; values that were stored before there were key ids lack the first two.
 */
export function createEncryption(keyList: string): Encryption {
  const listed = parseKeys(keyList);
  const keys = listed.map(({ key }) => key);
  const ring = keys.map((key) => ({ key, prefix: keyPrefix(key) }));
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
      if (named) return open(named.key, encrypted.subarray(named.prefix.length), context);
      for (const key of keys.slice(0, -1)) {
        try {
          return open(key, encrypted, context);
        } catch {
          // Not this key.
        }
      }
      return open(keys.at(-1)!, encrypted, context);
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
