// Identity providers for tests. They use samlify, which reads our metadata and requests, and signs and
// encrypts its responses.
import {
  constants,
  createCipheriv,
  generateKeyPairSync,
  publicEncrypt,
  randomBytes,
  X509Certificate,
} from 'node:crypto';
import { SignedXml } from 'xml-crypto';
import samlify from 'samlify';
import {
  newServiceKey,
  readProviderMetadata,
  serviceMetadata,
  verifySamlResponse,
  type SamlMetadata,
  type ServiceProvider,
} from '../../../web/sign-in/single-sign-on/saml.js';
import { SsoRefusal } from '../../../web/sign-in/single-sign-on/identity.js';
import { once } from '../../support/once.js';

samlify.setSchemaValidator({ validate: async () => 'not validated' });

export const NOW = new Date('2027-03-01T09:00:00.000Z');
export const REQUEST_ID = '_request1';
export const ENTITY_ID = 'https://login.example/saml';
const MINUTE_MS = 60_000;

export const minutesFromNow = (minutes: number): string =>
  new Date(NOW.getTime() + minutes * MINUTE_MS).toISOString();

export const EXCLUSIVE = 'http://www.w3.org/2001/10/xml-exc-c14n#';
export const ENVELOPED = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature';
export const RSA_SHA256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256';
export const SHA256 = 'http://www.w3.org/2001/04/xmlenc#sha256';
export const AES_128_GCM = 'http://www.w3.org/2009/xmlenc11#aes128-gcm';
export const RSA_OAEP = 'http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p';

export interface KeyPair {
  key: string;
  certificate: string;
}

/** Keys take a moment each, so the tests of a file share them. */
export const providerKey = once(() => newServiceKey('login.example'));
export const otherKey = once(() => newServiceKey('login.example'));
/** Its certificate was valid only in 2020. */
export const expiredKey = once(async (): Promise<KeyPair> => {
  await import('reflect-metadata');
  const x509 = await import('@peculiar/x509');
  const signingAlgorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const der = {
    key: privateKey.export({ type: 'pkcs8', format: 'der' }),
    public: publicKey.export({ type: 'spki', format: 'der' }),
  };
  const keys = {
    privateKey: await crypto.subtle.importKey('pkcs8', der.key, signingAlgorithm, true, ['sign']),
    publicKey: await crypto.subtle.importKey('spki', der.public, signingAlgorithm, true, ['verify']),
  };
  const [notBefore, notAfter] = [new Date('2020-01-01'), new Date('2020-12-31')];
  const name = 'CN=login.example';
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name,
    notBefore,
    notAfter,
    signingAlgorithm,
    keys,
  });
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    certificate: certificate.toString('pem'),
  };
});
const ourKey = once(() => newServiceKey('holdfast.example'));

export const us = once(async (): Promise<ServiceProvider> => {
  const address = 'https://holdfast.example/sso/ws_1';
  return { entity_id: `${address}/metadata`, acs_url: `${address}/acs`, ...(await ourKey()) };
});

export interface ProviderOptions {
  keys?: KeyPair;
  entity_id?: string;
  sign_requests?: boolean;
}

/** An identity provider, and its metadata. */
export async function identityProvider(options: ProviderOptions = {}, more: Record<string, unknown> = {}) {
  const { key, certificate } = options.keys ?? (await providerKey());
  const idp = samlify.IdentityProvider({
    entityID: options.entity_id ?? ENTITY_ID,
    privateKey: key,
    signingCert: certificate,
    wantAuthnRequestsSigned: options.sign_requests ?? false,
    nameIDFormat: ['urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'],
    requestSignatureAlgorithm: RSA_SHA256,
    // It warns if there is none.
    singleLogoutService: [
      { Binding: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST', Location: 'https://login.example/logout' },
    ],
    singleSignOnService: [
      {
        Binding: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect',
        Location: 'https://login.example/sso?tenant=1',
      },
      { Binding: 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST', Location: 'https://login.example/sso' },
    ],
    ...more,
  });
  return { idp, metadata: idp.getMetadata() };
}

/** The provider as in our settings. */
export const provider = once(async (): Promise<SamlMetadata> =>
  readProviderMetadata((await identityProvider()).metadata),
);

/** The service as samlify reads its metadata. */
export const ourMetadata = async (more: Record<string, unknown> = {}) =>
  samlify.ServiceProvider({ metadata: serviceMetadata(await us()), ...more });

const attribute = (name: string, value: string): string =>
  `<saml:Attribute Name="${name}"><saml:AttributeValue>${value}</saml:AttributeValue></saml:Attribute>`;

export interface AnswerOptions extends ProviderOptions {
  /** Changes the response before anything in it is signed or encrypted. */
  edit?: (xml: string) => string;
  /** Whether the response is signed around the assertion. */
  signResponse?: boolean;
  signAssertion?: boolean;
  signatureAlgorithm?: string;
  /** Algorithms of the content and of its key. */
  encrypt?: [string, string];
}

/** A provider's response to our request, as XML. */
export async function answer(options: AnswerOptions = {}): Promise<string> {
  const { edit = (xml) => xml, signResponse = false, signAssertion = true, encrypt } = options;
  const { idp } = await identityProvider(options, {
    requestSignatureAlgorithm: options.signatureAlgorithm ?? RSA_SHA256,
    isAssertionEncrypted: encrypt !== undefined,
    ...(encrypt && { dataEncryptionAlgorithm: encrypt[0], keyEncryptionAlgorithm: encrypt[1] }),
  });
  const sp = samlify.ServiceProvider({
    metadata: serviceMetadata(await us()).replace(
      'WantAssertionsSigned="true"',
      `WantAssertionsSigned="${signAssertion}"`,
    ),
    wantMessageSigned: signResponse,
  });
  const context = edit(await unsignedAnswer(options.entity_id));
  const response = await idp.createLoginResponse(
    sp,
    { extract: {} },
    'post',
    {},
    { encryptThenSign: true, customTagReplacement: () => ({ id: '_response1', context }) },
  );
  return Buffer.from(response.context, 'base64').toString();
}

/** The response from samlify's template, before it is signed. */
export async function unsignedAnswer(entity_id = ENTITY_ID): Promise<string> {
  const { entity_id: audience, acs_url } = await us();
  const statement =
    `<saml:AuthnStatement AuthnInstant="${minutesFromNow(-1)}" SessionIndex="_session1" ` +
    `SessionNotOnOrAfter="${minutesFromNow(480)}"><saml:AuthnContext>` +
    '<saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef>' +
    '</saml:AuthnContext></saml:AuthnStatement>';
  const attributes = [attribute('email', 'ada@house.example'), attribute('displayName', 'Ada Lovelace')];
  return samlify.SamlLib.replaceTagsByValue(
    samlify.SamlLib.defaultLoginResponseTemplate.context
      .replace('{AuthnStatement}', statement)
      .replace(
        '{AttributeStatement}',
        `<saml:AttributeStatement>${attributes.join('')}</saml:AttributeStatement>`,
      ),
    {
      ID: '_response1',
      AssertionID: '_assertion1',
      Issuer: entity_id,
      IssueInstant: minutesFromNow(0),
      Destination: acs_url,
      SubjectRecipient: acs_url,
      InResponseTo: REQUEST_ID,
      StatusCode: 'urn:oasis:names:tc:SAML:2.0:status:Success',
      NameIDFormat: 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent',
      NameID: 'a1b2',
      Audience: audience,
      ConditionsNotBefore: minutesFromNow(0),
      ConditionsNotOnOrAfter: minutesFromNow(5),
      SubjectConfirmationDataNotOnOrAfter: minutesFromNow(5),
    },
  );
}

export interface SignOptions {
  key: string;
  algorithm?: string;
  digest?: string;
  transforms?: string[];
  canonicalization?: string;
  /** Another signed element in addition to the assertion. */
  alsoSigned?: string;
  /** Whether the reference is to the whole document. */
  isEmptyUri?: boolean;
  isHmac?: boolean;
}

/** Signs the assertion of a response in ways that samlify does not. */
export function signedOtherwise(xml: string, options: SignOptions): string {
  const signed = new SignedXml({
    privateKey: options.key,
    signatureAlgorithm: options.algorithm ?? (RSA_SHA256 as never),
    canonicalizationAlgorithm: (options.canonicalization ?? EXCLUSIVE) as never,
  });
  if (options.isHmac) signed.enableHMAC();
  const assertion = "//*[local-name()='Assertion']";
  for (const xpath of [assertion, ...(options.alsoSigned ? [options.alsoSigned] : [])])
    signed.addReference({
      xpath: options.isEmptyUri ? '/*' : xpath,
      isEmptyUri: options.isEmptyUri ?? false,
      transforms: (options.transforms ?? [ENVELOPED, EXCLUSIVE]) as never,
      digestAlgorithm: (options.digest ?? SHA256) as never,
    });
  const location = { reference: `${assertion}/*[local-name()='Issuer']`, action: 'after' } as const;
  signed.computeSignature(xml, { prefix: 'ds', location });
  return signed.getSignedXml();
}

/** A response with something in place of the assertion, encrypted as anybody can. */
export async function withEncrypted(content: string, response?: string): Promise<string> {
  const [contentKey, iv] = [randomBytes(16), randomBytes(12)];
  const cipher = createCipheriv('aes-128-gcm', contentKey, iv);
  const bytes = Buffer.concat([iv, cipher.update(content), cipher.final(), cipher.getAuthTag()]);
  const key = new X509Certificate((await us()).certificate).publicKey;
  const encryptedKey = publicEncrypt(
    { key, padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha1' },
    contentKey,
  );
  const value = (data: Buffer): string =>
    `<xenc:CipherData><xenc:CipherValue>${data.toString('base64')}</xenc:CipherValue></xenc:CipherData>`;
  const encrypted =
    '<saml:EncryptedAssertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"><xenc:EncryptedData ' +
    `xmlns:xenc="http://www.w3.org/2001/04/xmlenc#"><xenc:EncryptionMethod Algorithm="${AES_128_GCM}"/>` +
    '<ds:KeyInfo xmlns:ds="http://www.w3.org/2000/09/xmldsig#"><xenc:EncryptedKey><xenc:EncryptionMethod ' +
    `Algorithm="${RSA_OAEP}"/>${value(encryptedKey)}</xenc:EncryptedKey>` +
    `</ds:KeyInfo>${value(bytes)}</xenc:EncryptedData></saml:EncryptedAssertion>`;
  return (response ?? (await unsignedAnswer())).replace(ASSERTION_PATTERN, () => encrypted);
}

/** The assertion in a response. */
export const ASSERTION_PATTERN = /<saml:Assertion .*<\/saml:Assertion>/s;

export interface VerifyOptions {
  provider?: Partial<SamlMetadata>;
  request_id?: string;
  /** Minutes since the response was made. */
  minutes?: number;
}

/** What our service reads in a response. */
export async function verified(xml: string, options: VerifyOptions = {}) {
  return verifySamlResponse({ ...(await provider()), ...options.provider }, await us(), {
    response: Buffer.from(xml).toString('base64'),
    request_id: options.request_id ?? REQUEST_ID,
    now: new Date(NOW.getTime() + (options.minutes ?? 0) * MINUTE_MS),
  });
}

/** Why our service refuses a response. */
export async function refusal(xml: string, options?: VerifyOptions): Promise<string> {
  try {
    return `accepted as ${(await verified(xml, options)).email}`;
  } catch (error) {
    if (error instanceof SsoRefusal) return error.reason;
    throw error;
  }
}
