import test from 'ava';
import { launchBrowser } from '../../support/chromium.js';
import * as oauth from 'oauth4webapi';
import type { Browser } from 'playwright-core';
import { picture } from '../../support/browser.js';
import { INSECURE, refresh, type Tokens } from '../../support/oauth-app.js';
import { client } from '../../support/api-client.js';
import { db, dev } from '../../support/stack.js';
import { findOwnerEmail, uniqueEmail } from '../../support/workspaces.js';
import { WebSession } from '../../support/web-session.js';
import { isError } from '../../support/booking-calls.js';
import { apps, newScene, newTokens, refused, revocations, works } from './oauth-calls.js';

let browser: Browser;

test.before(async () => {
  browser = await launchBrowser();
});

test.after.always(() => {
  for (const app of apps) app.close();
});

test('a person sees the applications that act for them on their account page, and withdraws access from one', async (t) => {
  const scene = await newScene(browser);
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

  const outsider = await newScene(browser);
  const grant = await page.locator('input[name=grant]').getAttribute('value');
  await outsider.page.goto(`${dev.baseUrl}/account`);
  const csrf = await outsider.page.locator('input[name=csrf]').first().getAttribute('value');
  const response = await outsider.page.request.post(`${dev.baseUrl}/account/applications/withdraw`, {
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
  const scene = await newScene(browser);
  const tokens = await newTokens(scene);
  const session = await WebSession.start(await findOwnerEmail(scene.workspace.id));
  await session.enrol();
  const page = await session.openPage(browser);
  await page.goto(`${dev.baseUrl}/dashboard/${scene.workspace.id}/keys`);
  const row = page.locator('tr', { hasText: 'Calendar friend' });
  t.regex(await row.innerText(), /acts for Mel Member/);
  await row.locator('button:text-is("Revoke")').click();
  await picture(page, 'dashboard-grants');
  await row.locator('button:text("Revoke access")').click();
  await row.waitFor({ state: 'detached' });
  t.false(await works(tokens));
  t.deepEqual(page.complaints, []);
});

test('an OAuth grant is not listed as a key, and revoke-all revokes it', async (t) => {
  const scene = await newScene(browser);
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
  const scene = await newScene(browser);
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
  const scene = await newScene(browser);
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
