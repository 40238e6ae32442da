import { createHash } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import { launchBrowser } from '../support/chromium.js';
import * as oauth from 'oauth4webapi';
import type { Browser, Page } from 'playwright-core';
import { followLink, newPage, nextPage, picture, titleOf } from '../support/browser.js';
import {
  allow,
  authorizeUrl,
  exchange,
  INSECURE,
  refresh,
  startApp,
  type OauthApp,
  type Tokens,
} from '../support/oauth-app.js';
import {
  anonymous,
  client,
  db,
  dev,
  newWorkspace,
  ownerOf,
  uniqueEmail,
  type TestWorkspace,
} from '../support/stack.js';
import { openSignedIn, WebSession } from '../support/web-session.js';
import { isError } from '../api/booking-calls.js';
import { newKey, newMember, type Person } from '../api/people.js';

let browser: Browser;
const apps: OauthApp[] = [];
test.before(async () => {
  browser = await launchBrowser();
});
test.after.always(() => {
  for (const app of apps) app.close();
});

interface Scene {
  workspace: TestWorkspace;
  person: Person;
  app: OauthApp;
  page: Page & { complaints: string[] };
}

/** A workspace with a member who is signed in, and an application. */
async function newScene(options: { public?: boolean } = {}): Promise<Scene> {
  const workspace = await newWorkspace();
  const person = await newMember(workspace);
  const app = await startApp(workspace.api, options);
  apps.push(app);
  return { workspace, person, app, page: await openSignedIn(browser, person.email) };
}

async function newTokens(scene: Scene, scope = 'calendar:read calendar:write'): Promise<Tokens> {
  return exchange(scene.app, await allow(scene.page, scene.app, scope));
}

/** Asserts that the stock client reports this OAuth error. */
async function refused(t: ExecutionContext, work: Promise<unknown>, error: string, message?: string) {
  const thrown = await t.throwsAsync(work, { instanceOf: oauth.ResponseBodyError }, message);
  t.is(thrown?.error, error, message);
}

/** The workspace's audit entries of grants that were revoked. */
const revocations = async ({ workspace }: Scene) =>
  (await workspace.api.get('/v1/audit-log?action=oauth_grant.revoked')).body.data;
const profileOf = async (memberId: string): Promise<string> =>
  (await db.query('SELECT profile_id FROM members WHERE id = $1', [memberId]))[0].profile_id;
const works = async ({ access_token }: Tokens): Promise<boolean> =>
  (await client(access_token).get('/v1/bookings')).status === 200;

test('a person sees the applications that act for them on their account page, and withdraws one', async (t) => {
  const scene = await newScene();
  const [first, second] = [await newTokens(scene), await newTokens(scene, 'billing:read')];
  const { page } = scene;
  await page.goto(`${dev.baseUrl}/account`);
  const shown = await page.locator('main').innerText();
  for (const words of ['Calendar friend', 'Test house', 'View bookings', 'View invoices'])
    t.true(shown.includes(words), words);
  await picture(page, 'account-applications');
  await page.click('summary');
  await picture(page, 'account-address');
  const billing = page.locator('.application', { hasText: 'View invoices' });
  await billing.locator('button').click();
  await page.waitForURL(`${dev.baseUrl}/account`);
  t.is(await page.locator('.application').count(), 1);
  t.is((await client(second.access_token).get('/v1/auth/whoami')).status, 401);
  await refused(t, refresh(scene.app, second.refresh_token), 'invalid_grant');
  t.true(await works(first), 'the other application is not affected');
  const [entry] = await revocations(scene);
  t.is(entry!.actor.member_id, scene.person.id);
  t.deepEqual(page.complaints, []);

  const stranger = await newScene();
  const grant = await page.locator('input[name=grant]').getAttribute('value');
  await stranger.page.goto(`${dev.baseUrl}/account`);
  const csrf = await stranger.page.locator('input[name=csrf]').first().getAttribute('value');
  const response = await stranger.page.request.post(`${dev.baseUrl}/account/applications/withdraw`, {
    form: { grant: grant!, csrf: csrf! },
    headers: { origin: dev.baseUrl },
  });
  t.is(response.status(), 404);
  t.true(await works(first), "nobody withdraws another person's");

  const moved = uniqueEmail();
  await scene.workspace.api.patch(`/v1/members/${scene.person.id}`, { email: moved });
  t.false(await works(first), 'a change of address ends the grants');
  await refused(t, refresh(scene.app, first.refresh_token), 'invalid_grant');
});

test("the page with a workspace's API keys lists its members' applications, and an admin revokes one", async (t) => {
  const scene = await newScene();
  const tokens = await newTokens(scene);
  const session = await WebSession.start(await ownerOf(scene.workspace.id));
  await session.enrol();
  const page = await session.openPage(browser);
  await page.goto(`${dev.baseUrl}/dashboard/${scene.workspace.id}/keys`);
  const row = page.locator('tr', { hasText: 'Calendar friend' });
  t.regex(await row.innerText(), /acts for Mel Member/);
  await row.locator('summary').click();
  await picture(page, 'dashboard-grants');
  await row.locator('button').click();
  await row.waitFor({ state: 'detached' });
  t.false(await works(tokens));
  t.deepEqual(page.complaints, []);
});

test('a stock client gets a token with a standard authorization request, through sign-in and consent', async (t) => {
  const workspace = await newWorkspace();
  const person = await newMember(workspace);
  const app = await startApp(workspace.api, { name: 'Calendar <b>friend</b>' });
  apps.push(app);
  const page = await newPage(browser);
  const { address, verifier, state } = await authorizeUrl(app, 'calendar:read members:invite');
  await page.goto(address);
  t.is(new URL(page.url()).pathname, '/sign-in');
  await followLink(page, person.email);
  t.regex(page.url(), /\/oauth\/consent\//, 'sign-in returns to the authorization request');
  const shown = await page.locator('main').innerText();
  for (const words of [
    'Calendar <b>friend</b>',
    'Test house',
    person.email,
    'calendar:read',
    'members:invite',
  ])
    t.true(shown.includes(words), words);
  await picture(page, 'consent');
  await page.click('button[value=allow]');
  await page.waitForURL(`${app.redirectUri}**`);
  t.deepEqual(page.complaints, []);
  const params = oauth.validateAuthResponse(app.server, app.client, app.cameBack(), state);
  const tokens = await exchange(app, { params, verifier });
  t.is(tokens.expires_in, 30 * 86_400);
  t.is(tokens.token_type, 'bearer');
  t.regex(tokens.access_token, /^hf_live_[0-9A-Za-z]{36}$/);
  t.truthy(tokens.refresh_token, 'without offline_access');
  t.deepEqual(tokens.scope?.split(' ').toSorted(), ['calendar:read', 'members:invite']);

  const api = client(tokens.access_token);
  t.is((await api.get('/v1/bookings')).status, 200);
  isError(t, await api.get('/v1/workspace'), 403, 'auth_scope_insufficient');
  isError(t, await api.post('/v1/bookings', {}), 403, 'auth_scope_insufficient');
  const { scopes } = (await api.get('/v1/auth/whoami')).body;
  t.deepEqual(scopes, ['calendar:read'], 'a member cannot invite');
  await db.query(`UPDATE members SET role = 'admin' WHERE id = $1`, [person.id]);
  const { body: whoami } = await api.get('/v1/auth/whoami');
  t.deepEqual(whoami.scopes.toSorted(), ['calendar:read', 'members:invite']);
  t.is(whoami.key_prefix, tokens.access_token.slice(0, 12));
  const log = await workspace.api.get(`/v1/audit-log?actor=${person.id}`);
  t.deepEqual(
    log.body.data.map((entry: { action: string }) => entry.action),
    ['oauth_grant.created', 'session.created'],
  );
  const kept = JSON.stringify(
    await db.query(`SELECT model, payload FROM oauth_artifacts WHERE client_id = $1`, [app.client.client_id]),
  );
  for (const secret of [tokens.refresh_token, tokens.access_token, params.get('code')!])
    t.false(kept.includes(secret));
  await page.context().close();
});

test('a token has the rights of its scope and the current role', async (t) => {
  const scene = await newScene();
  const tokens = await newTokens(scene, 'calendar:read calendar:write billing:read members:read');
  const api = client(tokens.access_token);
  isError(t, await api.post('/v1/rooms', { name: 'Mine' }), 403, 'role_insufficient');
  isError(t, await api.get('/v1/payments'), 403, 'role_insufficient');
  await db.query(`UPDATE members SET role = 'admin' WHERE id = $1`, [scene.person.id]);
  t.is((await api.get('/v1/payments')).status, 200);
  isError(
    t,
    await api.post('/v1/invoices', {}),
    403,
    'auth_scope_insufficient',
    'read of one and write of another',
  );
  await db.query(`UPDATE members SET status = 'archived' WHERE id = $1`, [scene.person.id]);
  isError(t, await api.get('/v1/rooms'), 401, 'auth_invalid');
  await refused(
    t,
    refresh(scene.app, tokens.refresh_token),
    'invalid_grant',
    'a token of an archived member is invalid',
  );
  await scene.page.context().close();
});

test('refresh tokens rotate; concurrent refreshes and one after a lost response return the same token', async (t) => {
  const scene = await newScene();
  const first = await newTokens(scene);
  const responses = await Promise.all(
    Array.from({ length: 8 }, () => refresh(scene.app, first.refresh_token)),
  );
  t.is(new Set(responses.map((tokens) => tokens.refresh_token)).size, 1, 'all get the same refresh token');
  t.not(responses[0]!.refresh_token, first.refresh_token);
  for (const tokens of responses) t.true(await works(tokens));
  t.true(await works(first), 'the previous access token is valid until it expires');
  const again = await refresh(scene.app, first.refresh_token);
  t.is(again.refresh_token, responses[0]!.refresh_token);
  const next = await refresh(scene.app, again.refresh_token);
  t.not(next.refresh_token, again.refresh_token);
  t.true(await works(next));
  await scene.page.context().close();
});

test('a later reuse of a refresh token revokes the grant and all its tokens', async (t) => {
  const scene = await newScene();
  const first = await newTokens(scene);
  const second = await refresh(scene.app, first.refresh_token);
  const third = await refresh(scene.app, second.refresh_token);
  const other = await newTokens(scene);
  await db.query(
    `UPDATE oauth_artifacts SET consumed_at = consumed_at - interval '61 seconds'
     WHERE client_id = $1 AND consumed_at IS NOT NULL`,
    [scene.app.client.client_id],
  );
  await refused(t, refresh(scene.app, first.refresh_token), 'invalid_grant');
  for (const tokens of [first, second, third]) {
    t.false(await works(tokens));
    await refused(t, refresh(scene.app, tokens.refresh_token), 'invalid_grant');
  }
  t.true(await works(other), 'another grant stays valid');
  const [entry] = await revocations(scene);
  t.deepEqual(entry!.actor, { system: 'oauth' });
  t.deepEqual(entry!.details, {
    client_id: scene.app.client.client_id,
    reason: 'reuse_detected',
    revoker_profile_id: null,
  });
  await scene.page.context().close();
});

test('a refresh can narrow the scope, never widen it', async (t) => {
  const scene = await newScene();
  const all = await newTokens(scene, 'calendar:read calendar:write');
  await refused(t, refresh(scene.app, all.refresh_token, 'calendar:read billing:read'), 'invalid_scope');
  const less = await refresh(scene.app, all.refresh_token, 'calendar:read');
  t.is(less.scope, 'calendar:read');
  isError(t, await client(less.access_token).post('/v1/bookings', {}), 403, 'auth_scope_insufficient');
  isError(t, await client(all.access_token).post('/v1/bookings', {}), 422, 'validation_failed');
  t.is((await refresh(scene.app, less.refresh_token)).scope, 'calendar:read calendar:write');
  await scene.page.context().close();
});

test('a code is valid once, for a minute, with its verifier, client and redirect URI', async (t) => {
  const scene = await newScene();
  const { app, page } = scene;
  const spoiled: [string, (grant: { params: URLSearchParams; verifier: string }) => Promise<unknown>][] = [
    [
      'another verifier',
      ({ params }) => exchange(app, { params, verifier: oauth.generateRandomCodeVerifier() }),
    ],
    ['another redirect', (grant) => exchange({ ...app, redirectUri: `${app.redirectUri}/` }, grant)],
    [
      'another client',
      async (grant) => {
        const other = await startApp(scene.workspace.api);
        apps.push(other);
        return exchange({ ...other, redirectUri: app.redirectUri }, grant);
      },
    ],
    [
      'a code is refused after a minute',
      async (grant) => {
        await db.query(
          `UPDATE oauth_artifacts SET payload = payload || jsonb_build_object('exp', (payload->>'exp')::int - 61),
             expires_at = expires_at - interval '61 seconds'
           WHERE client_id = $1 AND model = 'AuthorizationCode'`,
          [app.client.client_id],
        );
        return exchange(app, grant);
      },
    ],
  ];
  for (const [what, attempt] of spoiled)
    await refused(t, attempt(await allow(page, app, 'calendar:read')), 'invalid_grant', what);

  const code = await allow(page, app, 'calendar:read');
  const results = await Promise.allSettled(Array.from({ length: 6 }, () => exchange(app, code)));
  t.true(
    results.filter(({ status }) => status === 'fulfilled').length <= 1,
    'of six concurrent exchanges at most one gets tokens',
  );
  const single = await allow(page, app, 'calendar:read');
  const tokens = await exchange(app, single);
  await refused(t, exchange(app, single), 'invalid_grant');
  t.false(await works(tokens), 'reuse of a code revokes its tokens');
  await page.context().close();
});

test('a revocation by the client of the grant applies in every process immediately', async (t) => {
  const scene = await newScene({ public: false });
  const { app } = scene;
  const revoke = async (token: string, by = app) =>
    oauth.processRevocationResponse(
      await oauth.revocationRequest(by.server, by.client, by.authentication, token, INSECURE),
    );
  const [first, second] = [await newTokens(scene), await newTokens(scene)];
  const stranger = await startApp(scene.workspace.api, { public: false });
  apps.push(stranger);
  await revoke(first.access_token, stranger);
  t.true(await works(first));
  await revoke(first.access_token);
  for (const url of dev.baseUrls)
    t.is((await client(first.access_token, url).get('/v1/bookings')).status, 401);
  await refused(t, refresh(app, first.refresh_token), 'invalid_grant');
  t.true(await works(second));
  await revoke(second.refresh_token);
  t.false(await works(second));
  await revoke('unknown');
  await revoke(scene.workspace.api.token);
  t.is((await scene.workspace.api.get('/v1/rooms')).status, 200, 'an API key is not affected');
  const entries = await revocations(scene);
  t.is(entries.length, 2);
  for (const { actor, object, details } of entries) {
    t.deepEqual(
      actor,
      { member_id: scene.person.id, key_id: object },
      'the actor is the member through the grant',
    );
    t.deepEqual(details, {
      client_id: app.client.client_id,
      reason: 'revoked_by_client',
      revoker_profile_id: await profileOf(scene.person.id),
    });
  }
  await scene.page.context().close();
});

test('an OAuth grant is not listed as a key, and revoke-all revokes it', async (t) => {
  const scene = await newScene();
  const tokens = await newTokens(scene, 'credentials:read credentials:write');
  const { api } = scene.workspace;
  await db.query(`UPDATE members SET role = 'admin' WHERE id = $1`, [scene.person.id]);
  const { body: keys } = await api.get('/v1/api-keys');
  t.deepEqual(
    keys.data.map((key: { name: string }) => key.name).toSorted(),
    ['First key', 'Test key'],
    JSON.stringify(keys),
  );
  const granted = client(tokens.access_token);
  const made = await granted.post('/v1/api-keys', { name: 'Made by an application' });
  t.is(made.status, 201);
  const own = client(made.body.token!);
  t.is((await own.get('/v1/api-keys')).status, 200);
  isError(
    t,
    await own.get('/v1/bookings'),
    403,
    'auth_scope_insufficient',
    'the new key is limited to the scope of the grant',
  );
  const beyond = { name: 'More', scope: { resources: ['calendar'], actions: ['read'] } };
  isError(t, await granted.post('/v1/api-keys', beyond), 403, 'auth_scope_insufficient');
  isError(t, await granted.post('/v1/api-keys/rotate'), 404, 'key_not_found');
  t.is((await api.post('/v1/api-keys/revoke-all')).body.revoked, 4);
  isError(t, await granted.get('/v1/api-keys'), 401, 'auth_invalid');
  await refused(t, refresh(scene.app, tokens.refresh_token), 'invalid_grant');
  await scene.page.context().close();
});

test('the keys that an application creates end with its grant, and it cannot take over its member', async (t) => {
  const scene = await newScene();
  const { api } = scene.workspace;
  const { id } = scene.person;
  const calendar = { resources: ['calendar'], actions: ['read'] };
  const { body: own } = await api.post('/v1/api-keys', { name: 'Own', member_id: id, scope: calendar });
  const scope = 'credentials:write calendar:read members:write';
  const [first, second] = [await newTokens(scene, scope), await newTokens(scene, scope)];
  const setRole = (role: string) => db.query('UPDATE members SET role = $2 WHERE id = $1', [id, role]);
  await setRole('admin');
  const createdBy = async ({ access_token }: Tokens) => {
    const { body: made } = await client(access_token).post('/v1/api-keys', { name: 'Created' });
    const { body: again } = await client(made.token!).post('/v1/api-keys', { name: 'Created with that key' });
    return [client(made.token!), client(again.token!)];
  };
  const [ofFirst, ofSecond] = [await createdBy(first), await createdBy(second)];
  const rotated = await client(second.access_token).post(`/v1/api-keys/${own.id}/rotate`);
  ofSecond.push(client(rotated.body.token!));
  await setRole('member');

  for (const api of [client(first.access_token), ...ofFirst]) {
    const response = await api.patch(`/v1/members/${id}`, { email: uniqueEmail() });
    isError(t, response, 403, 'role_insufficient', 'the new address would sign in as the member');
    t.is((await api.patch(`/v1/members/${id}`, { name: 'Ada' })).status, 200);
  }

  const statuses = async (of: { get(path: string): Promise<{ status: number }> }[]) =>
    Promise.all(of.map(async (api) => (await api.get('/v1/auth/whoami')).status));
  await scene.page.goto(`${dev.baseUrl}/account`);
  await scene.page.locator('.application button').first().click();
  await scene.page.waitForURL(`${dev.baseUrl}/account`);
  t.deepEqual(await statuses(ofSecond), [401, 401, 401]);
  t.deepEqual(await statuses(ofFirst), [200, 200], 'another grant is not affected');
  t.is((await api.delete(`/v1/oauth-clients/${scene.app.client.client_id}`)).status, 204);
  t.deepEqual(await statuses(ofFirst), [401, 401]);
  const { body: log } = await api.get('/v1/audit-log?action=api_key.revoked');
  t.is(log.data.length, 5);
  await scene.page.context().close();
});

test('an application that revokes its grant loses the keys it created', async (t) => {
  const scene = await newScene();
  const tokens = await newTokens(scene, 'credentials:write');
  await db.query(`UPDATE members SET role = 'admin' WHERE id = $1`, [scene.person.id]);
  const { body } = await client(tokens.access_token).post('/v1/api-keys', { name: 'Created' });
  const { server, client: app, authentication } = scene.app;
  const request = oauth.revocationRequest(server, app, authentication, tokens.refresh_token, INSECURE);
  await oauth.processRevocationResponse(await request);
  t.is((await client(body.token!).get('/v1/auth/whoami')).status, 401);
  const { body: log } = await scene.workspace.api.get('/v1/audit-log?action=api_key.revoked');
  t.is(log.data[0]!.details.reason, 'revoked_by_client');
  await scene.page.context().close();
});

test('removing a client revokes its grants', async (t) => {
  const scene = await newScene();
  const tokens = await newTokens(scene);
  const { api } = scene.workspace;
  const id = scene.app.client.client_id;
  isError(t, await (await newWorkspace()).api.delete(`/v1/oauth-clients/${id}`), 404, 'not_found');
  t.true(await works(tokens));
  t.is((await api.delete(`/v1/oauth-clients/${id}`)).status, 204);
  t.false(await works(tokens));
  await refused(t, refresh(scene.app, tokens.refresh_token), 'invalid_client');
  const { actor, details } = (await revocations(scene))[0]!;
  t.is(actor.member_id, scene.workspace.ownerId);
  t.deepEqual(
    [details.client_id, details.reason, details.revoker_profile_id],
    [id, 'revoked_by_member', await profileOf(scene.workspace.ownerId)],
  );
  isError(t, await api.delete(`/v1/oauth-clients/${id}`), 404, 'not_found');
  isError(t, await api.delete('/v1/oauth-clients/%00'), 404, 'not_found');
  await scene.page.context().close();
});

test('a confidential client authenticates by header or in the form', async (t) => {
  const { workspace, page } = await newScene();
  const redirect_uris = ['https://app.example/callback'];
  const made = await workspace.api.post('/v1/oauth-clients', { name: 'Server', redirect_uris });
  const { client_id, client_secret } = made.body;
  t.regex(client_secret!, /^[\w-]{43}$/);
  const ask = (fields: Record<string, string>, authorization = '') =>
    anonymous(
      'POST',
      '/oauth/token',
      new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'x', ...fields }).toString(),
      {
        'content-type': 'application/x-www-form-urlencoded',
        ...(authorization && { authorization }),
      },
    );
  const basic = (secret: string) => `Basic ${Buffer.from(`${client_id}:${secret}`).toString('base64')}`;
  const digest = createHash('sha256').update(client_secret!).digest('hex');
  for (const [response, error] of [
    [await ask({ client_id, client_secret: client_secret! }), 'invalid_grant'],
    [await ask({}, basic(client_secret!)), 'invalid_grant'],
    [await ask({ client_id }), 'invalid_client'],
    [await ask({ client_id, client_secret: 'wrong' }), 'invalid_client'],
    [await ask({}, basic('wrong')), 'invalid_client'],
    [await ask({ client_id, client_secret: digest }), 'invalid_client'],
    [await ask({ client_id: 'client_unknown' }), 'invalid_client'],
  ] as const) {
    t.is<unknown, string>(response.body.error, error, JSON.stringify(response.body));
    t.truthy(response.headers.get('x-request-id'));
    t.is(response.headers.get('cache-control'), 'no-store');
  }
  await page.context().close();
});

test('an invalid authorization request shows an error page or redirects with the error, and never to another URL', async (t) => {
  const { app, page, workspace } = await newScene();
  const other = await newScene();
  const untrusted: Record<string, string>[] = [
    { redirect_uri: 'https://evil.example/' },
    { redirect_uri: `${app.redirectUri}/more` },
    { redirect_uri: app.redirectUri.replace(/:\d+/, ':1') },
    { client_id: 'client_unknown' },
    { client_id: '\0' },
  ];
  for (const overrides of untrusted) {
    const response = await page.goto((await authorizeUrl(app, 'calendar:read', overrides)).address);
    t.is(response!.status(), 400, JSON.stringify(overrides));
    t.is(await titleOf(page), 'The application could not be authorized');
  }
  await picture(page, 'oauth-error');
  const unfit: [string, Record<string, string>, string][] = [
    ['calendar:read', { response_type: 'token' }, 'unsupported_response_type'],
    ['calendar:read', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['calendar:read', { code_challenge: '' }, 'invalid_request'],
    ['calendar:read', { prompt: 'none' }, 'login_required'],
    ['everything', {}, 'invalid_scope'],
    ['calendar:read everything', {}, 'invalid_scope'],
    ['', {}, 'invalid_scope'],
  ];
  for (const [scope, overrides, error] of unfit) {
    const { address, state } = await authorizeUrl(app, scope, overrides);
    await page.goto(address);
    t.true(page.url().startsWith(app.redirectUri), `${error}: ${page.url()}`);
    const { searchParams, hash } = new URL(page.url());
    const redirected = hash ? new URLSearchParams(hash.slice(1)) : searchParams;
    t.is(redirected.get('error'), error, JSON.stringify(overrides));
    t.is(redirected.get('state'), state);
  }
  const denied = await authorizeUrl(app, 'calendar:read');
  await page.goto(denied.address);
  await page.click('button[value=deny]');
  await page.waitForURL(`${app.redirectUri}**`);
  t.is(app.cameBack().searchParams.get('error'), 'access_denied');

  await page.goto((await authorizeUrl(other.app, 'calendar:read')).address);
  t.is(await titleOf(page), 'You are not a member');
  await page.goto(`${dev.baseUrl}/oauth/consent/unknown`);
  t.is(await titleOf(page), 'This request has expired');
  t.is((await workspace.api.get('/v1/rooms')).status, 200);
  await page.context().close();
  await other.page.context().close();
});

test('concurrent authorizations of two applications, in two tabs and by two people, do not interfere', async (t) => {
  const [scene, other] = [await newScene(), await newScene()];
  const tab = await nextPage(scene.page);
  const second = await startApp(scene.workspace.api);
  apps.push(second);
  const [a, b] = [await authorizeUrl(scene.app, 'calendar:read'), await authorizeUrl(second, 'billing:read')];
  await scene.page.goto(a.address);
  await tab.goto(b.address);
  await scene.page.click('button[value=allow]');
  await scene.page.waitForURL(`${scene.app.redirectUri}**`);
  await tab.click('button[value=allow]');
  await tab.waitForURL(`${second.redirectUri}**`);
  const params = oauth.validateAuthResponse(second.server, second.client, second.cameBack(), b.state);
  t.is((await exchange(second, { params, verifier: b.verifier })).scope, 'billing:read');

  // Another person in the same browser: the consent of the previous one does not apply.
  await db.query(`UPDATE members SET workspace_id = $2 WHERE id = $1`, [other.person.id, scene.workspace.id]);
  await scene.page.goto(`${dev.baseUrl}/account`);
  await scene.page.click('button:text-is("Sign out")');
  await scene.page.goto(`${dev.baseUrl}/account`);
  await followLink(scene.page, other.person.email);
  const tokens = await newTokens(scene);
  const [row] = await db.query(
    `SELECT k.member_id FROM api_tokens t JOIN api_keys k ON k.id = t.key_id WHERE t.hash = $1`,
    [createHash('sha256').update(tokens.access_token).digest()],
  );
  t.is(row.member_id, other.person.id);
  await scene.page.context().close();
  await other.page.context().close();
});

test('clients can be registered with the right role and scope and valid redirect URIs', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const body = { name: 'App', redirect_uris: ['https://app.example/callback'] };
  const made = await api.post('/v1/oauth-clients', body);
  t.is(made.status, 201);
  t.false(made.body.public);
  const open = await api.post('/v1/oauth-clients', { ...body, public: true });
  t.is(open.body.client_secret, null);
  for (const uri of ['http://127.0.0.1:1/a', 'http://localhost/a', 'com.example.app:/callback'])
    t.is((await api.post('/v1/oauth-clients', { ...body, redirect_uris: [uri] })).status, 201, uri);
  for (const uri of [
    'http://app.example/callback',
    'https://app.example/#part',
    'https://me:secret@app.example/',
    'javascript:alert(1)',
    'app:/callback',
    'nothing',
    'https://app.example/ space',
    'https://*.app.example/callback',
  ])
    isError(
      t,
      await api.post('/v1/oauth-clients', { ...body, redirect_uris: [uri] }),
      422,
      'validation_failed',
      uri,
    );
  for (const bad of [
    { ...body, redirect_uris: [] },
    { name: 'App' },
    { ...body, name: '' },
    { ...body, colour: 'red' },
  ])
    isError(t, await api.post('/v1/oauth-clients', bad), 422, 'validation_failed');
  const { body: list } = await api.get('/v1/oauth-clients?limit=2');
  t.deepEqual(
    list.data.map((one: { client_id: string }) => one.client_id),
    [made.body.client_id, open.body.client_id],
  );
  t.false(JSON.stringify(list).includes('secret'));
  t.is((await api.get(`/v1/oauth-clients?cursor=${list.next_cursor}`)).body.data.length, 3);
  t.deepEqual((await (await newWorkspace()).api.get('/v1/oauth-clients')).body.data, []);

  const member = await newMember(workspace);
  isError(t, await member.api.get('/v1/oauth-clients'), 403, 'role_insufficient');
  isError(t, await member.api.post('/v1/oauth-clients', body), 403, 'role_insufficient');
  const reader = await newKey(workspace, workspace.ownerId, { actions: ['read'] });
  isError(t, await reader.post('/v1/oauth-clients', body), 403, 'auth_scope_insufficient');
  isError(t, await reader.delete(`/v1/oauth-clients/${made.body.client_id}`), 403, 'auth_scope_insufficient');
  isError(t, await anonymous('GET', '/v1/oauth-clients'), 401, 'auth_invalid');
});
