import { createHash } from 'node:crypto';
import test from 'ava';
import { launchBrowser } from '../../support/chromium.js';
import type { Browser } from 'playwright-core';
import { refresh } from '../../support/oauth-app.js';
import { anonymous } from '../../support/api-client.js';
import { newWorkspace } from '../../support/workspaces.js';
import { isError } from '../../support/booking-calls.js';
import { newKey, newMember } from '../../support/people.js';
import { apps, newScene, newTokens, findProfileId, refused, revocations, works } from './oauth-calls.js';

let browser: Browser;

test.before(async () => {
  browser = await launchBrowser();
});

test.after.always(() => {
  for (const app of apps) app.close();
});

test('removing a client revokes its grants', async (t) => {
  const scene = await newScene(browser);
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
    [id, 'revoked_by_member', await findProfileId(scene.workspace.ownerId)],
  );
  isError(t, await api.delete(`/v1/oauth-clients/${id}`), 404, 'not_found');
  isError(t, await api.delete('/v1/oauth-clients/%00'), 404, 'not_found');
  await scene.page.context().close();
});

test('a confidential client authenticates by header or in the form', async (t) => {
  const { workspace, page } = await newScene(browser);
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
