import { createHmac, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import { authorizationUrl, completeOidc, type OidcClient } from '../../../web/sign-in/single-sign-on/oidc.js';
import { SsoRefusal, type SsoRefusalReason } from '../../../web/sign-in/single-sign-on/identity.js';

const ISSUER = 'https://id.example.com';
const PROVIDER = { protocol: 'oidc', issuer: ISSUER, client_id: 'holdfast' } as const;
const LOGIN = {
  redirect_uri: 'https://book.example.com/sso/ws_1/callback',
  state: 'the-state',
  nonce: 'the-nonce',
  verifier: 'a-verifier-of-at-least-forty-three-characters-1234567',
};
const seconds = (): number => Math.floor(Date.now() / 1000);
const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const OWN = generateKeyPairSync('rsa', { modulusLength: 2048 });
const OTHER = generateKeyPairSync('rsa', { modulusLength: 2048 });

const rs256 = (input: string, key: KeyObject): string =>
  sign('sha256', Buffer.from(input), key).toString('base64url');

/** An ID token, signed as by the provider unless specified otherwise. */
function idToken(
  claims: Record<string, unknown> = {},
  header: Record<string, unknown> = {},
  signature: (input: string) => string = (input) => rs256(input, OWN.privateKey),
): string {
  const now = seconds();
  const input = [
    encoded({ alg: 'RS256', kid: 'own', typ: 'JWT', ...header }),
    encoded({
      iss: ISSUER,
      aud: 'holdfast',
      sub: 'Ada-1',
      nonce: 'the-nonce',
      iat: now,
      exp: now + 300,
      email: 'ada@example.com',
      ...claims,
    }),
  ].join('.');
  return `${input}.${signature(input)}`;
}

interface Answers {
  token?: string | { status: number; body: unknown };
  discovery?: Record<string, unknown>;
  userinfo?: Record<string, unknown>;
  keys?: { kid: string; key: KeyObject }[];
}

/** A provider without a network. `asked` has the address of each request. */
function provider(answers: Answers = {}): OidcClient & { asked: string[] } {
  const asked: string[] = [];
  const json = (body: unknown, status = 200): Response =>
    new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
  const { keys = [{ kid: 'own', key: OWN.publicKey }] } = answers;
  return {
    asked,
    known: new Map(),
    allowPrivateWebhooks: false,
    async providerFetch(address) {
      const url = new URL(address);
      asked.push(url.pathname);
      if (url.pathname === '/.well-known/openid-configuration')
        return json({
          issuer: ISSUER,
          authorization_endpoint: `${ISSUER}/authorize`,
          token_endpoint: `${ISSUER}/token`,
          userinfo_endpoint: `${ISSUER}/userinfo`,
          jwks_uri: `${ISSUER}/keys`,
          id_token_signing_alg_values_supported: ['RS256'],
          ...answers.discovery,
        });
      if (url.pathname === '/keys')
        return json({
          keys: keys.map(({ kid, key }) => ({
            ...key.export({ format: 'jwk' }),
            kid,
            alg: 'RS256',
            use: 'sig',
          })),
        });
      if (url.pathname === '/userinfo') return json(answers.userinfo ?? { sub: 'Ada-1' });
      const { token = idToken() } = answers;
      if (typeof token !== 'string') return json(token.body, token.status);
      return json({ access_token: 'at', token_type: 'Bearer', expires_in: 60, id_token: token });
    },
  };
}

const answer = (more: Record<string, string> = {}): URLSearchParams =>
  new URLSearchParams({ code: 'the-code', state: 'the-state', ...more });

const complete = (answers: Answers = {}, query = answer(), secret: string | null = 'secret') =>
  completeOidc(provider(answers), PROVIDER, secret, query, LOGIN);

async function refused(
  t: ExecutionContext,
  work: Promise<unknown>,
  reason: SsoRefusalReason,
  why: string,
): Promise<void> {
  const error = await t.throwsAsync<SsoRefusal>(work, { instanceOf: SsoRefusal }, why);
  t.is(error?.reason, reason, `${why}: ${error?.message}`);
}

test('a browser is sent to the provider with PKCE, state and nonce, and must sign in again for a proof', async (t) => {
  const url = new URL(await authorizationUrl(provider(), PROVIDER, LOGIN, { proof: false }));
  t.is(url.origin + url.pathname, `${ISSUER}/authorize`);
  const { searchParams: sent } = url;
  t.deepEqual(
    ['response_type', 'client_id', 'state', 'nonce', 'code_challenge_method', 'prompt'].map((name) =>
      sent.get(name),
    ),
    ['code', 'holdfast', 'the-state', 'the-nonce', 'S256', null],
  );
  t.false(url.href.includes(LOGIN.verifier));
  const again = new URL(await authorizationUrl(provider(), PROVIDER, LOGIN, { proof: true }));
  t.is(again.searchParams.get('prompt'), 'login');
  t.is(again.searchParams.get('max_age'), '0');
});

test('a token says who signed in, when, and with which address', async (t) => {
  const at = seconds() - 30;
  const identity = await complete({
    token: idToken({ name: 'Ada', auth_time: at, email_verified: true }),
  });
  t.like(identity, { subject: 'Ada-1', email: 'ada@example.com', name: 'Ada' });
  t.is(identity.authenticated_at!.getTime(), at * 1000);
  t.is((await complete()).authenticated_at, null, 'no time is no proof');
});

test('an address missing from the token comes from userinfo, for the same subject only', async (t) => {
  const token = idToken({ email: undefined });
  const found = await complete({ token, userinfo: { sub: 'Ada-1', email: 'ada@example.com' } });
  t.is(found.email, 'ada@example.com');
  await refused(
    t,
    complete({ token, userinfo: { sub: 'ada-1', email: 'boss@example.com' } }),
    'malformed',
    'the subject of userinfo differs in its case',
  );
  await refused(
    t,
    complete({ token, userinfo: { sub: 'Ada-1', email: 'boss@example.com', email_verified: 'true' } }),
    'email_not_verified',
    'the text of userinfo is not true',
  );
});

test('email_verified must be true or absent', async (t) => {
  for (const value of [false, 'true', 'false', null, 1])
    await refused(
      t,
      complete({ token: idToken({ email_verified: value }) }),
      'email_not_verified',
      `email_verified: ${JSON.stringify(value)}`,
    );
});

test('a token that is not exactly for this login is refused', async (t) => {
  const now = seconds();
  const hmac = (input: string): string =>
    createHmac('sha256', OWN.publicKey.export({ format: 'pem', type: 'spki' }))
      .update(input)
      .digest('base64url');
  const cases: [string, SsoRefusalReason, string][] = [
    ['of another issuer', 'wrong_issuer', idToken({ iss: 'https://evil.example.com' })],
    ['for another client', 'wrong_audience', idToken({ aud: 'other' })],
    [
      'for several clients, issued to another',
      'wrong_audience',
      idToken({ aud: ['holdfast', 'other'], azp: 'other' }),
    ],
    ['with another nonce', 'malformed', idToken({ nonce: 'other' })],
    ['without a nonce', 'malformed', idToken({ nonce: undefined })],
    ['expired', 'expired', idToken({ iat: now - 900, exp: now - 120 })],
    ['not valid yet', 'not_yet_valid', idToken({ nbf: now + 600 })],
    [
      'signed by somebody else',
      'signature_invalid',
      idToken({}, {}, (input) => rs256(input, OTHER.privateKey)),
    ],
    ['with a signature that was cut off', 'signature_invalid', idToken({}, {}, () => 'AAAA')],
    ['unsigned', 'malformed', idToken({}, { alg: 'none' }, () => '')],
    ['signed with the public key as a secret', 'malformed', idToken({}, { alg: 'HS256' }, hmac)],
    ['without a subject', 'malformed', idToken({ sub: undefined })],
  ];
  for (const [why, reason, token] of cases) await refused(t, complete({ token }), reason, `a token ${why}`);
  await t.notThrowsAsync(
    complete({ token: idToken({ exp: now - 30, iat: now - 300 }) }),
    'clocks may differ by 60 s',
  );
});

test('an HMAC token is refused, even if the provider says that it signs that way', async (t) => {
  const secretly = (input: string): string =>
    createHmac('sha256', 'secret').update(input).digest('base64url');
  await refused(
    t,
    complete({
      token: idToken({}, { alg: 'HS256' }, secretly),
      discovery: { id_token_signing_alg_values_supported: ['HS256', 'RS256'] },
    }),
    'algorithm_refused',
    'HS256 with the client secret',
  );
});

test('an answer from the provider must belong to the login that was started', async (t) => {
  await refused(t, complete({}, answer({ state: 'other' })), 'malformed', 'another state');
  await refused(
    t,
    complete({}, answer({ iss: 'https://evil.example.com' })),
    'malformed',
    'another issuer in the answer',
  );
  await refused(
    t,
    complete(
      {},
      new URLSearchParams({ state: 'the-state', error: 'access_denied', error_description: 'No.' }),
    ),
    'provider_error',
    'the person said no',
  );
  await refused(
    t,
    complete({ token: { status: 401, body: { error: 'invalid_client' } } }),
    'provider_error',
    'a wrong client secret',
  );
});

test('a provider that is down, or serves many tenants, is reported as such', async (t) => {
  const down: OidcClient = {
    ...provider(),
    async providerFetch() {
      throw new Error('connect ECONNREFUSED');
    },
  };
  await refused(t, authorizationUrl(down, PROVIDER, LOGIN, { proof: false }), 'provider_unavailable', 'down');
  const tenants = provider({ discovery: { issuer: 'https://id.example.com/{tenantid}/v2.0' } });
  await refused(
    t,
    authorizationUrl(tenants, PROVIDER, LOGIN, { proof: false }),
    'wrong_issuer',
    'a template',
  );
});

test.serial('after a change of keys the new keys are read', async (t) => {
  const keys = [{ kid: 'own', key: OWN.publicKey }];
  const client = provider({
    keys,
    token: idToken({}, { kid: 'new' }, (input) => rs256(input, OTHER.privateKey)),
  });
  await refused(
    t,
    completeOidc(client, PROVIDER, null, answer(), LOGIN),
    'signature_invalid',
    'an unknown key',
  );
  keys.push({ kid: 'new', key: OTHER.publicKey });
  const before = client.asked.filter((path) => path === '/keys').length;
  await refused(
    t,
    completeOidc(client, PROVIDER, null, answer(), LOGIN),
    'signature_invalid',
    'within a minute',
  );
  t.is(client.asked.filter((path) => path === '/keys').length, before, 'keys are read at most once a minute');
  const { now } = Date;
  t.teardown(() => (Date.now = now));
  Date.now = () => now() + 61_000;
  t.is((await completeOidc(client, PROVIDER, null, answer(), LOGIN)).subject, 'Ada-1');
});
