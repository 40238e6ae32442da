import test from 'ava';
import { launchBrowser } from '../../support/chromium.js';
import type { Browser, Page } from 'playwright-core';
import { linksTo } from '../../support/browser.js';
import { db, dev } from '../../support/stack.js';
import { until } from '../../support/until.js';
import { startApi } from '../../support/api-process.js';
import { openSignedIn } from '../../support/web-session.js';
import { newMember } from '../../support/people.js';
import { at, newOwner, send, sessionCookie } from './sign-in-calls.js';

let browser: Browser;

test.before(async () => {
  browser = await launchBrowser();
});

test('sessions end on sign-out, on sign-out everywhere, when idle, and at their maximum age', async (t) => {
  const { workspace } = await newOwner();
  const { email } = await newMember(workspace);
  const open = (): Promise<Page> => openSignedIn(browser, email);
  const [first, second, third] = [await open(), await open(), await open()];
  const signedIn = async (page: Page): Promise<boolean> => {
    await page.goto(at('/account'));
    return page.url() === at('/account');
  };
  const cookie = (await sessionCookie(first))!;
  t.true(await signedIn(first));
  await first.click('button:text-is("Sign out")');
  await first.context().addCookies([{ name: 'holdfast', value: cookie, url: dev.baseUrl }]);
  t.false(await signedIn(first), 'the old cookie is invalid');
  t.true(await signedIn(second));
  await second.click('button:text("everywhere")');
  t.false(await signedIn(second));
  t.false(await signedIn(third));
  for (const [column, age] of [
    ['last_seen_at', '13 hours'],
    ['expires_at', '8 days'],
  ]) {
    const page = await open();
    t.true(await signedIn(page));
    await db.query(
      `UPDATE sessions SET ${column} = ${column} - $2::interval
       WHERE profile_id = (SELECT id FROM profiles WHERE email = $1)`,
      [email, age],
    );
    t.false(await signedIn(page), column);
    await page.context().close();
  }
  for (const page of [first, second, third]) await page.context().close();
});

test('a form from another origin, without a CSRF token or with another session’s token is refused', async (t) => {
  const { workspace } = await newOwner();
  const { email } = await newMember(workspace);
  const page = await openSignedIn(browser, email);
  await page.goto(at('/account'));
  const cookie = `holdfast=${await sessionCookie(page)}`;
  const csrf = (await page.locator('input[name=csrf]').first().getAttribute('value'))!;
  const refused: [string, Record<string, string>, Record<string, string>][] = [
    ['another origin', { csrf }, { origin: 'https://evil.example' }],
    ['no origin', { csrf }, { origin: '' }],
    ['a null origin', { csrf }, { origin: 'null' }],
    ['no token', {}, {}],
    ['a wrong token', { csrf: csrf.slice(0, -1) + (csrf.endsWith('A') ? 'B' : 'A') }, {}],
  ];
  for (const [what, form, headers] of refused)
    t.is((await send('/sign-out/everywhere', form, { cookie, ...headers })).status, 403, what);
  await page.reload();
  t.is(page.url(), at('/account'));
  t.is((await send('/sign-in', { email }, { origin: 'https://evil.example' })).status, 403);
  const [held] = await page.context().cookies();
  t.true(held!.httpOnly);
  t.is(held!.sameSite, 'Lax');
  await page.context().close();
});

test('behind an HTTPS proxy the cookie is Secure and limited to the host', async (t) => {
  const { workspace } = await newOwner();
  const { email } = await newMember(workspace);
  await send('/sign-in', { email });
  const [link] = await until(async () => {
    const links = await linksTo(email);
    return links.length > 0 && links;
  });
  const settings = { ALLOW_HTTP: 'false', TRUSTED_PROXIES: '1', PUBLIC_URL: 'https://holdfast.example' };
  const behind = await startApi({ ...settings, RATE_LIMIT_SCALE: '100' });
  try {
    const ask = (path: string, options: RequestInit & { headers?: Record<string, string> } = {}) =>
      fetch(behind.baseUrl + path, {
        redirect: 'manual',
        ...options,
        headers: { 'x-forwarded-proto': 'https', ...options.headers },
      });
    t.is((await ask('/sign-in', { headers: { 'x-forwarded-proto': 'http' } })).status, 403);
    const response = await ask('/sign-in/link', {
      method: 'POST',
      headers: { origin: 'https://holdfast.example' },
      body: new URLSearchParams({ token: new URL(link!).searchParams.get('token')! }),
    });
    t.is(response.status, 302);
    const [cookie, remembered] = response.headers.getSetCookie() as [string, string];
    t.regex(
      remembered,
      /^__Host-holdfast_devices=[\w-]{43}; path=\/; expires=[^;]+; samesite=lax; secure; httponly$/i,
    );
    t.regex(cookie, /^__Host-holdfast=[\w-]{43}; path=\/; expires=[^;]+; samesite=lax; secure; httponly$/i);
    const [held] = cookie.split(';');
    t.is((await ask('/account', { headers: { cookie: held! } })).status, 200);
    t.is((await ask('/account')).status, 302);
    const metadata = await (await ask('/.well-known/oauth-authorization-server')).json();
    t.is((metadata as { issuer: string }).issuer, 'https://holdfast.example');

    // The proxy has replaced the host, so an address built from the request would be wrong.
    const redirect_uri = 'https://app.example/back';
    const { body: registered } = await workspace.api.post('/v1/oauth-clients', {
      name: 'App',
      redirect_uris: [redirect_uri],
      public: true,
    });
    const query = new URLSearchParams({
      client_id: registered.client_id,
      redirect_uri,
      scope: 'calendar:read',
      code_challenge: 'a'.repeat(43),
    });
    const asked = await ask(`/oauth/authorize?${query}`);
    const cookies = asked.headers.getSetCookie();
    t.true(cookies.length > 0 && cookies.every((each) => /; secure/i.test(each)), cookies.join('\n'));
    const jar = [held!, ...cookies.map((each) => each.split(';')[0]!)].join('; ');
    const consent = asked.headers.get('location')!;
    const page = await (await ask(consent, { headers: { cookie: jar } })).text();
    const allowed = await ask(consent, {
      method: 'POST',
      headers: { cookie: jar, origin: 'https://holdfast.example' },
      body: new URLSearchParams({ decision: 'allow', csrf: /name="csrf" value="([^"]+)"/.exec(page)![1]! }),
    });
    const resume = allowed.headers.get('location')!;
    t.regex(resume, /^\/oauth\/authorize\/[\w-]+$/);
    const back = await ask(resume, { headers: { cookie: jar } });
    t.regex(back.headers.get('location')!, /^https:\/\/app\.example\/back\?code=[\w-]+&iss=https%3A/);
  } finally {
    behind.stop();
  }
});

test('a rate limited browser gets a page with the time to wait', async (t) => {
  const slow = await startApi({ RATE_LIMIT_SCALE: '0.05', TRUSTED_PROXIES: '1' });
  try {
    const headers = { 'x-forwarded-for': '2001:db8:7::1' };
    const responses = [];
    for (let n = 0; n < 5; n++) responses.push(await fetch(`${slow.baseUrl}/sign-in`, { headers }));
    const refused = responses.find(({ status }) => status === 429)!;
    t.truthy(refused, responses.map(({ status }) => status).join());
    t.regex(refused.headers.get('retry-after')!, /^\d+$/);
    t.regex(refused.headers.get('content-type')!, /html/);
    t.is(
      (await fetch(`${slow.baseUrl}/sign-in`, { headers: { 'x-forwarded-for': '2001:db8:8::1' } })).status,
      200,
    );
  } finally {
    slow.stop();
  }
});
