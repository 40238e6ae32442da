import { createHmac, createSecretKey, timingSafeEqual, type KeyObject } from 'node:crypto';
import type { Encryption } from './encryption.js';
import { isId, type IdPrefix } from './ids.js';

/** Signs texts, and checks the signatures. */
interface Signer {
  /** The signature of a text, in base64url. */
  sign(text: string): string;
  /** Whether a signature, which may be forged, is one of the text. Other spellings of its bytes are not. */
  verify(text: string, signature: string): boolean;
}

/**
 * HMAC-SHA256 with keys derived from the service's encryption keys for one purpose: the first signs, all verify. Read
 * access to the database cannot forge a signature.
 */
export function createSigner({ deriveKeys }: Pick<Encryption, 'deriveKeys'>, purpose: string): Signer {
  const keys = deriveKeys(purpose).map((key) => createSecretKey(key));
  const signed = (text: string, key: KeyObject): string =>
    createHmac('sha256', key).update(text).digest('base64url');
  return {
    sign: (text) => signed(text, keys[0]!),
    verify(text, signature) {
      const given = Buffer.from(signature);
      return keys.some((key) => {
        const expected = Buffer.from(signed(text, key));
        return given.length === expected.length && timingSafeEqual(given, expected);
      });
    },
  };
}

/** The parts of a token `<id>.<signature>`, which may be forged; null if it has another form. */
export function readToken(prefix: IdPrefix, token: string): { id: string; signature: string } | null {
  const [id = '', signature = '', ...rest] = token.split('.');
  return rest.length === 0 && isId(prefix, id) ? { id, signature } : null;
}

/** Creates and reads links with the signed id of an object. */
interface SignedLinks {
  /** The URL to send. */
  linkTo(id: string): string;
  /** The id in a link's token, or null if the signature is invalid. */
  read(token: string): string | null;
}

function createSignedIds({ sign, verify }: Signer, prefix: IdPrefix) {
  return {
    tokenOf: (id: string): string => `${id}.${sign(id)}`,
    read(token: string): string | null {
      const given = readToken(prefix, token);
      return given && verify(given.id, given.signature) ? given.id : null;
    },
  };
}

/** The links with which payers open their invoices (docs/rules/billing.md#pay-links). */
export type PayLinks = SignedLinks;

export function createPayLinks(encryption: Pick<Encryption, 'deriveKeys'>, publicUrl: string): PayLinks {
  const { tokenOf, read } = createSignedIds(createSigner(encryption, 'holdfast:pay links'), 'inv');
  return { linkTo: (id) => `${publicUrl}/pay/${tokenOf(id)}`, read };
}

/** Creates and reads invite links: an invite's id, signed. */
export interface InviteLinks extends SignedLinks {
  /** The URL that confirms a requested address. */
  addressLink(requestId: string): string;
}

export function createInviteLinks(
  encryption: Pick<Encryption, 'deriveKeys'>,
  publicUrl: string,
): InviteLinks {
  const { tokenOf, read } = createSignedIds(createSigner(encryption, 'holdfast:invites'), 'ivt');
  return {
    linkTo: (id) => `${publicUrl}/invite/${tokenOf(id)}`,
    addressLink: (id) => `${publicUrl}/account/email/${tokenOf(id)}`,
    read,
  };
}
