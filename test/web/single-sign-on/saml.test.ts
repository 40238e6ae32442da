import { readFileSync } from 'node:fs';
import { inflateRawSync } from 'node:zlib';
import test from 'ava';
import {
  certificateDates,
  newServiceKey,
  readProviderMetadata,
  samlRequest,
  serviceMetadata,
  verifySamlResponse,
} from '../../../web/sign-in/single-sign-on/saml.js';
import { SsoRefusal } from '../../../web/sign-in/single-sign-on/identity.js';
import {
  AES_128_GCM,
  answer,
  ENTITY_ID,
  expiredKey,
  identityProvider,
  minutesFromNow,
  NOW,
  otherKey,
  ourMetadata,
  provider,
  providerKey,
  refusal,
  REQUEST_ID,
  RSA_OAEP,
  us,
  verified,
} from './saml-provider.js';

const PERSISTENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent';
const EMAIL_FORMAT = 'urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress';
const REQUEST = { id: REQUEST_ID, relay_state: 'state-1', force_authn: false, now: NOW };

test('a signed assertion says who signed in, and until when it must not be accepted again', async (t) => {
  const { claims, ...identity } = await verified(await answer());
  t.deepEqual(identity, {
    subject: `${PERSISTENT}|a1b2`,
    email: 'ada@house.example',
    name: 'Ada Lovelace',
    authenticated_at: new Date(minutesFromNow(-1)),
    ends_at: new Date(minutesFromNow(480)),
    assertion_id: '_assertion1',
    // Five minutes, and a minute of clock skew.
    valid_until: new Date(minutesFromNow(6)),
  });
  t.is(claims.email, 'ada@house.example');
  t.is(claims.NameID, 'a1b2');
});

test('the response may be signed too, and the assertion may be encrypted', async (t) => {
  for (const encrypt of [undefined, [AES_128_GCM, RSA_OAEP] as [string, string]])
    for (const signResponse of [false, true])
      t.is((await verified(await answer({ encrypt, signResponse }))).email, 'ada@house.example');
});

test('a provider reads our metadata and both kinds of requests, signed and unsigned', async (t) => {
  const sp = await us();
  for (const binding of ['redirect', 'post'] as const)
    for (const sign_requests of [false, true]) {
      const { idp, metadata } = await identityProvider({ sign_requests });
      const read = { ...readProviderMetadata(metadata), binding };
      const sso_url = binding === 'post' ? 'https://login.example/sso' : read.sso_url;
      const { url, fields } = samlRequest({ ...read, sso_url }, sp, REQUEST);
      const query = Object.fromEntries(new URL(url).searchParams);
      const octetString = new URL(url).search.replace(/^\?tenant=1&/, '').replace(/&Signature=.*/, '');
      const asked = await idp.parseLoginRequest(
        await ourMetadata(),
        binding,
        binding === 'post' ? { body: fields } : { query, octetString },
      );
      t.is((fields ?? query).RelayState, 'state-1');
      t.is(query.Signature !== undefined, binding === 'redirect' && sign_requests);
      t.like(asked.extract.request, {
        id: REQUEST_ID,
        destination: sso_url,
        assertionConsumerServiceUrl: sp.acs_url,
      });
      t.is(asked.extract.issuer, sp.entity_id);
    }
});

test('a provider refuses a request that somebody else has signed', async (t) => {
  const { idp, metadata } = await identityProvider({ sign_requests: true });
  const { key } = await otherKey();
  const read = { ...readProviderMetadata(metadata), binding: 'post' as const };
  const { fields } = samlRequest(read, { ...(await us()), key }, REQUEST);
  await t.throwsAsync(idp.parseLoginRequest(await ourMetadata(), 'post', { body: fields }));
});

test('a request asks for a new proof only when told to', async (t) => {
  for (const force_authn of [false, true]) {
    const { url } = samlRequest(await provider(), await us(), { ...REQUEST, force_authn });
    const message = Buffer.from(new URL(url).searchParams.get('SAMLRequest')!, 'base64');
    t.is(inflateRawSync(message).toString().includes('ForceAuthn="true"'), force_authn);
  }
});

test('addresses in requests and metadata are escaped', async (t) => {
  const sp = { ...(await us()), acs_url: 'https://holdfast.example/a?b="<c>&d' };
  const { url } = samlRequest(await provider(), sp, REQUEST);
  const message = inflateRawSync(Buffer.from(new URL(url).searchParams.get('SAMLRequest')!, 'base64'));
  for (const xml of [message.toString(), serviceMetadata(sp)])
    t.true(xml.includes('"https://holdfast.example/a?b=&#34;&#60;c&#62;&#38;d"'));
});

test('metadata has the address, the binding and every signing certificate', async (t) => {
  const { metadata } = await identityProvider();
  const [first, second] = [await providerKey(), await otherKey()].map((each) => each.certificate);
  const entity = (await provider()).certificates;
  t.deepEqual(entity, [first!.trim() + '\n']);
  const key = /<KeyDescriptor use="signing">.*?<\/KeyDescriptor>/s.exec(metadata)![0];
  const bare = second!.replace(/-----[^-]+-----|\s/g, '');
  for (const use of ['use="signing"', 'use=""', '']) {
    const added = key
      .replace(/(X509Certificate>)[^<]+/, `$1\n  ${bare.slice(0, 64)}\n${bare.slice(64)}\n`)
      .replace('use="signing"', use);
    const read = readProviderMetadata(metadata.replace(key, key + added + key));
    t.deepEqual(read.certificates, [first!.trim() + '\n', second!.trim() + '\n']);
    t.like(read, {
      entity_id: ENTITY_ID,
      sso_url: 'https://login.example/sso?tenant=1',
      binding: 'redirect',
    });
  }
  const encryption = key.replace(/(X509Certificate>)[^<]+/, `$1${bare}`).replace('signing', 'encryption');
  t.is(readProviderMetadata(metadata.replace(key, key + encryption)).certificates.length, 1);
});

test('with metadata without a redirect binding, requests are posted', async (t) => {
  const { metadata } = await identityProvider();
  const posted = metadata.replace('HTTP-Redirect', 'HTTP-Artifact');
  t.like(readProviderMetadata(posted), { sso_url: 'https://login.example/sso', binding: 'post' });
});

test('unusable metadata is refused with the reason', async (t) => {
  const { metadata } = await identityProvider();
  const entity = /<EntityDescriptor.*<\/EntityDescriptor>/s.exec(metadata)![0];
  const key = /<KeyDescriptor use="signing">.*?<\/KeyDescriptor>/s.exec(metadata)![0];
  const wrong: [string, RegExp][] = [
    ['', /not XML/],
    ['<html><body>Sign in</body></html>', /not the metadata/],
    ['<a><b></a>', /not XML/],
    [`<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]>${entity}`, /document type/],
    [`<?xml version="1.0"?><?xml-stylesheet href="a"?>${entity}`, /processing instructions/],
    [metadata.replaceAll('IDPSSODescriptor', 'SPSSODescriptor'), /not the metadata/],
    [metadata.replace('SAML:2.0:protocol', 'SAML:1.1:protocol'), /not the metadata/],
    [metadata.replace(/entityID="[^"]+"/, ''), /no entityID/],
    [metadata.replace(key, ''), /no signing certificate/],
    [metadata.replace(/(X509Certificate>)[^<]+/, '$1AAAA'), /cannot be read/],
    [metadata.replaceAll('HTTP-', 'HTTP-Other-'), /no sign-on URL/],
    [metadata.replaceAll('https://login.example/sso', 'javascript:alert(1)'), /sign-on URL is not valid/],
    [metadata + ' '.repeat(256 * 1024), /larger than 256 kB/],
    [
      '<md:EntitiesDescriptor xmlns:md="urn:oasis:names:tc:SAML:2.0:metadata">' +
        `${entity}${entity}</md:EntitiesDescriptor>`,
      /2 identity providers/,
    ],
  ];
  for (const [xml, detail] of wrong) {
    const error = t.throws(() => readProviderMetadata(xml), { instanceOf: SsoRefusal }, xml.slice(0, 200));
    t.is(error.reason, 'malformed');
    t.regex(error.detail!, detail);
  }
});

test('a new service key has a certificate for twenty years', async (t) => {
  const { key, certificate } = await newServiceKey('holdfast.example');
  t.regex(key, /^-----BEGIN PRIVATE KEY-----\n/);
  const { not_before, not_after } = certificateDates(certificate);
  t.is(not_after.getUTCFullYear(), not_before.getUTCFullYear() + 20);
  t.deepEqual(certificateDates(certificate.replace(/-----[^-]+-----/g, '')), { not_before, not_after });
});

const edited = async (from: string | RegExp, to: string) => answer({ edit: (xml) => xml.replace(from, to) });

test('the address is an attribute, or a NameID that is an address', async (t) => {
  const names = [
    'mail',
    'Email',
    'http://schemas.xmlsoap.org/ws/2005/05/identity/claims/emailaddress',
    'urn:oid:0.9.2342.19200300.100.1.3',
  ];
  for (const name of names)
    t.is((await verified(await edited('Name="email"', `Name="${name}"`))).email, 'ada@house.example');
  t.is((await verified(await edited('Name="email"', 'Name="telephone"'))).email, null);
  t.is((await verified(await edited('ada@house.example', 'ada at house'))).email, null);
  const asNameId = (xml: string) =>
    xml
      .replace('Name="email"', 'Name="role"')
      .replace(PERSISTENT, EMAIL_FORMAT)
      .replace('a1b2', 'ada@b.example');
  const identity = await verified(await answer({ edit: asNameId }));
  t.is(identity.email, 'ada@b.example');
  t.is(identity.subject, `${EMAIL_FORMAT}|ada@b.example`);
});

test('the name is one attribute, or the given name and the surname', async (t) => {
  const parts = await edited(
    /<saml:Attribute Name="displayName".*?<\/saml:Attribute>/,
    '<saml:Attribute Name="givenName"><saml:AttributeValue>Ada</saml:AttributeValue></saml:Attribute>' +
      '<saml:Attribute Name="sn"><saml:AttributeValue>King</saml:AttributeValue></saml:Attribute>',
  );
  t.is((await verified(parts)).name, 'Ada King');
  t.is((await verified(await edited('Name="displayName"', 'Name="nickname"'))).name, null);
});

test('NameIDs are distinguished by their format and by unusual qualifiers', async (t) => {
  const sp = await us();
  const subject = async (format: string, value = 'a1b2') =>
    (
      await verified(
        await answer({ edit: (xml) => xml.replace(`Format="${PERSISTENT}">a1b2`, `${format}>${value}`) }),
      )
    ).subject;
  const usual = `${PERSISTENT}|a1b2`;
  t.is(
    await subject(`Format="${PERSISTENT}" NameQualifier="${ENTITY_ID}" SPNameQualifier="${sp.entity_id}"`),
    usual,
  );
  t.is(await subject(`Format="${PERSISTENT}" SPNameQualifier="group"`), `${PERSISTENT}||group|a1b2`);
  t.is(await subject(`Format="${PERSISTENT}"`, '|group|a1b2'), `${PERSISTENT}|%7Cgroup%7Ca1b2`);
  t.is(await subject(''), 'urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified|a1b2');
  t.is(await subject(`Format="${PERSISTENT}"`, 'A1B2'), `${PERSISTENT}|A1B2`);
});

test('a NameID that cannot identify the person later is no subject', async (t) => {
  t.is(await refusal(await edited(PERSISTENT, PERSISTENT.replace('persistent', 'transient'))), 'no_subject');
  t.is(await refusal(await edited('>a1b2<', '> <')), 'no_subject');
  t.is(await refusal(await edited(/<saml:NameID.*<\/saml:NameID>/, '')), 'no_subject');
});

test('either of two certificates may have signed', async (t) => {
  const certificates = [(await providerKey()).certificate, (await otherKey()).certificate];
  const signedBySecond = await answer({ keys: await otherKey() });
  t.is(await refusal(signedBySecond), 'signature_invalid');
  for (const response of [await answer(), signedBySecond])
    t.is(await refusal(response, { provider: { certificates } }), 'accepted as ada@house.example');
});

test('an expired certificate still verifies, alone and next to its successor', async (t) => {
  const expired = await expiredKey();
  t.deepEqual(certificateDates(expired.certificate).not_after, new Date('2020-12-31'));
  const response = await answer({ keys: expired });
  const successor = (await providerKey()).certificate;
  for (const certificates of [[expired.certificate], [expired.certificate, successor]])
    t.is(await refusal(response, { provider: { certificates } }), 'accepted as ada@house.example');
  const certificates = [expired.certificate, successor];
  t.is(await refusal(await answer(), { provider: { certificates } }), 'accepted as ada@house.example');
});

// Responses of Keycloak 26.7, which is neither our code nor our libraries'.
const keycloak = JSON.parse(readFileSync('test/web/single-sign-on/saml-keycloak.json', 'utf8'));

test('Keycloak: its metadata is read', (t) => {
  const read = readProviderMetadata(keycloak.metadata);
  t.is(read.entity_id, 'http://127.0.0.1:18080/realms/holdfast');
  t.is(read.certificates.length, 1);
});

for (const { title, now, request_id, response, identity, refused } of keycloak.answers)
  test(`Keycloak: ${title}`, async (t) => {
    const asked = { response, request_id, now: new Date(now) };
    const answered = verifySamlResponse(readProviderMetadata(keycloak.metadata), keycloak.sp, asked);
    if (refused)
      return void t.is((await t.throwsAsync(answered, { instanceOf: SsoRefusal })).reason, refused);
    const { claims, ...said } = await answered;
    t.deepEqual(JSON.parse(JSON.stringify(said)), identity);
    t.is(claims.email, 'ada@example.com');
  });
