import ava from 'ava';
import { launchBrowser } from '../support/chromium.js';
import type { Browser, Page } from 'playwright-core';
import { CALLBACK, create, refused, Rig, SCOPE } from '../support/accounting-rig.js';

// Tokens expire in the whole simulator, so the tests run one at a time.
const test = ava.serial;

let rig: Rig;
let browser: Browser;
ava.before(async () => {
  rig = await Rig.start();
  browser = await launchBrowser();
});
ava.after.always(() => rig.close());

/** Opens a page and acts on it. Returns the URL that the user is redirected to. */
async function sentBack(url: string, act: (page: Page) => Promise<void>): Promise<string> {
  const page = await browser.newPage();
  await page.goto(url);
  const sent = page.waitForRequest(`${CALLBACK}*`);
  await act(page);
  const address = (await sent).url();
  await page.close();
  return address;
}

test('a user grants the app access to an organisation, in a browser', async (t) => {
  const { tenant_id } = await rig.sim('organisations', { name: 'Bright <Daughters>' });
  const flow = await rig.beginFlow();
  const back = await sentBack(flow.authorizeUrl, async (page) => {
    t.is(await page.title(), 'Connect Holdfast to an organisation');
    await page.selectOption('select', { label: 'Bright <Daughters>' });
    await page.click('text=Allow access');
  });
  const tokens = await flow.finish(back);
  const [connection] = await rig.connections(tokens.access_token);
  t.like(connection, { tenantId: tenant_id, tenantName: 'Bright <Daughters>', tenantType: 'ORGANISATION' });
  const { body } = await rig.api(tokens.access_token).getOrganisations(tenant_id);
  t.is(body.organisations![0]!.name, 'Bright <Daughters>');
});

test('a user can create a new organisation, or deny access', async (t) => {
  const flow = await rig.beginFlow();
  const back = await sentBack(flow.authorizeUrl, async (page) => {
    await page.selectOption('select', 'new');
    await page.click('text=Allow access');
  });
  const tokens = await flow.finish(back);
  t.regex((await rig.connections(tokens.access_token))[0]!.tenantName, /^Demo Company/);
  const other = await rig.beginFlow();
  const no = await sentBack(other.authorizeUrl, (page) => page.click('text=Cancel'));
  await t.throwsAsync(other.finish(no), { message: /access_denied|authorization response/ });
});

const PROBLEMS: [string, Record<string, string>, RegExp][] = [
  ['an unknown app', { client_id: 'stranger' }, /unauthorized_client/],
  ['an unknown scope', { scope: 'accounting.everything' }, /invalid_scope/],
  [
    'a broad scope, which apps created since March 2026 do not have',
    { scope: 'openid accounting.transactions' },
    /invalid_scope: accounting\.transactions/,
  ],
  ['another flow', { response_type: 'token' }, /unsupported_response_type/],
];
for (const [title, change, problem] of PROBLEMS) {
  test(`the authorize page refuses ${title}, and does not redirect`, async (t) => {
    const url = new URL((await rig.beginFlow()).authorizeUrl);
    for (const [name, value] of Object.entries(change)) url.searchParams.set(name, value);
    const answer = await fetch(url, { redirect: 'manual' });
    t.is(answer.status, 400);
    t.regex(await answer.text(), problem);
  });
}

test('a code is valid once, with its verifier and client', async (t) => {
  const flow = await rig.beginFlow();
  const connect = async (authorize_url: string) =>
    (await rig.sim('organisations', { name: 'Once', authorize_url })).redirect_url as string;
  const back = await connect(flow.authorizeUrl);
  await flow.finish(back);
  await t.throwsAsync(flow.finish(back), { message: /error/ });
  const other = await rig.beginFlow();
  const stolen = new URL(await connect(other.authorizeUrl));
  const form = new URLSearchParams({
    grant_type: 'authorization_code',
    code: stolen.searchParams.get('code')!,
    redirect_uri: CALLBACK,
  });
  const exchange = async (secret: string) => {
    const authorization = `Basic ${btoa(`test-app:${encodeURIComponent(secret)}`)}`;
    const answer = await fetch(rig.url('/connect/token'), {
      method: 'POST',
      headers: { authorization },
      body: form,
    });
    return answer.json();
  };
  t.deepEqual(await exchange('wrong'), { error: 'invalid_client' });
  t.deepEqual(await exchange('test-secret+/='), { error: 'invalid_grant' });
});

test('an access token expires, and a refresh token is exchanged for a new pair, twice if a response was lost', async (t) => {
  const books = await rig.books();
  await rig.sim('tokens/expire');
  const { status, body } = await refused(create(books));
  t.is(status, 401);
  t.regex(body.Detail, /^TokenExpired/);
  const first = await rig.refresh(books.tokens.refresh_token!);
  t.not(first.refresh_token, books.tokens.refresh_token);
  await t.notThrowsAsync(create({ ...books, api: rig.api(first.access_token) }));
  const lost = await rig.refresh(books.tokens.refresh_token!);
  await t.notThrowsAsync(rig.refresh(lost.refresh_token!));
  await t.throwsAsync(rig.refresh('nothing'), { message: /error/ });
});

test('the token of a user with two organisations opens both, and the event id identifies the new connection', async (t) => {
  const first = await rig.books({ user: 'ada' });
  const second = await rig.books({ user: 'ada', name: 'Second' });
  const { access_token } = second.tokens;
  t.is((await rig.connections(access_token)).length, 2);
  const claims = JSON.parse(Buffer.from(access_token.split('.')[1]!, 'base64url').toString());
  const headers = { authorization: `Bearer ${access_token}` };
  const url = rig.url(`/connections?authEventId=${claims.authentication_event_id}`);
  const just = (await (await fetch(url, { headers })).json()) as { tenantId: string }[];
  t.deepEqual(
    just.map(({ tenantId }) => tenantId),
    [second.tenant],
  );
  await t.notThrowsAsync(second.api.getOrganisations(first.tenant));
});

test('access can be revoked in Xero or through the app, and granted again', async (t) => {
  const books = await rig.books();
  const { api, tenant, tokens } = books;
  await rig.sim(`organisations/${tenant}/disconnect`);
  t.is((await refused(api.getOrganisations(tenant))).status, 403);
  t.truthy((await rig.refresh(tokens.refresh_token!)).access_token);
  const flow = await rig.beginFlow();
  const { redirect_url } = await rig.sim(`organisations/${tenant}/authorize`, {
    authorize_url: flow.authorizeUrl,
  });
  const again = await flow.finish(redirect_url);
  await t.notThrowsAsync(api.getOrganisations(tenant));
  const { id } = (await rig.connections(again.access_token))[0]!;
  const headers = { authorization: `Bearer ${again.access_token}` };
  t.is((await fetch(rig.url(`/connections/${id}`), { method: 'DELETE', headers })).status, 204);
  t.is((await refused(api.getOrganisations(tenant))).status, 403);
  const third = await rig.books({ user: 'revoking' });
  await rig.revoke(third.tokens.refresh_token!);
  await t.throwsAsync(rig.refresh(third.tokens.refresh_token!), { message: /error/ });
  t.is((await refused(third.api.getOrganisations(third.tenant))).status, 403);
});

test('a token has the rights of its scopes, and requests without a token are refused', async (t) => {
  const connect = async (scope: string) => {
    const flow = await rig.beginFlow({ scope });
    const made = await rig.sim('organisations', { name: 'Narrow', authorize_url: flow.authorizeUrl });
    const { access_token } = await flow.finish(made.redirect_url);
    return {
      api: rig.api(access_token),
      tenant: made.tenant_id as string,
      tokens: { access_token } as never,
    };
  };
  const reader = await connect('accounting.invoices.read accounting.contacts');
  await t.notThrowsAsync(reader.api.getInvoices(reader.tenant));
  const { status, body } = await refused(create(reader));
  t.is(status, 401);
  t.is(body.Detail, 'AuthorizationUnsuccessful');
  t.is((await refused(reader.api.getAccounts(reader.tenant))).status, 401);
  await t.notThrowsAsync(create(await connect(SCOPE.replace('openid offline_access ', ''))));
  t.is((await refused(rig.api('nothing').getInvoices(reader.tenant))).status, 401);
});

test('documents can be read, and an invoice approved, in a browser', async (t) => {
  const books = await rig.books({ name: 'Harbour & Sons' });
  const { invoiceID, invoiceNumber } = await create(books, { reference: 'Holdfast #12' });
  const page = await browser.newPage();
  await page.goto(rig.url('/'));
  await page.click('text=Harbour & Sons');
  const row = page.locator('tr', { hasText: invoiceNumber });
  t.regex((await row.textContent())!, /Holdfast #12.*Grace Guest.*SUBMITTED.*30\.00 GBP/);
  await row.locator('text=Approve').click();
  t.regex((await row.textContent())!, /AUTHORISED/);
  await page.close();
  const [invoice] = (await rig.ledger(books.tenant))['invoices']!;
  t.like(invoice, { InvoiceID: invoiceID, Status: 'AUTHORISED' });
});
