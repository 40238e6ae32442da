import test from 'ava';
import { launchBrowser } from '../../support/chromium.js';
import type { Browser } from 'playwright-core';
import { totpCode, picture, readHeading } from '../../support/browser.js';
import { mailTo } from '../../support/simulators.js';
import { until } from '../../support/until.js';
import { authorizeUrl } from '../../support/oauth-app.js';
import { newMember } from '../../support/people.js';
import { apps, newScene } from '../applications/oauth-calls.js';
import { db, dev } from '../../support/stack.js';
import { newWorkspace, findOwnerEmail, uniqueEmail } from '../../support/workspaces.js';
import { WebSession } from '../../support/web-session.js';

let browser: Browser;

test.before(async () => {
  browser = await launchBrowser();
});

test.after.always(() => apps.forEach(({ close }) => close()));

const TITLE = 'Confirm that it’s you';

/** Moves the codes that a person entered, and their sign-in, into the past. */
const age = (email: string, minutes: number): Promise<unknown> =>
  db.query(
    `UPDATE sessions SET second_factor_at = second_factor_at - $2 * interval '1 minute',
       created_at = created_at - $2 * interval '1 minute'
     WHERE profile_id = (SELECT id FROM profiles WHERE email = $1)`,
    [email, minutes],
  );

/** An owner's session with an authenticator whose code was entered 16 minutes ago. */
async function openStaleOffice() {
  const workspace = await newWorkspace();
  const email = await findOwnerEmail(workspace.id);
  const session = await WebSession.start(email);
  const key = await session.enrol();
  await age(email, 16);
  return { workspace, email, session, key, home: `/dashboard/${workspace.id}` };
}

const KEY = {
  name: 'Till & "1"',
  days: '30',
  'scope.resources': ['calendar', 'billing'],
  'scope.actions': 'read',
  'scope.ip_allowlist': '192.0.2.0/24\n198.51.100.7',
};

const listKeys = (workspaceId: string) =>
  db.query(`SELECT name, resources, ip_allowlist FROM api_keys WHERE workspace_id = $1 AND name = $2`, [
    workspaceId,
    KEY.name,
  ]);

test('a new key needs a code from the last 15 minutes, and is then created as it was entered', async (t) => {
  const { workspace, session, key, home } = await openStaleOffice();
  const asked = await session.submit(`${home}/keys`, `${home}/keys`, KEY);
  const page = await asked.text();
  t.true(page.includes(TITLE));
  t.false(page.includes('id="token"'));
  t.deepEqual(await listKeys(workspace.id), []);

  const wrong = await session.submitFormByAction(page, `${home}/keys`, { proof: '000000' });
  t.is(wrong.status, 422);
  const again = await wrong.text();
  t.true(again.includes('This code is wrong'));
  t.deepEqual(await listKeys(workspace.id), []);

  const created = await session.submitFormByAction(again, `${home}/keys`, { proof: totpCode(key, 1) });
  t.regex(await created.text(), /id="token">hf_live_/);
  t.deepEqual(await listKeys(workspace.id), [
    {
      name: KEY.name,
      resources: KEY['scope.resources'],
      ip_allowlist: ['192.0.2.0/24', '198.51.100.7/32'],
    },
  ]);
  // The code counts for 15 minutes.
  const next = await session.submit(`${home}/applications`, `${home}/applications`, {
    name: 'Sync',
    redirect_uris: 'https://sync.example/back',
  });
  t.regex(await next.text(), /id="client_id"/);
});

test('a rejected form is shown with what was entered, also after a code was requested', async (t) => {
  const { session, key, home } = await openStaleOffice();
  const invalid = { ...KEY, 'scope.ip_allowlist': 'nowhere' };
  const asked = await (await session.submit(`${home}/keys`, `${home}/keys`, invalid)).text();
  const rejected = await session.submitFormByAction(asked, `${home}/keys`, { proof: totpCode(key, 1) });
  t.is(rejected.status, 422);
  const form = await rejected.text();
  t.true(form.includes('value="Till &amp; &quot;1&quot;"'));
  // The form has the token of the renewed session.
  const created = await session.submitFormByAction(form, `${home}/keys`, KEY);
  t.regex(await created.text(), /id="token">hf_live_/);
});

test('a copied session is not refreshed by the code that its person enters', async (t) => {
  const { session, key, home } = await openStaleOffice();
  const copy = session.copy();
  const asked = await (await session.submit(`${home}/keys`, `${home}/keys`, KEY)).text();
  await session.submitFormByAction(asked, `${home}/keys`, { proof: totpCode(key, 1) });
  t.is((await copy.get(`${home}/keys`)).status, 302);
});

test('every form that creates something that outlives a session asks for a code, and changes nothing before', async (t) => {
  const { workspace, session, home } = await openStaleOffice();
  const member = await newMember(workspace);
  await workspace.api.patch('/v1/workspace', { require_second_factor: true });
  const invoices = { tax_name: 'VAT', invoice_prefix: 'TH' };
  const form_id = 'x';
  const forms: [string, Record<string, string>][] = [
    ['/keys', { form_id, name: 'a', days: '1', 'scope.resources': 'calendar', 'scope.actions': 'read' }],
    ['/keys/key_1/rotate', { form_id }],
    ['/applications', { form_id, name: 'a', redirect_uris: 'https://a.example/' }],
    ['/webhooks', { url: 'https://hooks.example/', event_types: '*' }],
    ['/webhooks/rotate-secret', { form_id }],
    ['/processor/onboarding', {}],
    ['/accounting/connect', {}],
    [`/members/${member.id}/role`, { role: 'admin' }],
    ['/members/new', { form_id, email: uniqueEmail(), tier: 'basic', billed: 'true', role: 'admin' }],
    [`/members/${member.id}/details`, { name: 'Mel Member', email: uniqueEmail() }],
    [`/members/${member.id}/erase`, {}],
    ['/settings/invoices', { ...invoices, payment_instructions: 'IBAN of somebody else' }],
    ['/settings/sign-in', {}],
    ['/guests/erase', { email: uniqueEmail() }],
  ];
  for (const [path, fields] of forms) {
    const response = await session.post(home + path, fields);
    t.is(response.status, 200, path);
    t.true((await response.text()).includes(TITLE), path);
  }
  const { body } = await workspace.api.get(`/v1/members/${member.id}`);
  t.like(body, { role: 'member', email: member.email });
  t.is((await workspace.api.get('/v1/webhook-endpoint')).status, 404);
  const { body: after } = await workspace.api.get('/v1/workspace');
  t.like(after, { payment_instructions: null, require_second_factor: true });
  // The same forms are saved without a code if they change none of that.
  const kept = { ...invoices, legal_name: 'Test house Ltd' };
  t.is((await session.post(`${home}/settings/invoices`, kept)).status, 302);
  t.is((await session.post(`${home}/settings/sign-in`, { require_second_factor: 'on' })).status, 302);
  const renamed = { name: 'Mel Miller', email: member.email };
  t.is((await session.post(`${home}/members/${member.id}/details`, renamed)).status, 302);
});

const HALF = { code: 'HALF', takes: 'percent', percent: '50', 'audience.kind': 'everyone' };
const ALL = { ...HALF, code: 'ALL', percent: '100' };

test('another seller text, a code of 100 % and a company’s billing address need a code, and the other fields of their forms don’t', async (t) => {
  const { workspace, session, home } = await openStaleOffice();
  const { api } = workspace;
  const seller = {
    legal_address: '1 Quay\nBristol',
    payment_instructions: 'IBAN GB00',
    invoice_details: 'Ltd',
  };
  await api.patch('/v1/workspace', seller);
  const invoices = { tax_name: 'VAT', invoice_prefix: 'TH', ...seller };
  const billing = { billing_email: uniqueEmail(), address: '1 Mill Lane\r\nBristol' };
  const company = (await api.post('/v1/companies', { name: 'Acme', ...billing })).body;
  const full = (await api.post('/v1/discounts', { code: 'FULL', percent: 100 })).body;
  const archived = (await api.post('/v1/discounts', { code: 'OLD', percent: 100, archived: true })).body;
  const { legal_address: _, ...emptied } = invoices;
  const asking: [string, Record<string, string>][] = [
    ['/settings/invoices', { ...invoices, legal_address: '1 Elsewhere' }],
    ['/settings/invoices', { ...invoices, invoice_details: 'Pay to another account' }],
    ['/settings/invoices', { ...invoices, payment_instructions: '' }],
    ['/settings/invoices', emptied],
    ['/discounts', ALL],
    [`/discounts/${full.id}`, { 'audience.kind': 'everyone', max_uses: '1000' }],
    [`/discounts/${archived.id}/restore`, {}],
    [`/companies/${company.id}`, { name: 'Acme', ...billing, billing_email: uniqueEmail() }],
    [`/companies/${company.id}`, { name: 'Acme', ...billing, address: '1 Elsewhere' }],
    [`/companies/${company.id}`, { name: 'Acme' }],
  ];
  for (const percent of ['1e2', '99.999'])
    t.is((await session.post(`${home}/discounts`, { ...ALL, percent })).status, 422, percent);
  for (const [path, fields] of asking) {
    const response = await session.post(home + path, fields);
    t.true((await response.text()).includes(TITLE), JSON.stringify([path, fields]));
  }
  t.like((await api.get('/v1/workspace')).body, seller);
  t.deepEqual((await api.get(`/v1/companies/${company.id}`)).body, company);
  t.deepEqual((await api.get('/v1/discounts?include_archived=true')).body.data, [full, archived]);

  const half = (await api.post('/v1/discounts', { code: 'HALVES', percent: 50 })).body;
  const free: [string, Record<string, string>][] = [
    ['/settings/invoices', { ...invoices, legal_name: 'Test house Ltd' }],
    ['/discounts', HALF],
    ['/discounts', { ...HALF, code: 'TEN', takes: 'amount_minor', percent: '', amount_minor: '10' }],
    [`/discounts/${half.id}`, { 'audience.kind': 'everyone', max_uses: '1000' }],
    [`/discounts/${full.id}/archive`, {}],
    [`/companies/${company.id}`, { name: 'Acme Ltd', ...billing, vat_number: 'GB 1' }],
    ['/companies', { name: 'Bolt', billing_email: uniqueEmail() }],
  ];
  for (const [path, fields] of free)
    t.is((await session.post(home + path, fields)).status, 302, JSON.stringify([path, fields]));
});

test('after the requested code the entries are saved, and the owner gets mail', async (t) => {
  const { workspace, email, session, key, home } = await openStaleOffice();
  const at = `${home}/discounts`;
  const asked = await (await session.submit(at, at, ALL)).text();
  const saved = await session.submitFormByAction(asked, at, { proof: totpCode(key, 1) });
  t.is(saved.status, 302);
  t.like((await workspace.api.get('/v1/discounts')).body.data, [{ code: 'ALL', percent: 100 }]);
  await until(async () =>
    (await mailTo(email)).some(({ subject }) => /ALL makes bookings free/.test(subject)),
  );
});

test('the owner gets mail about a key’s changes to these, once for each change', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const owner = await findOwnerEmail(workspace.id);
  const mailed = async (count: number, subject: RegExp): Promise<string> => {
    const found = await until(async () => {
      const mails = (await mailTo(owner)).filter((mail) => subject.test(mail.subject));
      return mails.length >= count && mails;
    });
    t.is(found.length, count);
    return found.at(-1)!.text;
  };
  const enqueued = async () =>
    (
      await db.query(
        `SELECT kind FROM mails WHERE workspace_id = $1 AND kind = ANY ($2) ORDER BY created_at`,
        [workspace.id, ['seller_text_changed', 'full_discount_saved', 'billing_address_changed']],
      )
    ).map(({ kind }: { kind: string }) => kind);

  await api.patch('/v1/workspace', { invoice_details: 'Pay to IBAN X' });
  await api.patch('/v1/workspace', { invoice_details: 'Pay to IBAN X', legal_name: 'Harbour' });
  t.regex(await mailed(1, /^The text on your invoices has changed/), /Pay to IBAN X.*audit log/s);
  await api.patch('/v1/workspace', { legal_address: '1 Elsewhere' });
  t.regex(await mailed(2, /^The text on your invoices has changed/), /1 Elsewhere/);

  const { body: company } = await api.post('/v1/companies', { name: 'Acme', billing_email: uniqueEmail() });
  await api.patch(`/v1/companies/${company.id}`, { vat_number: 'GB 1', payment_terms: 14 });
  const billing_email = uniqueEmail();
  await api.patch(`/v1/companies/${company.id}`, { billing_email });
  t.true((await mailed(1, /^The billing address of Acme has changed/)).includes(billing_email));
  await api.patch(`/v1/companies/${company.id}`, { address: '1 Elsewhere' });
  t.regex(await mailed(2, /^The billing address of Acme has changed/), /1 Elsewhere/);

  await api.post('/v1/discounts', { code: 'HALF', percent: 50 });
  const { body: full } = await api.post('/v1/discounts', { code: 'FULL', percent: 100 });
  t.regex(await mailed(1, /FULL makes bookings free/), /100%/);
  t.is((await api.patch(`/v1/discounts/${full.id}`, { percent: 50 })).status, 422, 'what it takes off stays');
  await api.patch(`/v1/discounts/${full.id}`, { archived: true });
  await api.patch(`/v1/discounts/${full.id}`, { archived: false });
  await mailed(2, /FULL makes bookings free/);
  t.deepEqual(await enqueued(), [
    'seller_text_changed',
    'seller_text_changed',
    'billing_address_changed',
    'billing_address_changed',
    'full_discount_saved',
    'full_discount_saved',
  ]);
});

test('ending access needs no code', async (t) => {
  const { workspace, session, home } = await openStaleOffice();
  const { body } = await workspace.api.post('/v1/api-keys', { name: 'Old' });
  t.is((await session.post(`${home}/keys/${body.id}/revoke`)).status, 302);
});

test('API keys are not asked for a code', async (t) => {
  const { workspace } = await openStaleOffice();
  t.is((await workspace.api.post('/v1/api-keys', { name: 'By API' })).status, 201);
});

test('the page that asks for a code keeps the form in a browser', async (t) => {
  const { session, key, home } = await openStaleOffice();
  const page = await session.openPage(browser);
  await page.goto(`${dev.baseUrl}${home}/webhooks`);
  await page.click('.title button');
  await page.fill('#url', 'https://hooks.example/in');
  await page.click('.drawer form > button');
  t.is(await readHeading(page), TITLE);
  await picture(page, 'dashboard-proof');
  await page.fill('#proof', totpCode(key, 1));
  await page.click('button:text("Continue")');
  await page.locator('#secret').waitFor();
  t.deepEqual(page.complaints, []);
  await page.context().close();
});

test('consent to an application needs a recent sign-in from people without a second factor', async (t) => {
  const scene = await newScene(browser);
  await scene.page.goto((await authorizeUrl(scene.app, 'calendar:read')).address);
  await age(scene.person.email, 11);
  await scene.page.click('button:text("Allow")');
  t.is(await readHeading(scene.page), 'Sign in again first');
  t.deepEqual(
    await db.query(`SELECT FROM api_keys WHERE oauth_client_id = $1`, [scene.app.client.client_id]),
    [],
  );
  await scene.page.context().close();
});

test('on their own page a member changes their address only after a recent sign-in', async (t) => {
  const workspace = await newWorkspace();
  const member = await newMember(workspace, { role: 'billing_contact' });
  const session = await WebSession.start(member.email);
  await age(member.email, 11);
  const path = `/dashboard/${workspace.id}/members/${member.id}/details`;
  const response = await session.post(path, { name: 'Mel Member', email: uniqueEmail() });
  t.is(response.status, 403);
  t.true((await response.text()).includes('Sign in again first'));
  t.like((await workspace.api.get(`/v1/members/${member.id}`)).body, { email: member.email });
});
