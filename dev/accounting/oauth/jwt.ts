import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import type { Store } from '../state/store.js';

const KEY_ID = 'accounting-simulator';

/** Creates a token signed with RS256, as Xero's are. */
export function signToken(store: Store, claims: object): string {
  const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url');
  const content = `${encode({ alg: 'RS256', typ: 'JWT', kid: KEY_ID })}.${encode(claims)}`;
  return `${content}.${sign('sha256', Buffer.from(content), signingKey(store)).toString('base64url')}`;
}

/** The public key that verifies the tokens, as a JWK set. */
export function publicKeys(store: Store): object {
  const jwk = createPublicKey(signingKey(store)).export({ format: 'jwk' });
  return { keys: [{ ...jwk, kid: KEY_ID, use: 'sig', alg: 'RS256' }] };
}

/** The signing key. It survives a restart, like the tokens. */
function signingKey({ keys }: Store): KeyObject {
  const kept = keys.get('signing');
  if (kept) return createPrivateKey(kept);
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  keys.set('signing', privateKey.export({ format: 'pem', type: 'pkcs8' }) as string);
  return privateKey;
}
