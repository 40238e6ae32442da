import test from 'ava';
import { launchBrowser } from '../../support/chromium.js';
import * as oauth from 'oauth4webapi';
import type { Browser } from 'playwright-core';
import { INSECURE, refresh, startApp } from '../../support/oauth-app.js';
import { client } from '../../support/api-client.js';
import { db, dev } from '../../support/stack.js';
import { isError } from '../../support/booking-calls.js';
import { apps, newScene, newTokens, findProfileId, refused, revocations, works } from './oauth-calls.js';

let browser: Browser;

test.before(async () => {
  browser = await launchBrowser();
});

test.after.always(() => {
  for (const app of apps) app.close();
});

test('a token has the rights of its scope and the current role', async (t) => {
  const scene = await newScene(browser);
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

test('refresh tokens rotate, and concurrent refreshes and one after a lost response return the same token', async (t) => {
  const scene = await newScene(browser);
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
  const scene = await newScene(browser);
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

test('a refresh token is valid for 90 days from the last refresh', async (t) => {
  const scene = await newScene(browser);
  const minutesLater = (minutes: number) =>
    db.query(
      `UPDATE oauth_artifacts
       SET expires_at = expires_at - $2 * interval '1 second',
           payload = payload || jsonb_build_object('exp', (payload->>'exp')::bigint - $2, 'iat',
             (payload->>'iat')::bigint - $2)
       WHERE client_id = $1 AND model = 'RefreshToken'`,
      [scene.app.client.client_id, minutes * 60],
    );
  const almost = 90 * 24 * 60 - 5;
  const first = await newTokens(scene);
  await minutesLater(almost);
  const second = await refresh(scene.app, first.refresh_token);
  await minutesLater(almost);
  const third = await refresh(scene.app, second.refresh_token);
  t.true(await works(third));
  await minutesLater(almost + 5);
  await refused(t, refresh(scene.app, third.refresh_token), 'invalid_grant');
  await scene.page.context().close();
});

test('a refresh can narrow the scope, never widen it', async (t) => {
  const scene = await newScene(browser);
  const all = await newTokens(scene, 'calendar:read calendar:write');
  await refused(t, refresh(scene.app, all.refresh_token, 'calendar:read billing:read'), 'invalid_scope');
  const less = await refresh(scene.app, all.refresh_token, 'calendar:read');
  t.is(less.scope, 'calendar:read');
  isError(t, await client(less.access_token).post('/v1/bookings', {}), 403, 'auth_scope_insufficient');
  isError(t, await client(all.access_token).post('/v1/bookings', {}), 422, 'validation_failed');
  t.is((await refresh(scene.app, less.refresh_token)).scope, 'calendar:read calendar:write');
  await scene.page.context().close();
});

test('a revocation by the client of the grant applies in every process immediately', async (t) => {
  const scene = await newScene(browser, { public: false });
  const { app } = scene;
  const revoke = async (token: string, by = app) =>
    oauth.processRevocationResponse(
      await oauth.revocationRequest(by.server, by.client, by.authentication, token, INSECURE),
    );
  const [first, second] = [await newTokens(scene), await newTokens(scene)];
  const outsider = await startApp(scene.workspace.api, { public: false });
  apps.push(outsider);
  await revoke(first.access_token, outsider);
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
      revoker_profile_id: await findProfileId(scene.person.id),
    });
  }
  await scene.page.context().close();
});
