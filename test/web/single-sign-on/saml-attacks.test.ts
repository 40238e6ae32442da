import test from 'ava';
import { newServiceKey, verifySamlResponse } from '../../../web/sign-in/single-sign-on/saml.js';
import { SsoRefusal } from '../../../web/sign-in/single-sign-on/identity.js';
import { slowness } from '../../support/longest-block.js';
import {
  AES_128_GCM,
  answer,
  ASSERTION_PATTERN,
  ENVELOPED,
  EXCLUSIVE,
  minutesFromNow,
  NOW,
  otherKey,
  provider,
  providerKey,
  refusal,
  REQUEST_ID,
  RSA_OAEP,
  signedOtherwise,
  unsignedAnswer,
  us,
  verified,
  withEncrypted,
} from './saml-provider.js';
import { EVE, wrapped } from './saml-wrapping.js';

const ADA = 'ada@house.example';
const ACCEPTED = `accepted as ${ADA}`;
const OTHER = 'https://other.example/sso/ws_2';

/**
 * A response that was changed before it was signed, by a wrongly configured provider or for another service.
 */
const edited = async (...replacements: [string | RegExp, string][]): Promise<string> =>
  answer({ edit: (xml) => replacements.reduce((text, [from, to]) => text.replace(from, to), xml) });

test('unsigned content is refused, and so is content that was changed after signing', async (t) => {
  t.is(await refusal(await unsignedAnswer()), 'unsigned');
  const response = await answer();
  t.is(await refusal(response), ACCEPTED);
  t.is(await refusal(response.replace(ADA, EVE)), 'signature_invalid');
  t.is(await refusal(response.replace(/(<ds:SignatureValue>)..../, '$1AAAA')), 'signature_invalid');
});

test('a signed response around an unsigned assertion is refused, even if it is encrypted', async (t) => {
  const options = { signAssertion: false, signResponse: true };
  t.is(await refusal(await answer(options)), 'unsigned');
  t.is(await refusal(await answer({ ...options, encrypt: [AES_128_GCM, RSA_OAEP] })), 'unsigned');
});

test('a response with an invalid signature is refused, although its assertion is signed', async (t) => {
  const response = await answer({ signResponse: true });
  t.is(await refusal(response), ACCEPTED);
  t.is(await refusal(response.replace('Version="2.0"', 'Version="2.0" Consent="a"')), 'signature_invalid');
});

for (let way = 1; way <= 8; way++)
  test(`a signed element that is wrapped by another is refused, way ${way}`, async (t) => {
    const response = await answer({ signResponse: way <= 2 });
    const attack = wrapped(response, way);
    t.true(attack.includes(EVE));
    t.is(await refusal(attack), way <= 2 ? 'signature_invalid' : 'malformed');
  });

test('a response with two assertions is refused', async (t) => {
  const response = await answer();
  const second = ASSERTION_PATTERN.exec(response)![0].replaceAll('_assertion1', '_assertion2');
  t.is(await refusal(response.replace('</samlp:Response>', `${second}</samlp:Response>`)), 'malformed');
});

test('an id shared by two elements is refused', async (t) => {
  const response = await answer();
  for (const name of ['ID', 'Id', 'id', 'xml:id'])
    t.is(
      await refusal(response.replace('<samlp:Status>', `<samlp:Status ${name}="_assertion1">`)),
      'malformed',
      name,
    );
});

test('a name that contains a comment is read whole', async (t) => {
  const long = `${ADA}.evil.example`;
  const response = await edited([ADA, long], ['a1b2', 'a1b2c3']);
  const attack = response.replace(ADA, `${ADA}<!---->`).replace('a1b2', 'a1b2<!-- -->');
  const identity = await verified(attack);
  t.is(identity.email, long);
  t.true(identity.subject.endsWith('|a1b2c3'));
  const section = response.replace(ADA, `<![CDATA[${ADA}]]>`);
  t.is((await verified(section)).email, long);
  t.is(await refusal(response.replace(ADA, `${ADA}<?a?>`)), 'malformed');
  t.is(await refusal(await edited(['a1b2', 'a1b2<a>c</a>'])), 'malformed');
});

test('a response for another service is refused', async (t) => {
  const { entity_id, acs_url } = await us();
  const audience = `<saml:Audience>${entity_id}</saml:Audience>`;
  const restriction = `<saml:AudienceRestriction>${audience}</saml:AudienceRestriction>`;
  const another = `<saml:Audience>${OTHER}</saml:Audience>`;
  const other = `<saml:AudienceRestriction>${another}</saml:AudienceRestriction>`;
  t.is(await refusal(await edited([audience, another])), 'wrong_audience');
  t.is(await refusal(await edited([restriction, ''])), 'wrong_audience');
  t.is(await refusal(await edited([restriction, restriction + other])), 'wrong_audience');
  t.is(
    await refusal(await edited([audience, `<saml:Audience>${OTHER}</saml:Audience>${audience}`])),
    ACCEPTED,
  );
  t.is(await refusal(await edited([`Recipient="${acs_url}"`, `Recipient="${OTHER}"`])), 'wrong_recipient');
  t.is(await refusal(await edited([`Recipient="${acs_url}"`, ''])), 'wrong_recipient');
  t.is(
    await refusal(await edited([`Destination="${acs_url}"`, `Destination="${OTHER}"`])),
    'wrong_recipient',
  );
  t.is(await refusal(await edited([`Destination="${acs_url}"`, ''])), ACCEPTED);
});

test('a response from another provider is refused, whoever signed it', async (t) => {
  const issuer = /<saml:Issuer>[^<]+<\/saml:Issuer>/;
  const other = '<saml:Issuer>https://other.example</saml:Issuer>';
  t.is(await refusal(await edited([issuer, other])), 'wrong_issuer');
  t.is(
    await refusal(await edited([/(<saml:Assertion .*?)<saml:Issuer>[^<]+<\/saml:Issuer>/s, `$1${other}`])),
    'wrong_issuer',
  );
  t.is(await refusal(await edited([issuer, ''])), ACCEPTED);
  t.is(
    await refusal(await answer({ entity_id: 'https://other.example', keys: await otherKey() })),
    'wrong_issuer',
  );
});

test("a certificate of another workspace's provider, or one that comes in the message, proves nothing", async (t) => {
  const keys = await otherKey();
  const response = await answer({ keys, signResponse: true });
  t.true(response.includes(keys.certificate.replace(/-----[^-]+-----|\s/g, '')));
  t.is(await refusal(response), 'signature_invalid');
  t.is(await refusal(await answer({ keys })), 'signature_invalid');
  t.is(await refusal(await answer({ keys, encrypt: [AES_128_GCM, RSA_OAEP] })), 'signature_invalid');
});

test('a failure is refused, even around a valid assertion', async (t) => {
  const failed =
    '<samlp:StatusCode Value="urn:oasis:names:tc:SAML:2.0:status:Responder"><samlp:StatusCode ' +
    'Value="urn:oasis:names:tc:SAML:2.0:status:AuthnFailed"/></samlp:StatusCode><samlp:StatusMessage>No ' +
    'such user</samlp:StatusMessage>';
  const response = await edited([/<samlp:StatusCode [^>]*>/, failed]);
  const error = await t.throwsAsync(verified(response), { instanceOf: SsoRefusal });
  t.is(error.reason, 'provider_error');
  t.is(error.detail, 'Responder, AuthnFailed, No such user');
  t.is(await refusal(response.replace(ASSERTION_PATTERN, '')), 'provider_error');
});

test('an expired assertion is refused from a minute after its end, and a session from its end', async (t) => {
  const response = await answer();
  t.is(await refusal(response, { minutes: 5.9 }), ACCEPTED);
  t.is(await refusal(response, { minutes: 6 }), 'expired');
  const end = `NotOnOrAfter="${minutesFromNow(5)}"`;
  const over = `NotOnOrAfter="${minutesFromNow(-1)}"`;
  t.is(await refusal(await edited([`ConfirmationData ${end}`, `ConfirmationData ${over}`])), 'expired');
  t.is(await refusal(await edited([`ConfirmationData ${end}`, 'ConfirmationData '])), 'malformed');
  t.is(
    await refusal(await edited([`${minutesFromNow(0)}" ${end}`, `${minutesFromNow(-9)}" ${over}`])),
    'expired',
  );
  t.is(await refusal(await edited([minutesFromNow(480), minutesFromNow(0)])), 'expired');
  t.is(await refusal(await edited([minutesFromNow(480), minutesFromNow(0.1)])), ACCEPTED);
  t.is(await refusal(await edited([end, 'NotOnOrAfter="tomorrow"'])), 'malformed');
});

test('an assertion that is not valid yet is refused until a minute before its start', async (t) => {
  const response = await answer();
  t.is(await refusal(response, { minutes: -1 }), ACCEPTED);
  t.is(await refusal(response, { minutes: -1.1 }), 'not_yet_valid');
  const later = minutesFromNow(2);
  t.is(
    await refusal(await edited([`NotBefore="${minutesFromNow(0)}"`, `NotBefore="${later}"`])),
    'not_yet_valid',
  );
  t.is(
    await refusal(await edited(['ConfirmationData ', `ConfirmationData NotBefore="${later}" `])),
    'not_yet_valid',
  );
  t.is(await refusal(await edited([/AuthnInstant="[^"]+"/, `AuthnInstant="${later}"`])), 'not_yet_valid');
  const issued = /(<saml:Assertion [^>]*IssueInstant=")[^"]+/;
  t.is(await refusal(await edited([issued, `$1${later}`])), 'not_yet_valid');
});

test('an answer to another request is refused, as is an unsolicited one', async (t) => {
  t.is(await refusal(await answer(), { request_id: '_request2' }), 'unsolicited');
  const answered = `InResponseTo="${REQUEST_ID}"`;
  const inSubject = `Recipient="${(await us()).acs_url}" ${answered}`;
  for (const other of ['', 'InResponseTo="_request2"']) {
    t.is(await refusal(await edited([answered, other])), 'unsolicited');
    t.is(await refusal(await edited([inSubject, inSubject.replace(answered, other)])), 'unsolicited');
  }
});

test('a subject must be confirmed for the bearer by one of the confirmations', async (t) => {
  const bearer = /<saml:SubjectConfirmation .*<\/saml:SubjectConfirmation>/;
  const [confirmation] = bearer.exec(await unsignedAnswer())!;
  const other = confirmation.replace('InResponseTo="_request1"', 'InResponseTo="_request2"');
  t.is(await refusal(await edited([bearer, other + confirmation])), ACCEPTED);
  t.is(await refusal(await edited(['cm:bearer', 'cm:holder-of-key'])), 'malformed');
  t.is(await refusal(await edited([bearer, ''])), 'malformed');
});

test('an assertion without a login, or with an unknown condition, is refused', async (t) => {
  t.is(await refusal(await edited([/<saml:AuthnStatement.*<\/saml:AuthnStatement>/, ''])), 'malformed');
  const conditions = (condition: string): [string, string] => [
    '<saml:AudienceRestriction>',
    `${condition}<saml:AudienceRestriction>`,
  ];
  t.is(await refusal(await edited(conditions('<saml:OneTimeUse/>'))), ACCEPTED);
  t.is(await refusal(await edited(conditions('<saml:Condition/>'))), 'malformed');
});

test('document types and entities are refused, also in encrypted content', async (t) => {
  const response = await answer();
  const laughs = '<!DOCTYPE a [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;">]>';
  const external = '<!DOCTYPE a [<!ENTITY c SYSTEM "file:///etc/passwd">]>';
  for (const type of [laughs, external, '<!DOCTYPE a SYSTEM "https://evil.example/a.dtd">']) {
    t.is(await refusal(type + response), 'malformed');
    t.is(await refusal(`<?xml version="1.0"?>\n${type}${response}`), 'malformed');
    t.is(await refusal(type + response.replace('<samlp:Status>', '<samlp:Status>&c;')), 'malformed');
    t.is(await refusal(await withEncrypted(type + ASSERTION_PATTERN.exec(response)![0])), 'malformed');
  }
  t.is(await refusal(await withEncrypted(ASSERTION_PATTERN.exec(response)![0])), ACCEPTED);
});

test('SHA-1 is refused, in a signature and in a digest', async (t) => {
  const { key } = await providerKey();
  const xml = await unsignedAnswer();
  const sha1 = 'http://www.w3.org/2000/09/xmldsig#sha1';
  const algorithm = 'http://www.w3.org/2000/09/xmldsig#rsa-sha1';
  t.is(await refusal(signedOtherwise(xml, { key })), ACCEPTED);
  t.is(await refusal(signedOtherwise(xml, { key, digest: sha1 })), 'algorithm_refused');
  t.is(await refusal(signedOtherwise(xml, { key, algorithm })), 'algorithm_refused');
  t.is(await refusal(await answer({ signatureAlgorithm: algorithm })), 'algorithm_refused');
  t.is(
    await refusal(await answer({ signatureAlgorithm: algorithm, signResponse: true })),
    'algorithm_refused',
  );
});

test('a signature with the public certificate as the secret is refused', async (t) => {
  const [key] = (await provider()).certificates;
  const algorithm = 'http://www.w3.org/2000/09/xmldsig#hmac-sha1';
  const forged = (await unsignedAnswer()).replace(ADA, EVE);
  t.is(await refusal(signedOtherwise(forged, { key: key!, algorithm, isHmac: true })), 'algorithm_refused');
});

test('a signature covers the one element that contains it, and changes nothing else about it', async (t) => {
  const { key } = await providerKey();
  const xml = await unsignedAnswer();
  const refused = async (options: object) => refusal(signedOtherwise(xml, { key, ...options }));
  t.is(await refused({ alsoSigned: "//*[local-name()='Status']" }), 'signature_invalid');
  t.is(await refused({ isEmptyUri: true }), 'signature_invalid');
  t.is(await refused({ transforms: [ENVELOPED, EXCLUSIVE, EXCLUSIVE] }), 'signature_invalid');
  t.is(await refused({ transforms: [EXCLUSIVE] }), 'signature_invalid');
  const comments = `${EXCLUSIVE}WithComments`;
  const inclusive = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315';
  for (const other of [comments, inclusive]) {
    t.is(await refused({ transforms: [ENVELOPED, other] }), 'algorithm_refused');
    t.is(await refused({ canonicalization: other }), 'algorithm_refused');
  }
});

test('a signature with two contents, or another digest in a comment, is refused', async (t) => {
  const response = await answer();
  const forged = await answer({ keys: await otherKey(), edit: (xml) => xml.replace(ADA, EVE) });
  const signedInfo = /<ds:SignedInfo>.*<\/ds:SignedInfo>/s;
  const [original, evil] = [response, forged].map((xml) => signedInfo.exec(xml)![0]);
  const withEve = response.replace(ADA, EVE);
  for (const both of [evil! + original!, original! + evil!])
    t.is(await refusal(withEve.replace(signedInfo, both)), 'signature_invalid');
  const digest = /(?<=<ds:DigestValue>)[^<]+/;
  const [comment] = digest.exec(evil!)!;
  t.is(await refusal(withEve.replace(digest, (real) => `<!--${comment}-->${real}`)), 'signature_invalid');
});

test('AES-CBC and RSA 1.5 are refused', async (t) => {
  const cbc = 'http://www.w3.org/2001/04/xmlenc#aes256-cbc';
  const rsa15 = 'http://www.w3.org/2001/04/xmlenc#rsa-1_5';
  t.is(await refusal(await answer({ encrypt: [cbc, RSA_OAEP] })), 'algorithm_refused');
  t.is(await refusal(await answer({ encrypt: [AES_128_GCM, rsa15] })), 'algorithm_refused');
});

test('encrypted content must be one signed assertion, unchanged and for our key', async (t) => {
  const response = await answer();
  const [assertion] = ASSERTION_PATTERN.exec(response)!;
  t.is(await refusal(await withEncrypted(ASSERTION_PATTERN.exec(await unsignedAnswer())![0])), 'unsigned');
  t.is(await refusal(await withEncrypted(response)), 'malformed');
  t.is(await refusal(await withEncrypted('Ada')), 'malformed');
  const both = (await withEncrypted(assertion)).replace('</samlp:Response>', `${assertion}</samlp:Response>`);
  t.is(await refusal(both), 'malformed');
  const encrypted = await answer({ encrypt: [AES_128_GCM, RSA_OAEP] });
  // The last value belongs to the content: its end is the tag.
  const changed = encrypted.replace(/..(=*<\/\w+:CipherValue>(?!.*CipherValue))/s, 'AA$1');
  t.not(changed, encrypted);
  t.is(await refusal(changed), 'malformed');
  const ours = { ...(await us()), key: (await newServiceKey('other')).key };
  const asked = { response: Buffer.from(encrypted).toString('base64'), request_id: REQUEST_ID, now: NOW };
  const error = await t.throwsAsync(verifySamlResponse(await provider(), ours, asked), {
    instanceOf: SsoRefusal,
  });
  t.is(error.reason, 'malformed');
});

test('a message that is not a response is refused', async (t) => {
  const response = await answer();
  const attempts = [
    '',
    'Ada',
    '<a/>',
    '<a',
    response.replaceAll('samlp:Response', 'samlp:LogoutResponse'),
    `${response}<a/>`,
  ];
  for (const xml of attempts) t.is(await refusal(xml), 'malformed', xml.slice(0, 100));
  const asked = { request_id: REQUEST_ID, now: NOW };
  for (const base64 of ['%', 'A A', Buffer.from([0x3c, 0xff]).toString('base64')]) {
    const answered = verifySamlResponse(await provider(), await us(), { ...asked, response: base64 });
    t.is((await t.throwsAsync(answered, { instanceOf: SsoRefusal })).reason, 'malformed');
  }
});

test('hostile XML of any form is refused quickly', async (t) => {
  const [response, sp, others] = [await answer(), await us(), await otherKey()];
  const placed = (xml: string): string => response.replace('<samlp:Status>', `${xml}<samlp:Status>`);
  const room = 250 * 1024 - response.length;
  const filled = (part: string): string => part.repeat(Math.floor(room / part.length));
  const names = Array.from({ length: 1_900 }, (_, index) => `a${index}`);
  const attacks = [
    placed(`<!--${' '.repeat(256 * 1024)}-->`),
    placed(filled('<a/>')),
    placed('<a>'.repeat(1_900) + '</a>'.repeat(1_900)),
    placed(
      names.map((name) => `<${name}>`).join('') +
        names
          .reverse()
          .map((name) => `</${name}>`)
          .join(''),
    ),
    placed(`<a ${names.map((name) => `${name}:b="" xmlns:${name}="c"`).join(' ')}/>`),
    placed(`<a${' '.repeat(room)}x`),
    placed(`</${' '.repeat(room)}x>`),
    placed(filled('&#65;')),
    placed(filled('&')),
    placed(`<a b="${filled('&lt;')}"/>`),
    placed(filled('<!---->').slice(0, 1_900 * 7)),
    placed(filled('<')),
    response.replace('<ds:SignatureValue>', `<ds:SignatureValue>${filled('A ')}`),
    response.replace(ADA, filled(`${ADA} `)),
    response.replace('<ds:KeyInfo>', `<ds:KeyInfo>${'<a b="c"/>'.repeat(1_900)}`),
  ];
  const certificates = Array.from({ length: 4 }, () => others.certificate);
  const hostile = { ...(await provider()), certificates };
  for (const xml of [response, ...attacks]) {
    const asked = { response: Buffer.from(xml).toString('base64'), request_id: REQUEST_ID, now: NOW };
    const began = process.cpuUsage();
    // It waits for nothing, so this is all of its computation.
    const answered = verifySamlResponse(hostile, sp, asked);
    const took = Math.round(process.cpuUsage(began).user / 1_000);
    const { reason } = await t.throwsAsync(answered, { instanceOf: SsoRefusal });
    t.true(took < 500 * slowness(), `${took} ms, ${reason}: ${xml.slice(0, 1_000)}`);
  }
});
