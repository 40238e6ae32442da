import { sign } from 'node:crypto';
import { deflateRawSync } from 'node:zlib';
import { SignedXml } from 'xml-crypto';
import { SsoRefusal, type Identity } from './identity.js';
import { readSamlIdentity } from './saml-identity.js';
import { BINDINGS, type SamlMetadata, type ServiceProvider } from './saml-metadata.js';
import {
  ASSERTION,
  readAttribute,
  child,
  children,
  decrypted,
  ENVELOPED,
  escaped,
  everywhere,
  EXCLUSIVE_C14N,
  isElement,
  malformed,
  onlyChild,
  parseXml,
  PROTOCOL,
  RSA_SHA256,
  SHA256,
  shown,
  findSignature,
  signedText,
  elementText,
  utf8,
  type XmlDocument,
} from './saml-xml.js';

export {
  certificateDates,
  newServiceKey,
  readProviderMetadata,
  serviceMetadata,
  signingCertificate,
  type SamlMetadata,
  type ServiceProvider,
} from './saml-metadata.js';

export interface SamlRequest {
  /** A new one for each request, with a letter or `_` first: the answer repeats it. */
  id: string;
  /** The provider returns it as it is. At most 80 bytes. */
  relay_state: string;
  /** Whether the provider must ask for a new sign-in even within a session. */
  force_authn: boolean;
  now: Date;
}

/** Where a browser goes to sign in: it follows `url`, or posts `fields` there. */
export type SamlRedirect = { url: string; fields?: { SAMLRequest: string; RelayState: string } };

/** A sign-in request. It requests no NameID format, so the provider's settings decide. */
export function samlRequest(
  provider: SamlMetadata,
  sp: ServiceProvider,
  { id, relay_state, force_authn, now }: SamlRequest,
): SamlRedirect {
  const attributes = {
    'xmlns:samlp': PROTOCOL,
    'xmlns:saml': ASSERTION,
    ID: id,
    Version: '2.0',
    IssueInstant: now.toISOString(),
    Destination: provider.sso_url,
    ProtocolBinding: BINDINGS.post,
    AssertionConsumerServiceURL: sp.acs_url,
    ...(force_authn && { ForceAuthn: 'true' }),
  };
  const named = Object.entries(attributes).map(([name, value]) => `${name}="${escaped(value)}"`);
  const issuer = `<saml:Issuer>${escaped(sp.entity_id)}</saml:Issuer>`;
  const xml =
    `<samlp:AuthnRequest ${named.join(' ')}>${issuer}<samlp:NameIDPolicy AllowCreate="true"/>` +
    '</samlp:AuthnRequest>';
  if (provider.binding === 'redirect') return { url: redirectUrl(provider, sp, xml, relay_state) };
  const message = provider.sign_requests ? signedRequest(sp, xml) : xml;
  const fields = { SAMLRequest: Buffer.from(message).toString('base64'), RelayState: relay_state };
  return { url: provider.sso_url, fields };
}

/** The signature is of the parameters as they are in the address. */
function redirectUrl(
  { sso_url, sign_requests }: SamlMetadata,
  { key }: ServiceProvider,
  xml: string,
  relayState: string,
): string {
  const query = (fields: Record<string, string>): string =>
    Object.entries(fields)
      .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
      .join('&');
  const message = { SAMLRequest: deflateRawSync(xml).toString('base64'), RelayState: relayState };
  let parameters = query(message);
  if (sign_requests) {
    parameters = query({ ...message, SigAlg: RSA_SHA256 });
    const signature = sign('sha256', Buffer.from(parameters), key).toString('base64');
    parameters += `&${query({ Signature: signature })}`;
  }
  return `${sso_url}${sso_url.includes('?') ? '&' : '?'}${parameters}`;
}

function signedRequest({ key, certificate }: ServiceProvider, xml: string): string {
  const signed = new SignedXml({
    privateKey: key,
    publicCert: certificate,
    signatureAlgorithm: RSA_SHA256,
    canonicalizationAlgorithm: EXCLUSIVE_C14N,
  });
  signed.addReference({ xpath: '/*', transforms: [ENVELOPED, EXCLUSIVE_C14N], digestAlgorithm: SHA256 });
  const location = { reference: "/*/*[local-name()='Issuer']", action: 'after' } as const;
  signed.computeSignature(xml, { prefix: 'ds', location });
  return signed.getSignedXml();
}

export interface SamlAnswer {
  /** The posted `SAMLResponse`, in base64. */
  response: string;
  /** The id of the request that this browser has open. */
  request_id: string;
  now: Date;
}

/**
 * The content of an assertion. It must be accepted only once: the caller stores `assertion_id` until
 * `valid_until`.
 */
export type AssertedIdentity = Identity & {
  assertion_id: string;
  /** From when on it is refused by its own time. */
  valid_until: Date;
};

/**
 * The identity in a response (docs/rules/single-sign-on.md#the-login). Only signed content of the assertion
 * itself is read, even if it was encrypted. A signature of the response is verified too but is not
 * sufficient. Throws an SsoRefusal.
 */
export async function verifySamlResponse(
  provider: SamlMetadata,
  sp: ServiceProvider,
  { response, request_id, now }: SamlAnswer,
): Promise<AssertedIdentity> {
  const message = parseXml(decodedMessage(response));
  checkResponse(message.root, provider, sp, request_id);
  if (findSignature(message.root)) signedText(message, message.root, provider.certificates);
  const { document, assertion } = assertionIn(message, sp);
  const read = parseXml(signedText(document, assertion, provider.certificates)).root;
  return readSamlIdentity(read, { provider, sp, request_id, now });
}

const MAX_BASE64 = 384 * 1024;

function decodedMessage(base64: string): string {
  if (base64.length > MAX_BASE64) throw malformed('The response is larger than 256 kB.');
  const text = base64.replace(/\s+/g, '');
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) throw malformed('The response is not base64.');
  return utf8(Buffer.from(text, 'base64'));
}

/** Rejects failures, responses to other requests and responses for other recipients. */
function checkResponse(
  response: Element,
  provider: SamlMetadata,
  sp: ServiceProvider,
  request_id: string,
): void {
  if (!isElement(response, PROTOCOL, 'Response'))
    throw malformed(`This is a ${response.localName}, not a Response.`);
  checkStatus(onlyChild(response, PROTOCOL, 'Status'));
  const answered = readAttribute(response, 'InResponseTo');
  if (answered !== request_id)
    throw new SsoRefusal('unsolicited', `It responds to ${shown(answered)}, not ${request_id}.`);
  const destination = readAttribute(response, 'Destination');
  if (destination !== null && destination !== sp.acs_url)
    throw new SsoRefusal('wrong_recipient', `The Destination is ${shown(destination)}, not ${sp.acs_url}.`);
  const issuer = child(response, ASSERTION, 'Issuer');
  if (issuer && elementText(issuer) !== provider.entity_id)
    throw new SsoRefusal(
      'wrong_issuer',
      `The response was issued by ${shown(elementText(issuer))}, not ${provider.entity_id}.`,
    );
}

function checkStatus(status: Element): void {
  const code = onlyChild(status, PROTOCOL, 'StatusCode');
  if (readAttribute(code, 'Value') === 'urn:oasis:names:tc:SAML:2.0:status:Success') return;
  const message = child(status, PROTOCOL, 'StatusMessage');
  const codes = [code, ...children(code, PROTOCOL, 'StatusCode')].map((each) => readAttribute(each, 'Value'));
  const said = [...codes.map((each) => each?.replace(/^.*:status:/, '')), message && elementText(message)];
  throw new SsoRefusal('provider_error', shown(said.filter(Boolean).join(', ')));
}

/** The one assertion of a response, and the document that it is in: the response, or what was encrypted. */
function assertionIn(
  message: XmlDocument,
  sp: ServiceProvider,
): { document: XmlDocument; assertion: Element } {
  const plain = everywhere(message.root, ASSERTION, 'Assertion');
  const encrypted = everywhere(message.root, ASSERTION, 'EncryptedAssertion');
  const [only, ...others] = [...plain, ...encrypted];
  if (!only || others.length > 0 || only.parentNode !== message.root)
    throw malformed(`The response has ${plain.length + encrypted.length} assertions instead of one.`);
  if (only === plain[0]) return { document: message, assertion: only };
  const document = parseXml(decrypted(only, sp.key));
  const [assertion, ...nested] = everywhere(document.root, ASSERTION, 'Assertion');
  if (assertion !== document.root || nested.length > 0)
    throw malformed('The encrypted element is not a single assertion.');
  return { document, assertion };
}
