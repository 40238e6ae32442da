import { createHash } from 'node:crypto';
import test from 'ava';
import { launchBrowser } from '../../support/chromium.js';
import * as oauth from 'oauth4webapi';
import type { Browser } from 'playwright-core';
import { followLink, newPage, nextPage, picture, readHeading } from '../../support/browser.js';
import { allow, authorizeUrl, exchange, startApp } from '../../support/oauth-app.js';
import { client } from '../../support/api-client.js';
import { db, dev } from '../../support/stack.js';
import { newWorkspace } from '../../support/workspaces.js';
import { isError } from '../../support/booking-calls.js';
import { newMember } from '../../support/people.js';
import { apps, newScene, newTokens, refused, works } from './oauth-calls.js';

let browser: Browser;

test.before(async () => {
  browser = await launchBrowser();
});

test.after.always(() => {
  for (const app of apps) app.close();
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

test('a code is valid once, for a minute, with its verifier, client and redirect URI', async (t) => {
  const scene = await newScene(browser);
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
          `UPDATE oauth_artifacts
            SET payload = payload || jsonb_build_object('exp', (payload->>'exp')::int - 61),
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

test('an invalid authorization request shows an error page or redirects with the error, and never to another URL', async (t) => {
  const { app, page, workspace } = await newScene(browser);
  const other = await newScene(browser);
  const untrusted: Record<string, string>[] = [
    { redirect_uri: 'https://evil.example/' },
    { redirect_uri: `${app.redirectUri}/more` },
    { redirect_uri: app.redirectUri.replace('http:', 'https:') },
    { client_id: 'client_unknown' },
    { client_id: '\0' },
  ];
  for (const overrides of untrusted) {
    const response = await page.goto((await authorizeUrl(app, 'calendar:read', overrides)).address);
    t.is(response!.status(), 400, JSON.stringify(overrides));
    t.is(await readHeading(page), 'The application could not be authorized');
    const said = await page.locator('[role=alert]').innerText();
    t.regex(said, 'client_id' in overrides ? /This application is not registered/ : /not registered for it/);
    t.notRegex(said, /_/, 'no code of the protocol');
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
  // An application on a person's own machine listens on any free port.
  const elsewhere = app.redirectUri.replace(/:\d+/, ':1');
  const sent = await fetch((await authorizeUrl(app, 'everything', { redirect_uri: elsewhere })).address, {
    redirect: 'manual',
  });
  t.true(
    sent.headers.get('location')?.startsWith(elsewhere),
    `${sent.status} ${sent.headers.get('location')}`,
  );
  const denied = await authorizeUrl(app, 'calendar:read');
  await page.goto(denied.address);
  await page.click('button[value=deny]');
  await page.waitForURL(`${app.redirectUri}**`);
  t.is(app.cameBack().searchParams.get('error'), 'access_denied');

  await page.goto((await authorizeUrl(other.app, 'calendar:read')).address);
  t.is(await readHeading(page), 'You are not a member');
  await page.goto(`${dev.baseUrl}/oauth/consent/unknown`);
  t.is(await readHeading(page), 'This request has expired');
  t.is((await workspace.api.get('/v1/rooms')).status, 200);
  await page.context().close();
  await other.page.context().close();
});

test('concurrent authorizations of two applications, in two tabs and by two people, do not interfere', async (t) => {
  const [scene, other] = [await newScene(browser), await newScene(browser)];
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
