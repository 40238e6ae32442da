import { randomInt } from 'node:crypto';
import test from 'ava';
import { createMember } from '../../support/member-calls.js';
import { authorizeUrl, startApp } from '../../support/oauth-app.js';
import { newMember } from '../../support/people.js';
import { startApi } from '../../support/api-process.js';
import { db, dev } from '../../support/stack.js';
import { mailTo } from '../../support/simulators.js';
import { until } from '../../support/until.js';
import { Visitor } from '../../support/visitor.js';
import { WebSession } from '../../support/web-session.js';
import { newWorkspace, findOwnerEmail, uniqueEmail } from '../../support/workspaces.js';
import { addMember, at, newScene, refusals, signIn, readHeading } from './sso-calls.js';

const dashboard = ({ id }: { id: string }): string => at(`/dashboard/${id}`);
const isCallback = (url: string): boolean => url.includes('/callback?');

test('a member signs in through the workspace’s provider, from the page that asks for its name', async (t) => {
  const scene = await newScene(t);
  await addMember(
    scene.workspace,
    scene.provider.account.email!.toUpperCase().replace('EXAMPLE.COM', 'example.com'),
  );
  const visitor = new Visitor();
  const asked = await visitor.follow(at(`/sign-in/workspace?name=${scene.name.toUpperCase()}`));
  t.is(asked.url, at(`/sign-in/${scene.name}`));
  t.true(asked.html.includes('Continue with Okta'));
  const shown = await signIn(scene, visitor);
  t.true(shown.url.startsWith(dashboard(scene.workspace)), `${shown.url} ${readHeading(shown.html)}`);
  t.is(shown.response.status, 200);
  const audit = await scene.workspace.api.get('/v1/audit-log?action=session.created');
  t.like(audit.body.data[0], { details: { via: 'sso' } });
});

test('a provider’s session is for one workspace, and nothing else of the person is shown or changed', async (t) => {
  const scene = await newScene(t);
  const { email } = scene.provider.account;
  await addMember(scene.workspace, email!);
  const other = await newWorkspace();
  await addMember(other, email!);
  await db.query(`UPDATE profiles SET verified_at = now() WHERE email = $1`, [email]);
  await db.query(`UPDATE members SET accepted_at = now() WHERE workspace_id = $1`, [other.id]);
  const { visitor } = await signIn(scene);
  const page = await visitor.follow(dashboard(scene.workspace));
  const csrf = /name="csrf" value="([^"]+)"/.exec(page.html)![1]!;
  t.is((await visitor.send(dashboard(other))).status, 404, 'another workspace of theirs');
  t.is((await visitor.follow(at('/dashboard'))).url, page.url, 'their list of workspaces has this one');
  for (const path of [
    '/account',
    '/account/passkeys/new',
    '/sign-in/authenticator',
    `/account/memberships/${other.id}`,
  ])
    t.is((await visitor.send(at(path))).status, 403, path);
  const forms: [path: string, fields: Record<string, string>][] = [
    ['/account/email', { email: uniqueEmail(), workspace: scene.workspace.id }],
    ['/account/authenticator', {}],
    ['/account/recovery-codes', {}],
    ['/account/passkeys/start', {}],
    ['/account/passkeys', { passkey: '{}', name: 'x' }],
    ['/account/sessions/end', { handle: '5f8f7c1e-0000-4000-8000-000000000000' }],
    [`/account/memberships/${scene.workspace.id}`, {}],
    ['/sign-out/everywhere', {}],
    ['/sign-in/authenticator', { code: '123456' }],
    ['/passkeys/options/register', {}],
  ];
  for (const [path, fields] of forms) {
    const body = new URLSearchParams({ ...fields, csrf });
    t.is((await visitor.send(at(path), { method: 'POST', body })).status, 403, path);
  }
  const [profile] = await db.query(
    `SELECT accepted_at FROM members WHERE workspace_id = $1 AND role = 'member'`,
    [scene.workspace.id],
  );
  t.is(profile.accepted_at, null, 'the membership is not accepted by it');
});

test('a provider’s statements about a person change nothing about their own sign-in', async (t) => {
  const victim = uniqueEmail();
  const own = await newWorkspace();
  await addMember(own, victim);
  const session = await WebSession.start(victim);
  const scene = await newScene(t, { email: victim }, { required: 'everyone' });
  await addMember(scene.workspace, victim, { role: 'admin' });
  await signIn(scene);
  t.is(
    (await session.get(`/dashboard/${own.id}`)).status,
    200,
    'their own sign-in needs no second factor for it',
  );
  const [{ verified_at }] = await db.query(`SELECT verified_at FROM profiles WHERE email = $1`, [victim]);
  const unknown = await newScene(t);
  await addMember(unknown.workspace, unknown.provider.account.email!, { status: 'invited' });
  await signIn(unknown);
  const [unproven] = await db.query(`SELECT verified_at FROM profiles WHERE email = $1`, [
    unknown.provider.account.email,
  ]);
  t.truthy(verified_at);
  t.is(unproven.verified_at, null, 'a provider proves no mailbox');
});

test('a login ends once, and only in the browser that started it', async (t) => {
  const scene = await newScene(t);
  await addMember(scene.workspace, scene.provider.account.email!);
  const { visitor, url } = await signIn(scene, new Visitor(), isCallback);
  const elsewhere = await new Visitor().follow(url);
  t.is(readHeading(elsewhere.html), 'This sign-in began in another browser');
  const ended = await visitor.follow(url);
  t.true(ended.url.startsWith(dashboard(scene.workspace)), readHeading(ended.html));
  const again = await visitor.follow(url);
  t.is(readHeading(again.html), 'This sign-in has ended');
  const never = await visitor.follow(at(`/sso/${scene.workspace.id}/callback?code=x&state=y`));
  t.is(readHeading(never.html), 'Start from the sign-in page');
  t.deepEqual(await refusals(scene.workspace.id), [], 'public guests write nothing into the audit log');
});

test('a login that took too long is refused, and so is another workspace’s state', async (t) => {
  const [one, two] = [await newScene(t), await newScene(t)];
  for (const scene of [one, two]) await addMember(scene.workspace, scene.provider.account.email!);
  const begun = await signIn(one, new Visitor(), isCallback);
  const moved = begun.url.replace(one.workspace.id, two.workspace.id);
  t.is(readHeading((await begun.visitor.follow(moved)).html), 'Start from the sign-in page');
  await db.query(
    `UPDATE sso_logins SET created_at = created_at - interval '11 minutes' WHERE workspace_id = $1`,
    [one.workspace.id],
  );
  t.is(readHeading((await begun.visitor.follow(begun.url)).html), 'This sign-in took too long');
});

test('the provider’s subject identifies the member after the first login', async (t) => {
  const scene = await newScene(t);
  const { account } = scene.provider;
  const first = account.email!;
  const id = await addMember(scene.workspace, first);
  const other = await addMember(scene.workspace, uniqueEmail());
  await signIn(scene);
  scene.provider.account = { ...account, email: uniqueEmail() };
  const renamed = await signIn(scene);
  t.true(
    renamed.url.startsWith(dashboard(scene.workspace)),
    'an address that changes there moves nothing here',
  );
  const [{ profile_id }] = await db.query(`SELECT profile_id FROM members WHERE id = $1`, [id]);
  const sessions = await db.query(`SELECT DISTINCT profile_id FROM sessions WHERE workspace_id = $1`, [
    scene.workspace.id,
  ]);
  t.deepEqual(sessions, [{ profile_id }]);
  for (const sub of ['ada-1', 'ADA-1', 'Ada-2']) {
    scene.provider.account = { ...account, sub, email: first };
    t.is(readHeading((await signIn(scene)).html), 'Another account uses your email address', sub);
  }
  t.not(other, id);
});

test('an invited member becomes active by it, in this workspace only', async (t) => {
  const scene = await newScene(t);
  const id = await addMember(scene.workspace, scene.provider.account.email!, { status: 'invited' });
  const shown = await signIn(scene);
  t.true(shown.url.startsWith(dashboard(scene.workspace)), readHeading(shown.html));
  const member = await scene.workspace.api.get(`/v1/members/${id}`);
  t.is(member.body.status, 'active');
  const events = await scene.workspace.api.get('/v1/events?type=member.activated');
  t.is(events.body.data.length, 1);
});

test('a person who is not, or is no longer, a member is told whom to ask, on a page that does not redirect', async (t) => {
  const scene = await newScene(t);
  const outsider = await signIn(scene);
  t.is(readHeading(outsider.html), 'You are not a member yet');
  const id = await addMember(scene.workspace, scene.provider.account.email!);
  await db.query(`UPDATE members SET status = 'archived', archived_at = now() WHERE id = $1`, [id]);
  const archived = await signIn(scene);
  t.is(readHeading(archived.html), 'Your membership has ended');
  t.notRegex(archived.html, /http-equiv="refresh"/);
  t.deepEqual(await refusals(scene.workspace.id), ['unknown_member', 'archived']);
  scene.provider.account.email = undefined;
  scene.provider.account.sub = 'nobody';
  t.is(readHeading((await signIn(scene)).html), 'Your email address is missing');
});

test('an unknown address of a provisioned domain becomes a member that the service does not bill', async (t) => {
  const domain = `d${Date.now()}.example`;
  const scene = await newScene(
    t,
    { email: `New.Person@${domain}`, name: 'New Person' },
    {
      provision: { tier: 'plus', domains: [domain] },
    },
  );
  t.true((await signIn(scene)).url.startsWith(dashboard(scene.workspace)));
  const [member] = (await scene.workspace.api.get('/v1/members?limit=100')).body.data.filter(
    ({ email }: { email: string }) => email.endsWith(domain),
  );
  t.like(member, { name: 'New Person', role: 'member', tier: 'plus', status: 'active', billed: false });
  for (const email of [`a@sub.${domain}`, `a@evil${domain}`, `"a@${domain}"@evil.example`]) {
    scene.provider.account = { sub: email, email };
    const { response } = await signIn(scene);
    t.is(response.status, 403, email);
  }
});

test('people who must use the provider enter the workspace only through it, even with an open session', async (t) => {
  const scene = await newScene(t, {}, { required: 'none' });
  const { workspace } = scene;
  const [desk, member] = [await newMember(workspace, { role: 'front_desk' }), await newMember(workspace)];
  const [atDesk, guest] = [await WebSession.start(desk.email), await WebSession.start(member.email)];
  const owner = await WebSession.start(await findOwnerEmail(workspace.id));
  await owner.enrol();
  const page = `/dashboard/${workspace.id}/membership`;
  const statuses = async () => [
    (await atDesk.get(page)).status,
    (await guest.get(page)).status,
    (await owner.get(page)).status,
  ];
  const requiring = (required: string) =>
    db.query(`UPDATE sso_connections SET required = $2 WHERE workspace_id = $1`, [workspace.id, required]);
  t.deepEqual(await statuses(), [200, 200, 200]);
  await requiring('staff');
  t.deepEqual(await statuses(), [403, 200, 200]);
  t.true((await atDesk.getText(page)).includes(`/sign-in/${scene.name}`));
  await requiring('everyone');
  t.deepEqual(await statuses(), [403, 403, 200], 'the owner is exempt');
  scene.provider.stop();
  t.deepEqual(await statuses(), [403, 403, 200], 'it stays in force while the provider is down');
  t.is((await desk.api.get('/v1/bookings')).status, 200, 'keys stay');
});

test('the mail of a sign-in link has the address of the page that the person must use', async (t) => {
  const scene = await newScene(t, {}, { required: 'everyone' });
  const { email } = await newMember(scene.workspace);
  const ask = async (): Promise<string[]> => {
    const before = (await mailTo(email)).length;
    const body = new URLSearchParams({ email });
    const sent = await new Visitor().send(at('/sign-in'), { method: 'POST', body });
    t.true((await sent.text()).includes('Check your email'), 'the page is that of any address');
    const mail = await until(async () => (await mailTo(email))[before]);
    await db.query(`DELETE FROM sign_in_links WHERE email = $1`, [email]);
    return mail.links;
  };
  const [link, page] = await ask();
  t.true(link!.startsWith(at('/sign-in/link?token=')), 'to set up a second factor, for example');
  t.is(page, at(`/sign-in/${scene.name}`));
  const other = await newScene(t, {}, { required: 'everyone' });
  await addMember(other.workspace, email);
  t.is((await ask()).length, 2, 'a workspace that has only added them writes nothing into their mail');
});

test('enforcement cannot be combined with settings that are switched off', async (t) => {
  const { workspace } = await newScene(t, {}, { required: 'everyone' });
  await t.throwsAsync(
    db.query(`UPDATE sso_connections SET enabled = false WHERE workspace_id = $1`, [workspace.id]),
    { message: /check/ },
  );
});

test('a role that needs a second factor is asked for its own, unless the workspace trusts the provider’s', async (t) => {
  const scene = await newScene(t);
  const { email } = scene.provider.account;
  const id = await addMember(scene.workspace, email!, { role: 'admin' });
  const without = await signIn(scene);
  t.is(readHeading(without.html), 'Set up two-step verification first');
  t.is((await without.visitor.send(dashboard(scene.workspace))).status, 302, 'nothing is open before');
  await db.query(`UPDATE members SET accepted_at = now() WHERE id = $1`, [id]);
  const own = await WebSession.start(email!);
  await own.enrol();
  t.is(readHeading((await signIn(scene)).html), 'Two-step verification');
  await db.query(`UPDATE sso_connections SET trust_second_factor = true WHERE workspace_id = $1`, [
    scene.workspace.id,
  ]);
  t.true((await signIn(scene)).url.startsWith(dashboard(scene.workspace)));
});

test('a workspace that has only added somebody learns nothing about their second factor, and cannot try codes', async (t) => {
  const victim = uniqueEmail();
  await addMember(await newWorkspace(), victim);
  const own = await WebSession.start(victim);
  await own.enrol();
  const scene = await newScene(t, { email: victim });
  await addMember(scene.workspace, victim, { role: 'admin' });
  const { visitor, html } = await signIn(scene);
  t.is(readHeading(html), 'Set up two-step verification first');
  const csrf = /name="csrf" value="([^"]+)"/.exec(html)![1]!;
  for (const path of ['/sign-in/code', '/passkeys/options/proof', '/sign-in/code/passkey']) {
    const body = new URLSearchParams({ code: '123456', passkey: '{}', csrf });
    t.is((await visitor.send(at(path), { method: 'POST', body })).status, 302, path);
  }
  const [{ failures }] = await db.query(
    `SELECT failures FROM second_factors WHERE profile_id = (SELECT id FROM profiles WHERE email = $1)`,
    [victim],
  );
  t.is(failures, 0);
});

test('a login in progress when the provider is replaced or switched off signs nobody in', async (t) => {
  for (const change of [
    `provider = jsonb_set(provider, '{client_id}', '"another"')`,
    `enabled = false, required = 'none'`,
  ]) {
    const scene = await newScene(t);
    await addMember(scene.workspace, scene.provider.account.email!);
    scene.provider.beforeClaims = () =>
      db.query(`UPDATE sso_connections SET ${change} WHERE workspace_id = $1`, [scene.workspace.id]);
    const { html } = await signIn(scene);
    t.is(readHeading(html), 'This sign-in took too long', change);
    const left = `SELECT FROM sessions WHERE workspace_id = $1 UNION ALL SELECT FROM sso_subjects
      WHERE workspace_id = $1`;
    t.deepEqual(await db.query(left, [scene.workspace.id]), [], change);
  }
});

test('an owner whom the provider has signed in creates no key and resets no second factor', async (t) => {
  const scene = await newScene(t, {}, { trust_second_factor: true });
  scene.provider.account.email = await findOwnerEmail(scene.workspace.id);
  const { visitor } = await signIn(scene);
  const keys = `/dashboard/${scene.workspace.id}/keys`;
  const page = await visitor.follow(at(keys));
  const fields = { name: 'Till', days: '1', 'scope.resources': 'workspace', 'scope.actions': 'write' };
  t.is(readHeading((await visitor.submit(page, keys, fields)).html), 'Sign in with your email address');
  const site = { name: 'Site', origins: 'https://www.example.com' };
  const sites = `${keys}/publishable`;
  const refused = await visitor.submit(await visitor.follow(at(sites)), sites, site);
  t.is(readHeading(refused.html), 'Sign in with your email address');

  const admin = await newMember(scene.workspace, { role: 'admin' });
  await (await WebSession.start(admin.email)).enrol();
  const member = `/dashboard/${scene.workspace.id}/members/${admin.id}`;
  const profile = await visitor.follow(at(member));
  const reset = await visitor.submit(profile, `${member}/reset-second-factor`, { code: '000000' });
  t.is(readHeading(reset.html), 'Sign in with your email address');
});

test('in a provider’s session, another workspace’s invite and application lead to the person’s own sign-in', async (t) => {
  const scene = await newScene(t);
  const email = scene.provider.account.email!;
  await addMember(scene.workspace, email);
  const { visitor } = await signIn(scene);
  const other = await newWorkspace();
  await createMember(other.api, { email, send_invite: true });
  const link = await until(async () =>
    (await mailTo(email)).flatMap(({ links }) => links).find((one) => one.includes('/invite/')),
  );
  const { url } = await visitor.follow(at(new URL(link).pathname));
  const joined = await visitor.send(url, { method: 'POST', body: new URLSearchParams({ name: 'Ada' }) });
  t.true((await joined.text()).includes('We’ve sent a sign-in link to'), String(joined.status));
  const app = await startApp(other.api);
  t.teardown(app.close);
  const shown = await visitor.follow((await authorizeUrl(app, 'calendar:read')).address);
  t.is(readHeading(shown.html), 'Sign in with your email address');
  t.true(shown.html.includes('/sign-in?return_to=%2Foauth%2Fconsent%2F'));
});

test('an application asks a person only once they have accepted the membership, also in a provider’s session', async (t) => {
  const scene = await newScene(t);
  await addMember(scene.workspace, scene.provider.account.email!);
  const { visitor } = await signIn(scene);
  const app = await startApp(scene.workspace.api);
  t.teardown(app.close);
  const shown = await visitor.follow((await authorizeUrl(app, 'calendar:read')).address);
  t.is(readHeading(shown.html), 'Accept your membership first');
  const after = `/account/memberships/${scene.workspace.id}?return_to=%2Foauth%2Fconsent%2F`;
  t.true(shown.html.includes(`name="return_to" value="${after}`), shown.html);
});

test('a fresh proof is a new login of the same person at the provider, which says when, and ends copies of the session', async (t) => {
  const scene = await newScene(t, {}, { trust_second_factor: true });
  const { account } = scene.provider;
  await addMember(scene.workspace, account.email!, { role: 'admin' });
  const { visitor } = await signIn(scene);
  const keys = `/dashboard/${scene.workspace.id}/keys`;
  const create = async () => {
    const page = await visitor.follow(at(keys));
    return visitor.submit(page, keys, {
      name: 'Till',
      days: '1',
      'scope.resources': 'calendar',
      'scope.actions': 'read',
    });
  };
  const asked = await create();
  t.true(asked.html.includes('Confirm at Okta'), readHeading(asked.html));
  const confirm = async () => {
    visitor.forget(scene.provider.issuer);
    return visitor.submit(await visitor.follow(at('/sso/proof')), '/sso/proof');
  };
  scene.provider.account = { ...account, sub: 'Somebody-else' };
  t.is(readHeading((await confirm()).html), 'Another account uses your email address');
  t.true((await create()).html.includes('Confirm at Okta'));
  scene.provider.account = account;
  const copy = visitor.copy();
  t.is(readHeading((await confirm()).html), 'Confirmed');
  t.is((await copy.send(at(keys))).status, 302, 'a copied session has ended');
  const continued = await visitor.submit(asked, keys);
  t.false(continued.html.includes('Confirm at Okta'), readHeading(continued.html));
  await db.query(
    `UPDATE sessions SET provider_proof_at = provider_proof_at - interval '16 minutes'
      WHERE workspace_id = $1`,
    [scene.workspace.id],
  );
  t.true(
    (await create()).html.includes('Confirm at Okta'),
    'after a quarter of an hour it is asked for again',
  );
});

test('a provider that is down is named on a page that does not loop', async (t) => {
  const scene = await newScene(t);
  scene.provider.stop();
  await new Promise((resolve) => setImmediate(resolve));
  const shown = await signIn(scene);
  t.is(shown.response.status, 502);
  t.is(readHeading(shown.html), 'Your sign-in provider does not respond');
  t.notRegex(shown.html, /http-equiv="refresh"/);
});

test('sessions end when single sign-on is switched off, after 12 hours, and sooner if the provider says so', async (t) => {
  const scene = await newScene(t);
  await addMember(scene.workspace, scene.provider.account.email!);
  const { visitor, url } = await signIn(scene);
  const [{ hours }] = await db.query(
    `SELECT extract(epoch FROM expires_at - created_at) / 3600 AS hours FROM sessions
      WHERE workspace_id = $1`,
    [scene.workspace.id],
  );
  t.is(Math.round(Number(hours)), 12);
  t.is((await visitor.send(url)).status, 200);
  await db.query(`UPDATE sso_connections SET enabled = false WHERE workspace_id = $1`, [scene.workspace.id]);
  t.is((await visitor.send(url)).status, 302);
  t.is((await visitor.send(at(`/sign-in/${scene.name}`))).status, 404);
});

/** A different one in each run, as a bucket outlives a run that is repeated. */
const newAddress = (): string => `100.72.${randomInt(256)}.${randomInt(256)}`;

test('an address starts at most 30 logins a minute at a provider', async (t) => {
  const scene = await newScene(t);
  const { baseUrl } = await startApi({
    ALLOW_PRIVATE_WEBHOOKS: 'true',
    RATE_LIMIT_SCALE: '1',
    TRUSTED_PROXIES: '1',
    PUBLIC_URL: dev.baseUrl,
  });
  const start = async (address: string): Promise<number> => {
    const response = await fetch(`${baseUrl}/sign-in/${scene.name}`, {
      method: 'POST',
      body: new URLSearchParams({ return_to: '' }),
      headers: { origin: dev.baseUrl, 'x-forwarded-for': address },
    });
    return response.status;
  };
  const [address, other] = [newAddress(), newAddress()];
  const statuses: number[] = [];
  while (statuses.length < 50 && statuses.at(-1) !== 429) statuses.push(await start(address));
  t.is(statuses.at(-1), 429, statuses.join(' '));
  // Meanwhile one is refilled every two seconds.
  t.true(statuses.length > 30, statuses.join(' '));
  t.is(await start(other), 200, 'another address is not concerned');
});

test('the sign-in page reveals nothing about addresses, and unknown names lead nowhere', async (t) => {
  const scene = await newScene(t);
  const shown = await new Visitor().follow(at(`/sign-in/${scene.name}`));
  t.false(shown.html.slice(shown.html.indexOf('<h1')).includes('@'));
  for (const name of ['nobody-knows', '%00', 'a'.repeat(300)])
    t.is((await new Visitor().send(at(`/sign-in/${name}`))).status, 404, name);
  t.is((await fetch(`${dev.baseUrl}/sso/${scene.workspace.id}/metadata`)).status, 200);
  t.is((await fetch(`${dev.baseUrl}/sso/ws_unknown/metadata`)).status, 404);
});
