import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Encrypts secrets that are needed as plaintext (signing secrets, tokens of other services), so that the database alone
 * does not reveal them. `context` names the owner, such as `webhook-secret:ws_…`: a value copied to another row cannot
 * be decrypted.
 */
export interface Encryption {
  encrypt(plaintext: string, context: string): Buffer;
  /** Throws if key or context is wrong or the value was changed. */
  decrypt(encrypted: Buffer, context: string): string;
  /** A 32-byte key for one purpose, the same in every process. It reveals nothing about keys for other purposes. */
  deriveKey(purpose: string): Buffer;
}

/** AES-256-GCM with a key of 32 bytes, in base64. The stored value is nonce, tag and ciphertext, concatenated. */
export function createEncryption(keyBase64: string): Encryption {
  const key = Buffer.from(keyBase64, 'base64');
  return {
    encrypt(plaintext, context) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(ALGORITHM, key, iv).setAAD(Buffer.from(context));
      const ciphertext = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), ciphertext]);
    },
    decrypt(encrypted, context) {
      const iv = encrypted.subarray(0, IV_BYTES);
      const tag = encrypted.subarray(IV_BYTES, IV_BYTES + TAG_BYTES);
      const decipher = createDecipheriv(ALGORITHM, key, iv, { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(context))
        .setAuthTag(tag);
      return (
        decipher.update(encrypted.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
      );
    },
    deriveKey: (purpose) => Buffer.from(hkdfSync('sha256', key, '', purpose, 32)),
  };
}
