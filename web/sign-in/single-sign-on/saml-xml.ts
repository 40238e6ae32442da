// XML of SAML messages: a strict parser, verification of signatures, which returns only the signed text, and
// decryption. The structure of a signature is checked before the libraries see it, because they look up its
// parts by name anywhere in the document.
import { constants, createDecipheriv, privateDecrypt, X509Certificate, type KeyLike } from 'node:crypto';
import { DOMParser } from '@xmldom/xmldom';
import { SignedXml, type SignatureAlgorithm } from 'xml-crypto';
import { SsoRefusal } from './identity.js';

export const ASSERTION = 'urn:oasis:names:tc:SAML:2.0:assertion';
export const PROTOCOL = 'urn:oasis:names:tc:SAML:2.0:protocol';
export const METADATA = 'urn:oasis:names:tc:SAML:2.0:metadata';
export const DSIG = 'http://www.w3.org/2000/09/xmldsig#';
const XMLENC = 'http://www.w3.org/2001/04/xmlenc#';
export const XMLENC11 = 'http://www.w3.org/2009/xmlenc11#';

export const EXCLUSIVE_C14N = 'http://www.w3.org/2001/10/xml-exc-c14n#';
export const ENVELOPED = `${DSIG}enveloped-signature`;
export const RSA_SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';
export const SHA256 = `${XMLENC}sha256`;
const SIGNATURES = [
  RSA_SHA256,
  'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
  'http://www.w3.org/2007/05/xmldsig-more#sha256-rsa-MGF1',
];
const DIGESTS = [SHA256, `${XMLENC}sha512`];

/** Accepted ciphers for assertions, with their key length in bits. */
export const CONTENT_CIPHERS: Record<string, number> = {
  [`${XMLENC11}aes256-gcm`]: 256,
  [`${XMLENC11}aes192-gcm`]: 192,
  [`${XMLENC11}aes128-gcm`]: 128,
};
export const RSA_OAEP = `${XMLENC}rsa-oaep-mgf1p`;
export const RSA_OAEP_11 = `${XMLENC11}rsa-oaep`;
const GCM_IV_BYTES = 12;
const GCM_TAG_BYTES = 16;

/** Limits for messages and metadata, which bound the time for parsing and canonicalisation. */
const MAX_BYTES = 256 * 1024;
const MAX_TAGS = 4_000;
const MAX_DEPTH = 50;
const MAX_ATTRIBUTES = 50;
const MAX_SIGNATURE_ELEMENTS = 50;

export const malformed = (detail: string): SsoRefusal => new SsoRefusal('malformed', detail);

/** A received value, as a refusal shows it. */
export const shown = (value: string | null): string => (value ? value.slice(0, 200) : 'none');

/** A document, and the text that it was parsed from. */
export interface XmlDocument {
  text: string;
  root: Element;
}

/**
 * Parses a message or metadata of at most 256 kB. Anything but elements, attributes, text and comments is
 * refused, as is an id that two elements have. Throws `malformed`.
 */
export function parseXml(xml: string): XmlDocument {
  if (Buffer.byteLength(xml) > MAX_BYTES) throw malformed('The XML is larger than 256 kB.');
  const text = xml.replace(/^\uFEFF?\s*(?:<\?xml\s[^<>]*\?>)?/, '');
  if (/<!(?!--|\[CDATA\[)/.test(text)) throw malformed('The XML has a document type or entities.');
  if (text.includes('<?')) throw malformed('The XML has processing instructions.');
  if (text.split('<', MAX_TAGS + 1).length > MAX_TAGS) throw malformed('The XML has too many elements.');
  const root = parsed(text);
  checkTree(root);
  return { text, root };
}

function parsed(text: string): Element {
  let problem: unknown = null;
  // Throws, because the parser otherwise continues after errors and warnings.
  const fail = (message: unknown): never => {
    problem ??= message;
    throw new Error('not XML');
  };
  const errorHandler = { warning: fail, error: fail, fatalError: fail };
  try {
    const root = new DOMParser({ errorHandler }).parseFromString(text, 'text/xml')
      .documentElement as Element | null;
    if (root && problem === null) return root;
  } catch (error) {
    problem ??= error;
  }
  throw malformed(`This is not XML: ${shown(String(problem ?? 'no element').replace(/\s+/g, ' '))}`);
}

/** Refuses ids that are not unique, and trees whose canonical form takes long. */
function checkTree(root: Element): void {
  const ids = new Set<string>();
  const check = (element: Element, depth: number): void => {
    const { attributes } = element;
    if (depth > MAX_DEPTH || attributes.length > MAX_ATTRIBUTES)
      throw malformed('The XML is nested too deeply.');
    for (let index = 0; index < attributes.length; index++) {
      const { localName, value } = attributes.item(index)!;
      if (localName.toLowerCase() !== 'id') continue;
      if (ids.has(value)) throw malformed(`Two elements have the id ${shown(value)}.`);
      ids.add(value);
    }
    for (const child of childElements(element)) check(child, depth + 1);
  };
  check(root, 1);
}

export function childElements(element: Element): Element[] {
  const elements: Element[] = [];
  for (let node = element.firstChild; node; node = node.nextSibling)
    if (node.nodeType === node.ELEMENT_NODE) elements.push(node as Element);
  return elements;
}

export const isElement = (element: Element, namespace: string, name: string): boolean =>
  element.namespaceURI === namespace && element.localName === name;

export const children = (element: Element, namespace: string, name: string): Element[] =>
  childElements(element).filter((child) => isElement(child, namespace, name));

/** The child of an element with a name; null if it has none. Throws `malformed` if it has several. */
export function child(element: Element, namespace: string, name: string): Element | null {
  const [first = null, ...others] = children(element, namespace, name);
  if (others.length > 0) throw malformed(`${element.localName} has several ${name}.`);
  return first;
}

/** The child of an element with a name. Throws `malformed` if it has none or several. */
export function onlyChild(element: Element, namespace: string, name: string): Element {
  const found = child(element, namespace, name);
  if (!found) throw malformed(`${element.localName} has no ${name}.`);
  return found;
}

export const everywhere = (root: Element, namespace: string, name: string): Element[] => [
  ...(isElement(root, namespace, name) ? [root] : []),
  ...Array.from(root.getElementsByTagNameNS(namespace, name)),
];

/**
 * The whole text of an element, including text around comments. Throws `malformed` if it contains elements.
 */
export function elementText(element: Element): string {
  if (childElements(element).length > 0) throw malformed(`${element.localName} is not plain text.`);
  return element.textContent ?? '';
}

export const readAttribute = (element: Element, name: string): string | null =>
  element.hasAttribute(name) ? element.getAttribute(name) : null;

export const findSignature = (element: Element): Element | null => child(element, DSIG, 'Signature');

/**
 * The text of an element that its own signature covers, in canonical form: all that may be read of it.
 * Certificates that the message brings along are ignored, as are the dates of `certificates`, of which any
 * may have signed. Throws `unsigned`, `signature_invalid` or `algorithm_refused`.
 */
export function signedText({ text }: XmlDocument, element: Element, certificates: string[]): string {
  const signature = findSignature(element);
  if (!signature) throw new SsoRefusal('unsigned', `The ${element.localName} is not signed.`);
  checkForm(signature, readAttribute(element, 'ID'));
  try {
    const signed = new SignedXml();
    signed.loadSignature(signature);
    verifyWithAny(signed, certificates.map(certificatePem));
    const [covered, ...others] = signed.checkSignature(text) ? signed.getSignedReferences() : [];
    if (covered !== undefined && others.length === 0) return covered;
  } catch (error) {
    if (error instanceof SsoRefusal) throw error;
  }
  throw badSignature(`No certificate of the provider matches the signature of this ${element.localName}.`);
}

/**
 * Verifies a signature with any of the certificates. The library accepts one certificate at a time, and would
 * parse and digest everything again for each.
 */
function verifyWithAny(signed: SignedXml, [first, ...others]: string[]): void {
  const name = signed.signatureAlgorithm!;
  const library = new signed.SignatureAlgorithms[name]!();
  const { getAlgorithmName, getSignature } = library;
  const verifySignature: SignatureAlgorithm['verifySignature'] = (
    material: string,
    key: KeyLike,
    value: string,
  ) => [key, ...others].some((each) => library.verifySignature(material, each, value));
  signed.publicCert = first!;
  signed.SignatureAlgorithms = {
    [name]: class {
      getAlgorithmName = getAlgorithmName;
      getSignature = getSignature;
      verifySignature = verifySignature;
    },
  } as typeof signed.SignatureAlgorithms;
}

const badSignature = (detail: string): SsoRefusal => new SsoRefusal('signature_invalid', detail);

/**
 * Refuses a signature that is not one reference to the element with `id`, in the plainest form,
 * with accepted algorithms.
 */
function checkForm(signature: Element, id: string | null): void {
  if (signature.getElementsByTagName('*').length > MAX_SIGNATURE_ELEMENTS)
    throw badSignature('It has too many elements.');
  const [signedInfo] = childrenInOrder(signature, ['SignedInfo', 'SignatureValue'], 'KeyInfo');
  const [canonicalization, method, reference] = childrenInOrder(signedInfo!, [
    'CanonicalizationMethod',
    'SignatureMethod',
    'Reference',
  ]);
  const [transforms, digest, digestValue] = childrenInOrder(reference!, [
    'Transforms',
    'DigestMethod',
    'DigestValue',
  ]);
  accept('signed', method!, SIGNATURES);
  accept('digested', digest!, DIGESTS);
  accept('canonicalized', canonicalization!, [EXCLUSIVE_C14N]);
  const [enveloped, exclusive] = childrenInOrder(transforms!, ['Transform', 'Transform']);
  accept('transformed', enveloped!, [ENVELOPED]);
  accept('transformed', exclusive!, [EXCLUSIVE_C14N]);
  childrenInOrder(digestValue!, []);
  if (!id || readAttribute(reference!, 'URI') !== `#${id}`)
    throw badSignature('It does not refer to the element that contains it.');
}

/**
 * The children of an element of a signature, which are those `names` in this order, and may end with `last`.
 */
function childrenInOrder(element: Element, names: string[], last?: string): Element[] {
  const parts = childElements(element);
  const expected = last && parts.length > names.length ? [...names, last] : names;
  const isPlain =
    parts.length === expected.length && parts.every((part, index) => isElement(part, DSIG, expected[index]!));
  if (!isPlain) throw badSignature(`${element.localName} must contain only ${names.join(', ') || 'text'}.`);
  return parts;
}

function accept(done: string, method: Element, algorithms: string[]): void {
  const algorithm = readAttribute(method, 'Algorithm');
  if (!algorithms.includes(algorithm ?? ''))
    throw new SsoRefusal(
      'algorithm_refused',
      `It is ${done} with ${shown(algorithm)}. Accepted: ${algorithms.join(', ')}`,
    );
}

/**
 * Decrypts an EncryptedAssertion with the PEM `key` (RSA-OAEP and AES-GCM). The content is not trusted yet,
 * because anyone can encrypt. Throws `algorithm_refused` or `malformed`.
 */
export function decrypted(encrypted: Element, key: string): string {
  const data = onlyChild(encrypted, XMLENC, 'EncryptedData');
  const cipher = onlyChild(data, XMLENC, 'EncryptionMethod');
  accept('encrypted', cipher, Object.keys(CONTENT_CIPHERS));
  const bits = CONTENT_CIPHERS[readAttribute(cipher, 'Algorithm')!]!;
  const keys = everywhere(encrypted, XMLENC, 'EncryptedKey');
  if (keys.length !== 1) throw malformed(`The assertion has ${keys.length} encrypted keys, not one.`);
  const oaepHash = readOaepHash(onlyChild(keys[0]!, XMLENC, 'EncryptionMethod'));
  const bytes = cipherValue(data);
  try {
    const padding = constants.RSA_PKCS1_OAEP_PADDING;
    const contentKey = privateDecrypt({ key, padding, oaepHash }, cipherValue(keys[0]!));
    const options = { authTagLength: GCM_TAG_BYTES };
    const iv = bytes.subarray(0, GCM_IV_BYTES);
    const decipher = createDecipheriv(`aes-${bits}-gcm` as 'aes-256-gcm', contentKey, iv, options);
    decipher.setAuthTag(bytes.subarray(-GCM_TAG_BYTES));
    const content = decipher.update(bytes.subarray(GCM_IV_BYTES, -GCM_TAG_BYTES));
    return utf8(Buffer.concat([content, decipher.final()]));
  } catch (error) {
    if (error instanceof SsoRefusal) throw error;
    throw malformed('The assertion is not encrypted for the certificate in our metadata.');
  }
}

const cipherValue = (element: Element): Buffer => {
  const data = onlyChild(element, XMLENC, 'CipherData');
  return Buffer.from(elementText(onlyChild(data, XMLENC, 'CipherValue')), 'base64');
};

/** Names of Node for digests of RSA-OAEP. SHA-1 is fine here: nothing depends on its collisions. */
const OAEP_HASHES: Record<string, string> = {
  [`${DSIG}sha1`]: 'sha1',
  [SHA256]: 'sha256',
  'http://www.w3.org/2001/04/xmldsig-more#sha384': 'sha384',
  [`${XMLENC}sha512`]: 'sha512',
};

/** The digest of RSA-OAEP, which must also be that of its mask: Node supports no others. */
function readOaepHash(method: Element): string {
  accept('encrypted', method, [RSA_OAEP, RSA_OAEP_11]);
  const digest = child(method, DSIG, 'DigestMethod');
  const mask = child(method, XMLENC11, 'MGF');
  const digestHash = digest ? OAEP_HASHES[readAttribute(digest, 'Algorithm') ?? ''] : 'sha1';
  const maskHash = mask ? readAttribute(mask, 'Algorithm')?.replace(`${XMLENC11}mgf1`, '') : 'sha1';
  if (!digestHash || digestHash !== maskHash)
    throw new SsoRefusal(
      'algorithm_refused',
      `Its key is encrypted by RSA-OAEP with the digest ${shown(digestHash ?? null)} and the mask ` +
        `${shown(maskHash ?? null)}, which must be the same.`,
    );
  return digestHash;
}

/** Throws `malformed` if the bytes are not UTF-8. */
export function utf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw malformed('The XML is not encoded in UTF-8.');
  }
}

/** A certificate of metadata or of a form: PEM, or its base64. Throws `malformed`. */
export function parseCertificate(text: string): X509Certificate {
  try {
    const base64 = text.replace(/-----(?:BEGIN|END) CERTIFICATE-----/g, '').replace(/\s+/g, '');
    return new X509Certificate(Buffer.from(base64, 'base64'));
  } catch {
    throw malformed('A certificate cannot be read.');
  }
}

export const certificatePem = (certificate: string): string => parseCertificate(certificate).toString();

export const certificateBase64 = (certificate: string): string =>
  parseCertificate(certificate).raw.toString('base64');

export const escaped = (text: string): string =>
  text.replace(/[&<>"'\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);
