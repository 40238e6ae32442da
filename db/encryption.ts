import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Keeps secrets that must come back as plaintext (signing secrets, tokens of others) unreadable to who only has the
 * database. `context` says whose secret it is, such as `webhook-secret:ws_…`: a value that was copied to another row
 * does not decrypt.
 */
export interface Encryption {
  encrypt(plaintext: string, context: string): Buffer;
  /** Throws for another key, another context or a changed value. */
  decrypt(sealed: Buffer, context: string): string;
  /** A key of 32 bytes for one purpose, the same in every process; it tells nothing of the others. */
  deriveKey(purpose: string): Buffer;
}

/** AES-256-GCM under a key of 32 bytes, in base64. What is stored is nonce, tag and ciphertext in one. */
export function createEncryption(keyBase64: string): Encryption {
  const key = Buffer.from(keyBase64, 'base64');
  return {
    encrypt(plaintext, context) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(ALGORITHM, key, iv).setAAD(Buffer.from(context));
      const ciphertext = Buffer.concat([cipher.update(plaintext, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, cipher.getAuthTag(), ciphertext]);
    },
    decrypt(sealed, context) {
      const iv = sealed.subarray(0, IV_BYTES);
      const tag = sealed.subarray(IV_BYTES, IV_BYTES + TAG_BYTES);
      const decipher = createDecipheriv(ALGORITHM, key, iv, { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(context))
        .setAuthTag(tag);
      return (
        decipher.update(sealed.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
      );
    },
    deriveKey: (purpose) => Buffer.from(hkdfSync('sha256', key, '', purpose, 32)),
  };
}
