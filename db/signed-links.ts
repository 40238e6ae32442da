import { createHmac, createSecretKey, timingSafeEqual, type KeyObject } from 'node:crypto';
import type { Encryption } from './encryption.js';
import { isId, type IdPrefix } from './ids.js';

/** Signs texts, and checks the signatures. */
interface Signer {
  /** Returns the signature of a text, in base64url. */
  sign(text: string): string;
  /**
   * True if a signature, which may be forged, belongs to the text. Other encodings of its bytes are refused.
   */
  verify(text: string, signature: string): boolean;
}

/**
 * Creates a signer that uses HMAC-SHA256 with keys derived from the service's encryption keys for one
 * purpose: the first one signs, all of them verify. Read access to the database is not enough to forge a
 * signature.
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

/** Splits a token `<id>.<signature>`, which may be forged; null if it has another form. */
function readToken(prefix: IdPrefix, token: string): { id: string; signature: string } | null {
  const [id = '', signature = '', ...rest] = token.split('.');
  return rest.length === 0 && isId(prefix, id) ? { id, signature } : null;
}

/** Creates and reads links with the signed id of an object. */
export interface SignedLinks {
  /** Returns the URL to send. */
  linkTo(id: string): string;
  /** Returns the id in a link's token, or null if the signature is invalid. */
  read(token: string): string | null;
}

function createSignedIds({ sign, verify }: Signer, prefix: IdPrefix) {
  return {
    toToken: (id: string): string => `${id}.${sign(id)}`,
    read(token: string): string | null {
      const given = readToken(prefix, token);
      return given && verify(given.id, given.signature) ? given.id : null;
    },
  };
}

/**
 * Creates and checks links to objects whose link can be replaced: another signed text ends the earlier links.
 */
interface ReplaceableLinks<Linked> {
  /** Returns the URL; null if the object has no link. */
  linkTo(object: Linked): string | null;
  /** Returns the object's id in a token that may be forged. */
  idIn(token: string): string | null;
  /** True if a token was signed for the object's current state. */
  isValid(token: string, object: Linked): boolean;
}

/**
 * Creates such links. `signedText`: what the link of an object signs; null if it has none. `base`: the URL
 * before the token.
 */
export function createReplaceableLinks<Linked extends { id: string }>(
  { sign, verify }: Signer,
  { prefix, base, signedText }: { prefix: IdPrefix; base: string; signedText(object: Linked): string | null },
): ReplaceableLinks<Linked> {
  return {
    linkTo(object) {
      const text = signedText(object);
      return text && `${base}/${object.id}.${sign(text)}`;
    },
    idIn: (token) => readToken(prefix, token)?.id ?? null,
    isValid(token, object) {
      const given = readToken(prefix, token);
      const text = signedText(object);
      return text !== null && given?.id === object.id && verify(text, given.signature);
    },
  };
}

/** The fields for which a link to an invoice is signed. */
export interface LinkedInvoice {
  id: string;
  /** A new version ends earlier links. */
  pay_link_version: number;
}

/** The links with which payers open their invoices (docs/rules/billing.md#payment-links). */
export type PayLinks = Omit<ReplaceableLinks<LinkedInvoice>, 'linkTo'> & {
  linkTo(invoice: LinkedInvoice): string;
};

export function createPayLinks(encryption: Pick<Encryption, 'deriveKeys'>, publicUrl: string): PayLinks {
  return createReplaceableLinks(createSigner(encryption, 'holdfast:pay links'), {
    prefix: 'inv',
    base: `${publicUrl}/pay`,
    signedText: ({ id, pay_link_version }: LinkedInvoice) => `${id}.${pay_link_version}`,
  }) as PayLinks;
}

/**
 * The fields for which the URL is signed to which a payer returns: a booking or an invoice, and the version
 * of its link.
 */
export interface ReturnTo {
  id: string;
  /** The version of its manage or payment link; null if it has none. */
  version: number | null;
}

/**
 * Creates and checks the secrets in the URLs to which payers return after paying
 * (docs/rules/bookings.md#checkout). A secret for a link that was replaced is no longer valid.
 */
export interface ReturnSecrets {
  /** Null if there is no link. */
  returnSecret(to: ReturnTo): string | null;
  /** `secret`: from the URL; it may be forged. */
  isValid(secret: string, to: ReturnTo): boolean;
}

export function createReturnSecrets(encryption: Pick<Encryption, 'deriveKeys'>): ReturnSecrets {
  const { sign, verify } = createSigner(encryption, 'holdfast:checkout returns');
  const returnText = ({ id, version }: ReturnTo): string => `${id}.${version}`;
  return {
    returnSecret: (to) => (to.version === null ? null : sign(returnText(to))),
    isValid: (secret, to) => to.version !== null && verify(returnText(to), secret),
  };
}

/** The URLs with which calendar programs read bookings (docs/rules/bookings.md#calendar-address). */
export function createFeedLinks(encryption: Pick<Encryption, 'deriveKeys'>, publicUrl: string): SignedLinks {
  const { toToken, read } = createSignedIds(createSigner(encryption, 'holdfast:feeds'), 'feed');
  return { linkTo: (id) => `${publicUrl}/feeds/${toToken(id)}.ics`, read };
}

/**
 * The links that confirm free bookings of public guests
 * (docs/rules/booking-page.md#free-bookings): a booking's id, signed.
 */
export function createProofLinks(encryption: Pick<Encryption, 'deriveKeys'>, publicUrl: string): SignedLinks {
  const { toToken, read } = createSignedIds(createSigner(encryption, 'holdfast:booking proofs'), 'bk');
  return { linkTo: (id) => `${publicUrl}/confirm/${toToken(id)}`, read };
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
  const { toToken, read } = createSignedIds(createSigner(encryption, 'holdfast:invites'), 'ivt');
  return {
    linkTo: (id) => `${publicUrl}/invite/${toToken(id)}`,
    addressLink: (id) => `${publicUrl}/account/email/${toToken(id)}`,
    read,
  };
}
