import test from 'ava';
import { acceptCandidate, saveCandidate } from '../../../commands/single-sign-on/settings.js';
import { transaction } from '../../../db/transaction.js';
import { DAY_MS } from '../../../domain/durations.js';
import { newMember } from '../../support/people.js';
import { certificateUntil, samlConnection } from '../../support/certificates.js';
import { alertText, openAs, openOffice, pageText } from '../../support/dashboard.js';
import { storeConnections, storeSignInNames, storeSubjects } from '../../support/rows.js';
import { db, dev } from '../../support/stack.js';
import { mailTo } from '../../support/simulators.js';
import { until } from '../../support/until.js';
import { readNotice } from '../../support/web-session.js';
import { newWorkspace, findOwnerEmail, uniqueEmail } from '../../support/workspaces.js';
import { isoDay, runJob } from '../../support/tier-calls.js';
import {
  connected,
  enter,
  newOffice,
  RULES,
  runTest,
  save,
  signInAtProvider,
  uniqueName,
} from './sso-settings-calls.js';

const findConnection = async (workspaceId: string) =>
  (await db.query(`SELECT * FROM sso_connections WHERE workspace_id = $1`, [workspaceId]))[0];

const readProblem = async (response: Response): Promise<string> => alertText(await response.text());

const listEntries = async (workspaceId: string, action: string) =>
  (
    await db.query(`SELECT details FROM audit_log WHERE workspace_id = $1 AND action = $2 ORDER BY id`, [
      workspaceId,
      action,
    ])
  ).map(({ details }: { details: unknown }) => details);

test('a provider is in use once a test has passed, also with a secret that was copied with a space', async (t) => {
  const office = await newOffice(t);
  const { workspace, provider } = office;
  const sign_in_name = uniqueName();
  t.is((await save(office, '/name', { sign_in_name })).status, 302);
  const saved = await save(office, '/oidc', { ...office.form, client_secret: ' a secret \n' });
  t.is(saved.status, 302);
  t.regex(readNotice(saved) ?? '', /Run the test/);
  t.is((await workspace.api.get('/v1/workspace')).body.sso, null);
  t.is(await findConnection(workspace.id), undefined);

  const { status, html } = await runTest(office);
  t.is(status, 200, html);
  const words = pageText(html);
  t.regex(words, /Test passed/);
  t.true(words.includes('Ada-1') && words.includes(provider.account.email!));
  t.regex(words, /No member of this workspace has/);
  t.deepEqual((await workspace.api.get('/v1/workspace')).body.sso, {
    protocol: 'oidc',
    name: 'House ID',
    enabled: false,
    required: 'none',
  });

  t.is((await save(office, '/rules', { ...RULES, enabled: 'on', required: 'staff' })).status, 302);
  t.like((await workspace.api.get('/v1/workspace')).body.sso, { enabled: true, required: 'staff' });
  t.is((await workspace.api.patch('/v1/workspace', { sso: null } as never)).status, 422);
  t.deepEqual(await listEntries(workspace.id, 'sso.tested'), [{ passed: true, reason: null }]);
  const updates = JSON.stringify(await listEntries(workspace.id, 'sso.updated'));
  t.regex(updates, /"client_secret":"saved"/);
  t.false(updates.includes('a secret'));
  const email = await findOwnerEmail(workspace.id);
  const mails = await until(async () => {
    const all = await mailTo(email);
    return all.filter(({ subject }) => subject.includes('Single sign-on was changed')).length >= 3 && all;
  });
  t.true(mails.some(({ text }) => text.includes(provider.issuer)));
});

test('a wrong secret fails the test with advice, changes nothing, and is never shown', async (t) => {
  const office = await newOffice(t);
  await connected(office);
  const before = await findConnection(office.workspace.id);
  await save(office, '/oidc', { ...office.form, client_secret: 'another secret' });
  const { status, html } = await runTest(office);
  t.is(status, 422);
  t.regex(pageText(html), /The provider refused the sign-in\..*client ID or secret is wrong/);
  t.deepEqual(await findConnection(office.workspace.id), before);
  t.like((await listEntries(office.workspace.id, 'sso.tested')).at(-1), {
    passed: false,
    reason: 'provider_error',
  });
  const page = await office.session.getText(office.at);
  t.regex(pageText(page), /Test these settings to use them/);
  t.false(page.includes('another secret'));

  // The old settings still work, and without a new secret the saved one of the same client stays.
  await save(office, '/discard');
  await save(office, '/oidc', { ...office.form, client_secret: '', provider_name: 'Renamed' });
  t.is((await runTest(office)).status, 200);
  t.is((await findConnection(office.workspace.id)).name, 'Renamed');
});

test('the saved secret is not sent to another issuer', async (t) => {
  const office = await newOffice(t);
  await connected(office);
  const other = await newOffice(t);
  await save(office, '/oidc', { ...office.form, issuer: other.provider.issuer, client_secret: '' });
  const [candidate] = await db.query(`SELECT client_secret FROM sso_candidates WHERE workspace_id = $1`, [
    office.workspace.id,
  ]);
  t.is(candidate.client_secret, null);
});

test('a test whose settings are edited in the meantime saves nothing, and nobody else sees its result', async (t) => {
  const office = await newOffice(t);
  await save(office, '/oidc', office.form);
  const first = await signInAtProvider(office);
  await save(office, '/oidc', { ...office.form, provider_name: 'Edited' });
  const late = await office.session.get(first);
  t.is(late.status, 409);
  t.is(await findConnection(office.workspace.id), undefined);

  const second = await signInAtProvider(office);
  const admin = await openAs(office.workspace, { role: 'admin' });
  const seen = await admin.session.get(second);
  t.true(seen.status >= 400);
  t.false((await seen.text()).includes('Ada-1'));
  t.is(await findConnection(office.workspace.id), undefined);
});

test('another provider ends the previous one’s sessions and bindings, and other certificates end nothing', async (t) => {
  const office = await newOffice(t);
  const member = await newMember(office.workspace);
  office.provider.account = { sub: 'Ada-1', email: member.email, name: 'Ada' };
  const name = await connected(office);
  const { visitor, url } = await enter(name);
  t.true(url.includes(`/dashboard/${office.workspace.id}`), url);
  const subjects = async () =>
    (await db.query(`SELECT subject FROM sso_subjects WHERE workspace_id = $1`, [office.workspace.id]))
      .length;
  t.is(await subjects(), 1);

  // The same settings again.
  t.is((await runTest(office)).status, 200);
  t.is((await visitor.send(url)).status, 200);
  t.is(await subjects(), 1);

  const other = await newOffice(t);
  await db.query(
    `UPDATE sso_connections SET provider = jsonb_set(provider, '{issuer}', $2) WHERE workspace_id = $1`,
    [office.workspace.id, JSON.stringify(other.provider.issuer)],
  );
  await save(office, '/oidc', office.form);
  t.is((await runTest(office)).status, 200);
  t.is(await subjects(), 0);
  t.is((await visitor.send(url)).status, 302, 'the session has ended');
});

test('certificates change without signing anybody out, and both work in between', async (t) => {
  const workspace = await newWorkspace();
  const member = await newMember(workspace);
  const [old, next] = [
    await certificateUntil(new Date(Date.now() + DAY_MS)),
    await certificateUntil(new Date(Date.now() + 900 * DAY_MS)),
  ];
  const connection = samlConnection(workspace.id, old);
  await storeConnections(db, [connection]);
  await storeSubjects(db, [
    { workspace_id: workspace.id, member_id: member.id, subject: 'Ada-1', created_at: new Date() },
  ]);
  const by = { workspace_id: workspace.id, member_id: workspace.ownerId, key_id: null };
  const provider = { ...connection.provider!, certificates: [old, next] } as never;
  await transaction(db, (tx) =>
    saveCandidate(tx, workspace.id, { name: 'Harbour ID', provider, client_secret: null }),
  );
  t.deepEqual((await findConnection(workspace.id)).provider.certificates, [old], 'until a test has passed');
  const [{ id }] = await db.query(`SELECT id FROM sso_candidates WHERE workspace_id = $1`, [workspace.id]);
  t.true(await acceptCandidate(db, by, id));
  t.deepEqual((await findConnection(workspace.id)).provider.certificates, [old, next]);
  t.is((await db.query(`SELECT FROM sso_subjects WHERE workspace_id = $1`, [workspace.id])).length, 1);
  t.true((await findConnection(workspace.id)).enabled);
  const [entry] = (await listEntries(workspace.id, 'sso.updated')) as { after: { certificates: string[] } }[];
  t.is(entry!.after.certificates.length, 2);
  t.false(await acceptCandidate(db, by, id), 'once');
});

test('a sign-in name is unique, not one of our pages, and reserved for its workspace for 90 days after a change', async (t) => {
  const [office, other] = [await newOffice(t), await newOffice(t)];
  const name = uniqueName();
  for (const [bad, why] of [
    ['ab', /3 to 40/],
    ['-house', /begin and end/],
    ['the house', /3 to 40/],
    ['passkey', /page of this service/],
    ['workspace', /page of this service/],
  ] as const)
    t.regex(await readProblem(await save(office, '/name', { sign_in_name: bad })), why, bad);
  t.is((await save(office, '/name', { sign_in_name: name.toUpperCase() })).status, 302);
  t.regex(await readProblem(await save(other, '/name', { sign_in_name: name })), /another workspace/);
  await db.query(
    `INSERT INTO sso_connections (workspace_id, name, provider, enabled) VALUES ($1, 'ID', $2, true)`,
    [
      office.workspace.id,
      JSON.stringify({ protocol: 'oidc', issuer: office.provider.issuer, client_id: 'holdfast' }),
    ],
  );
  const open = async (page: string) => (await fetch(`${dev.baseUrl}/sign-in/${page}`)).status;
  t.is(await open(name), 200);

  const next = uniqueName();
  t.is((await save(office, '/name', { sign_in_name: next })).status, 302);
  t.is(await open(name), 404);
  t.is(await open(next), 200);
  t.regex(await readProblem(await save(other, '/name', { sign_in_name: name })), /within the last 90 days/);
  t.is((await save(office, '/name', { sign_in_name: name })).status, 302, 'its own may take it back');
  t.is(await open(name), 200);
  await db.query(`UPDATE sign_in_names SET left_at = now() - interval '91 days' WHERE name = $1`, [next]);
  t.is((await save(other, '/name', { sign_in_name: next })).status, 302);
  t.is(await open(next), 404, 'of a workspace without single sign-on');
});

test('a workspace cannot reserve any number of names', async (t) => {
  const office = await newOffice(t);
  const left = Array.from({ length: 10 }, () => ({
    name: uniqueName(),
    workspace_id: office.workspace.id,
    left_at: new Date(),
  }));
  await storeSignInNames(db, [...left, { name: uniqueName(), workspace_id: office.workspace.id }]);
  t.regex(
    await readProblem(await save(office, '/name', { sign_in_name: uniqueName() })),
    /10 times in 90 days/,
  );
});

test('required single sign-on stays in force: it cannot be switched off, and settings that fail change nothing', async (t) => {
  const office = await newOffice(t);
  await save(office, '/oidc', office.form);
  t.is((await runTest(office)).status, 200);
  t.regex(
    await readProblem(await save(office, '/rules', { ...RULES, enabled: 'on' })),
    /Choose a sign-in name first/,
  );
  await save(office, '/name', { sign_in_name: uniqueName() });
  t.is((await save(office, '/rules', { ...RULES, enabled: 'on', required: 'everyone' })).status, 302);
  const member = await openAs(office.workspace, { role: 'member' });
  const isRefused = async () => (await member.session.get(`${member.home}/bookings`)).status === 403;
  t.true(await isRefused());

  t.regex(
    await readProblem(await save(office, '/rules', { ...RULES, required: 'everyone' })),
    /cannot be turned off while it is required/,
  );
  // Settings without a secret, and a test that fails with them.
  await save(office, '/oidc', { ...office.form, client_id: 'unknown', client_secret: '' });
  t.true(await isRefused());
  const begun = await save(office, '/test');
  t.is(begun.status, 200);
  office.provider.stop();
  t.true(await isRefused(), 'also while the provider does not respond');
  await db.query(`UPDATE sso_connections SET provider = provider - 'client_id' WHERE workspace_id = $1`, [
    office.workspace.id,
  ]);
  t.true(await isRefused(), 'also with settings that are incomplete');
  t.is((await office.session.get(office.at)).status, 200, 'the owner is exempt');
  t.is((await save(office, '/rules', RULES)).status, 302, 'and may require it of nobody');
  t.false(await isRefused());
});

test('switching it off ends the provider’s sessions, while API keys and own sessions stay', async (t) => {
  const office = await newOffice(t);
  const member = await newMember(office.workspace);
  office.provider.account = { sub: 'Ada-1', email: member.email };
  const { visitor, url } = await enter(await connected(office));
  t.is((await visitor.send(url)).status, 200);
  t.is((await save(office, '/rules', RULES)).status, 302);
  t.is((await visitor.send(url)).status, 302);
  await save(office, '/rules', { ...RULES, enabled: 'on' });
  t.is((await visitor.send(url)).status, 302, 'they do not come back');
  t.is((await office.session.get(office.at)).status, 200);
});

test('domains of new people are stored as A-labels, and domains where anybody can get an address are refused', async (t) => {
  const office = await newOffice(t);
  await connected(office);
  const provision = (domains: string) =>
    save(office, '/rules', { ...RULES, enabled: 'on', provision: 'on', domains });
  t.regex(
    await readProblem(await provision('example.com, gmail.com')),
    /Anyone can get an address at gmail\.com/,
  );
  t.regex(await readProblem(await provision('localhost')), /is not a domain/);
  t.regex(await readProblem(await provision('')), /missing/);
  t.is((await provision('@München.de Example.COM. example.com')).status, 302);
  t.deepEqual((await findConnection(office.workspace.id)).provision, {
    tier: 'basic',
    domains: ['xn--mnchen-3ya.de', 'example.com'],
  });
});

test('multi-tenant issuers, private addresses and unassigned addresses are refused with the reason', async (t) => {
  const office = await newOffice(t);
  const refusal = async (fields: Record<string, string>) =>
    readProblem(await save(office, '/oidc', { ...office.form, ...fields }));
  for (const tenant of ['common', 'organizations', 'Consumers'])
    t.regex(
      await refusal({ issuer: `https://login.microsoftonline.com/${tenant}/v2.0` }),
      /your own tenant/,
      tenant,
    );
  const microsoft = { kind: 'microsoft', tenant: 'common' };
  t.regex(await refusal(microsoft), /your own tenant/);
  t.regex(await refusal({ ...microsoft, tenant: 'contoso.com' }), /Directory \(tenant\) ID/);
  for (const host of ['255.255.255.255', '224.0.0.1', '[fe80::1]'])
    t.regex(
      await refusal({ issuer: `https://${host}` }),
      /cannot be reached|does not accept|did not respond/,
      host,
    );
  t.regex(await refusal({ issuer: `${dev.baseUrl}` }), /responded with 404/);
  t.regex(await refusal({ issuer: 'house' }), /https URL/);
  t.regex(
    await refusal({ issuer: `${office.provider.issuer.replace('localhost', '127.0.0.1')}` }),
    /does not accept|The issuer of this provider is/,
  );
  t.is(
    (
      await save(office, '/oidc', {
        ...office.form,
        issuer: `${office.provider.issuer}/.well-known/openid-configuration`,
      })
    ).status,
    302,
  );
});

const metadata = (...certificates: string[]): string => {
  const keys = certificates.map(
    (pem) =>
      '<KeyDescriptor use="signing"><KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data>' +
      `<X509Certificate>${pem.replaceAll(/-----[^-]+-----|\s/g, '')}</X509Certificate>` +
      '</X509Data></KeyInfo></KeyDescriptor>',
  );
  return (
    '<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="https://id.example/saml">' +
    '<IDPSSODescriptor protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol" ' +
    `WantAuthnRequestsSigned="true">${keys.join('')}` +
    '<SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" ' +
    'Location="https://id.example/sso"/></IDPSSODescriptor></EntityDescriptor>'
  );
};

test('all certificates in metadata are read, even if the first has expired, and the page says so', async (t) => {
  const office = await newOffice(t);
  const [expired, soon] = [
    await certificateUntil(new Date(Date.now() - DAY_MS)),
    await certificateUntil(new Date(Date.now() + 20 * DAY_MS)),
  ];
  const form = {
    provider_name: 'SAML',
    binding: 'redirect',
    sign_requests: 'metadata',
    metadata: metadata(expired, soon),
  };
  t.is((await save(office, '/saml', form)).status, 302);
  const [{ provider }] = await db.query(`SELECT provider FROM sso_candidates WHERE workspace_id = $1`, [
    office.workspace.id,
  ]);
  t.is(provider.certificates.length, 2);
  t.like(provider, {
    entity_id: 'https://id.example/saml',
    sso_url: 'https://id.example/sso',
    sign_requests: true,
  });
  const page = pageText(await office.session.getText(`${office.at}?provider=saml`));
  t.regex(page, /Sign-in still works while the provider/);
  t.regex(page, /It expires soon/);
  t.regex(page, new RegExp(`/sso/${office.workspace.id}/metadata|ACS URL`));

  const hand = {
    ...form,
    metadata: '',
    entity_id: 'https://id.example/saml',
    sso_url: 'https://id.example/sso',
  };
  t.is((await save(office, '/saml', { ...hand, certificates: `${expired}\n${soon}` })).status, 302);
  t.regex(
    await readProblem(await save(office, '/saml', { ...hand, certificates: 'nonsense' })),
    /certificate/i,
  );
  t.regex(
    await readProblem(
      await save(office, '/saml', { ...hand, certificates: soon, sso_url: 'javascript:alert(1)' }),
    ),
    /https URL/,
  );
  t.regex(await readProblem(await save(office, '/saml', { ...form, metadata: '<a/>' })), /not the metadata/);
  t.regex(
    await readProblem(await save(office, '/saml', { ...form, metadata: '' })),
    /Choose a metadata file/,
  );
});

test('an owner signed in by the provider cannot configure it, transfer ownership, or change where money goes', async (t) => {
  const office = await newOffice(t);
  const { id } = office.workspace;
  office.provider.account = { sub: 'Owner-1', email: await findOwnerEmail(id) };
  const { visitor, url, html } = await enter(await connected(office, { trust_second_factor: 'on' }));
  t.true(url.includes(`/dashboard/${id}`), html);
  const home = `${dev.baseUrl}/dashboard/${id}`;
  const before = await findConnection(id);
  const member = await newMember(office.workspace);
  await db.query(`UPDATE members SET accepted_at = now() WHERE id = $1`, [member.id]);
  const forms: [string, string, Record<string, string>][] = [
    ['/sign-in', '/sign-in/rules', RULES],
    ['/sign-in', '/sign-in/name', { sign_in_name: uniqueName() }],
    ['/sign-in', '/sign-in/test', {}],
    ['/ownership', '/ownership', { member_id: member.id }],
    [
      '/settings/invoices',
      '/settings/invoices',
      { tax_name: 'VAT', invoice_prefix: 'TH', payment_instructions: 'IBAN of another' },
    ],
  ];
  for (const [from, action, fields] of forms) {
    const page = await visitor.follow(home + from);
    const answer = await visitor.submit(page, `/dashboard/${id}${action}`, fields);
    t.is(answer.response.status, 403, action);
    t.regex(pageText(answer.html), /sign in with your own email address/, action);
    t.true(
      answer.html.includes(
        `/sign-in?return_to=${encodeURIComponent(`/dashboard/${id}${from.replace('/invoices', '')}`)}`,
      ),
      action,
    );
  }
  t.deepEqual(await findConnection(id), before);
  t.is((await office.workspace.api.get('/v1/workspace')).body.payment_instructions, null);
});

test('every change of the settings asks for a fresh proof, and changes nothing before', async (t) => {
  const office = await newOffice(t);
  await connected(office);
  const before = await findConnection(office.workspace.id);
  await db.query(
    `UPDATE sessions SET second_factor_at = now() - interval '16 minutes'
     WHERE profile_id = (SELECT id FROM profiles WHERE email = $1)`,
    [await findOwnerEmail(office.workspace.id)],
  );
  for (const [form, fields] of [
    ['/name', { sign_in_name: uniqueName() }],
    ['/oidc', office.form],
    ['/test', {}],
    ['/rules', RULES],
  ] as [string, Record<string, string>][]) {
    const asked = await (await save(office, form, fields)).text();
    t.true(asked.includes('Confirm that it’s you'), form);
  }
  t.deepEqual(await findConnection(office.workspace.id), before);
});

test('a forgotten login and another address bind a member anew, an erasure deletes the binding, and an archive keeps it', async (t) => {
  const office = await newOffice(t);
  const { workspace, session, provider } = office;
  const name = await connected(office);
  const findSubject = async (id: string) =>
    (await db.query(`SELECT subject FROM sso_subjects WHERE member_id = $1`, [id]))[0]?.subject ?? null;
  const bind = async (sub: string) => {
    const member = await newMember(workspace);
    provider.account = { sub, email: member.email };
    const entered = await enter(name);
    t.is(await findSubject(member.id), sub);
    return { ...member, ...entered };
  };
  const page = (id: string) => `/dashboard/${workspace.id}/members/${id}`;

  const forgotten = await bind('F-1');
  const answer = await session.submit(page(forgotten.id), `${page(forgotten.id)}/forget-login`);
  t.is(answer.status, 302);
  t.is(await findSubject(forgotten.id), null);
  t.is((await forgotten.visitor.send(forgotten.url)).status, 302, 'the session has ended');
  t.deepEqual(await listEntries(workspace.id, 'sso.forgotten'), [{}]);
  provider.account = { sub: 'F-2', email: forgotten.email };
  await enter(name);
  t.is(await findSubject(forgotten.id), 'F-2');

  const moved = await bind('M-1');
  t.is((await workspace.api.patch(`/v1/members/${moved.id}`, { email: uniqueEmail() })).status, 200);
  t.is(await findSubject(moved.id), null);

  const archived = await bind('A-1');
  t.is((await workspace.api.post(`/v1/members/${archived.id}/archive`)).status, 200);
  t.is(await findSubject(archived.id), 'A-1');
  t.is((await workspace.api.delete(`/v1/members/${archived.id}`)).status, 204);
  t.is(await findSubject(archived.id), null);
});

test('only those who may change an address may forget a login, so an admin cannot forget the owner’s', async (t) => {
  const { workspace } = await openOffice();
  await storeSubjects(db, [
    { workspace_id: workspace.id, member_id: workspace.ownerId, subject: 'O-1', created_at: new Date() },
  ]);
  const admin = await openAs(workspace, { role: 'admin' });
  await admin.session.enrol();
  const page = `${admin.home}/members/${workspace.ownerId}`;
  t.false((await admin.session.getText(page)).includes('/forget-login'));
  const { status } = await admin.session.post(`${page}/forget-login`, {}, page);
  t.is(status, 403);
  t.is((await db.query(`SELECT FROM sso_subjects WHERE workspace_id = $1`, [workspace.id])).length, 1);
});

test('the owner is told 30 and 7 days before a certificate expires, once each, also after a missed run', async (t) => {
  const workspace = await newWorkspace();
  const [first, second] = [
    await certificateUntil(new Date(Date.now() + 40 * DAY_MS)),
    await certificateUntil(new Date(Date.now() + 200 * DAY_MS)),
  ];
  const long = await certificateUntil(new Date(Date.now() - 400 * DAY_MS));
  await storeConnections(db, [samlConnection(workspace.id, first, second, long)]);
  const notices = async () =>
    (
      await db.query(
        `SELECT split_part(about, '/', 3)::int AS days FROM mails
          WHERE workspace_id = $1 AND kind = 'sso_certificate_expires' ORDER BY created_at, about`,
        [workspace.id],
      )
    ).map(({ days }: { days: number }) => days);
  const run = (days: number) => runJob('sso_certificates', workspace, isoDay(days));
  t.deepEqual(await run(1), { expiring: 0, failed: 0 });
  t.deepEqual(await notices(), []);
  t.deepEqual(await run(12), { expiring: 1, failed: 0 });
  await run(12);
  await run(20);
  t.deepEqual(await notices(), [30]);
  await run(34);
  await run(38);
  t.deepEqual(await notices(), [30, 7]);
  // No run between 30 and 7 days: only the later notice.
  await run(196);
  t.deepEqual((await notices()).toSorted(), [30, 7, 7].toSorted());
  const email = await findOwnerEmail(workspace.id);
  const mails = await until(async () => {
    const all = (await mailTo(email)).filter(({ subject }) => subject.includes('certificate of Harbour ID'));
    return all.length === 3 && all;
  });
  t.true(mails[0]!.text.includes('another certificate'));

  await db.query(
    `UPDATE sso_connections SET provider = jsonb_set(provider, '{certificates}', '["nonsense"]')
      WHERE workspace_id = $1`,
    [workspace.id],
  );
  t.deepEqual(await run(1), { expiring: 0, failed: 1 });
  await db.query(`UPDATE sso_connections SET enabled = false WHERE workspace_id = $1`, [workspace.id]);
  t.deepEqual(await run(38), { expiring: 0, failed: 0 }, 'nobody uses it');
});
