import test from 'ava';
import { launchBrowser } from '../support/chromium.js';
import type { Browser, Page } from 'playwright-core';
import {
  requestLink,
  codeOf,
  enrol,
  followLink,
  linksTo,
  newPage,
  picture,
  signInAndEnrol,
  titleOf,
} from '../support/browser.js';
import { db, dev, mailTo, newWorkspace, uniqueEmail, until } from '../support/stack.js';
import { startApi } from '../support/api-process.js';
import { openSignedIn } from '../support/web-session.js';
import { newMember } from '../api/people.js';

let browser: Browser;
test.before(async () => {
  browser = await launchBrowser();
});

const at = (path: string): string => dev.baseUrl + path;

async function newOwner() {
  const email = uniqueEmail();
  const workspace = await newWorkspace({ owner_email: email });
  return { email, workspace };
}

const sessionCookie = async (page: Page): Promise<string | undefined> =>
  (await page.context().cookies()).find(({ name }) => name === 'holdfast')?.value;

/** Submits a form as a browser would. */
const send = (
  path: string,
  form: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<Response> =>
  fetch(at(path), {
    method: 'POST',
    body: new URLSearchParams(form),
    headers: { origin: dev.baseUrl, ...headers },
    redirect: 'manual',
  });

test('an owner signs in by a link, enrols an authenticator, and must enter its code at the next sign-in', async (t) => {
  const { email, workspace } = await newOwner();
  const page = await newPage(browser);
  await page.goto(at('/dashboard'));
  t.is(new URL(page.url()).pathname, '/sign-in', 'the dashboard requires a session');
  await picture(page, 'sign-in');
  const link = await requestLink(page, email.toUpperCase());
  t.is(await titleOf(page), 'Check your email');
  await picture(page, 'look-at-your-mail');
  await page.goto(link);
  t.true((await page.locator('main').innerText()).includes(email));
  await picture(page, 'link');
  await page.goto(link);
  await page.click('button');
  await page.waitForURL(at('/sign-in/authenticator'));
  await picture(page, 'authenticator');
  const before = await sessionCookie(page);
  await page.goto(at('/dashboard'));
  t.is(page.url(), at('/sign-in/authenticator'), 'nothing is accessible before the second factor');
  await page.fill('#code', '000000');
  await page.click('button');
  t.regex((await page.locator('[role=alert]').textContent())!, /is wrong/);
  const { key, code, codes } = await enrol(page);
  t.is(codes.length, 10);
  await page.waitForURL(at(`/dashboard/${workspace.id}`));
  t.not(await sessionCookie(page), before, 'the session id changes after the second factor');
  await picture(page, 'dashboard-empty');
  t.deepEqual(page.complaints, [], 'no violation of the Content Security Policy');

  const stored = JSON.stringify(
    await db.query(
      `SELECT l.*, s.*, f.* FROM profiles p JOIN sign_in_links l ON l.profile_id = p.id
       JOIN sessions s ON s.profile_id = p.id JOIN second_factors f ON f.profile_id = p.id WHERE p.email = $1`,
      [email],
    ),
  );
  for (const secret of [
    new URL(link).searchParams.get('token')!,
    (await sessionCookie(page))!,
    key.replaceAll(' ', ''),
  ])
    t.false(stored.includes(secret) || stored.includes(Buffer.from(secret).toJSON().data.join(',')));

  await page.click('button:text("Sign out")');
  await page.waitForURL(at('/sign-in'));
  await page.goto(at('/sign-in'));
  await followLink(page, email);
  t.is(page.url(), at('/sign-in/code'));
  await picture(page, 'code');
  await page.fill('#code', code);
  await page.click('button');
  t.regex((await page.locator('[role=alert]').textContent())!, /used before/, 'a code works once');
  await page.fill('#code', codeOf(key, 1));
  await page.click('button');
  await page.waitForURL(at(`/dashboard/${workspace.id}`));

  await page.click('button:text("Sign out")');
  await page.goto(at('/sign-in'));
  await followLink(page, email);
  await page.fill('#code', codes[0]!.toUpperCase().replaceAll('-', ' '));
  await page.click('button');
  await page.waitForURL(at(`/dashboard/${workspace.id}`));
  await page.goto(at('/account'));
  t.true((await page.locator('main').innerText()).includes('9'), 'nine recovery codes remain');
  await picture(page, 'account');
  await page.context().close();
});

test('a link works once, until it expires or another is used; a request ends no earlier link', async (t) => {
  const { email } = await newOwner();
  const page = await newPage(browser);
  await page.goto(at('/sign-in'));
  const first = await requestLink(page, email);
  await page.goto(at('/sign-in'));
  const second = await requestLink(page, email);
  const token = (link: string) => new URL(link).searchParams.get('token')!;
  t.is((await page.goto(first))!.status(), 200, 'somebody else may have requested the second');
  const used = await Promise.all(
    Array.from({ length: 8 }, () => send('/sign-in/link', { token: token(second) })),
  );
  t.deepEqual(
    used.map(({ status }) => status).toSorted(),
    [302, ...Array(7).fill(410)],
    'of eight concurrent uses one signs in',
  );
  t.is((await send('/sign-in/link', { token: token(first) })).status, 410);
  t.is((await page.goto(first))!.status(), 410);
  await picture(page, 'link-over');

  await page.goto(at('/sign-in'));
  const third = await requestLink(page, email);
  await db.query(`UPDATE sign_in_links SET expires_at = now() WHERE email = $1`, [email]);
  t.is((await send('/sign-in/link', { token: token(third) })).status, 410);
  t.is((await send('/sign-in/link', { token: 'x'.repeat(43) })).status, 410);
  t.is((await fetch(at('/sign-in/link?token=%00'))).status, 410);
  await page.context().close();
});

test('a link request has the same response for any address', async (t) => {
  const { email, workspace } = await newOwner();
  const nobody = uniqueEmail();
  const invited = await newMember(workspace);
  await db.query(`UPDATE members SET status = 'invited' WHERE id = $1`, [invited.id]);
  const archived = await newMember(workspace);
  await db.query(`UPDATE members SET status = 'archived' WHERE id = $1`, [archived.id]);
  const responses = new Map<string, string>();
  for (const address of [email, nobody, invited.email, archived.email]) {
    const response = await send('/sign-in', { email: address });
    t.is(response.status, 200);
    responses.set(address, (await response.text()).replaceAll(address, 'ADDRESS'));
  }
  t.is(new Set(responses.values()).size, 1);
  const links: { id: string }[] = await db.query(`SELECT id FROM sign_in_links WHERE email = ANY ($1)`, [
    [nobody, invited.email, archived.email, email],
  ]);
  const ids = links.map(({ id }) => id);
  t.is(ids.length, 4, 'links are stored for every address, known or not');
  await until(async () => {
    const pending = `SELECT FROM mails WHERE about = ANY ($1) AND status = 'pending'`;
    return (await db.query(pending, [ids])).length === 0;
  });
  for (const address of [nobody, invited.email, archived.email]) t.deepEqual(await mailTo(address), []);
  const sealed = await db.query(
    `SELECT FROM sign_in_links WHERE email = $1 AND encrypted_token IS NOT NULL`,
    [email],
  );
  t.is(sealed.length, 0, 'tokens of sent and replaced links are deleted');
});

test('an authenticator is optional for a member and required after a promotion', async (t) => {
  const { workspace } = await newOwner();
  const member = await newMember(workspace);
  const page = await newPage(browser);
  await page.goto(at('/account'));
  await followLink(page, member.email);
  t.is(page.url(), at('/account'), 'sign-in returns to the requested page');
  await db.query(`UPDATE members SET role = 'admin' WHERE id = $1`, [member.id]);
  await page.reload();
  t.is(page.url(), at('/sign-in/authenticator'));
  await enrol(page);
  await page.waitForURL(at('/account'));
  await db.query(`UPDATE members SET status = 'archived' WHERE id = $1`, [member.id]);
  await page.goto(at(`/dashboard/${workspace.id}`));
  t.is(await titleOf(page), 'Workspace not found', 'an archived member loses access immediately');
  await page.context().close();
});

test('five wrong codes lock the second factor for a while, even for valid codes', async (t) => {
  const { email } = await newOwner();
  const page = await newPage(browser);
  const { key, codes } = await signInAndEnrol(page, email);
  await page.goto(at('/account'));
  await page.click('button:text-is("Sign out")');
  await page.goto(at('/sign-in'));
  await followLink(page, email);
  for (let n = 0; n < 5; n++) {
    await page.fill('#code', '123123');
    await page.click('button:text("Continue")');
  }
  for (const code of [codeOf(key, 1), codes[0]!]) {
    await page.fill('#code', code);
    await page.click('button:text("Continue")');
    t.regex((await page.locator('[role=alert]').textContent())!, /Too many/);
  }
  await db.query(
    `UPDATE second_factors SET failing_since = failing_since - interval '16 minutes'
     WHERE profile_id = (SELECT id FROM profiles WHERE email = $1)`,
    [email],
  );
  await page.fill('#code', codeOf(key, 1));
  await page.click('button:text("Continue")');
  await page.waitForURL(/\/dashboard\//);
  await page.context().close();
});

test('replacing the authenticator or the recovery codes requires a current code and revokes the old ones', async (t) => {
  const { email } = await newOwner();
  const page = await newPage(browser);
  const { key } = await signInAndEnrol(page, email);
  await db.query(
    `UPDATE sessions SET second_factor_at = now() - interval '20 minutes'
     WHERE profile_id = (SELECT id FROM profiles WHERE email = $1)`,
    [email],
  );
  await page.goto(at('/sign-in/authenticator'));
  t.is(await titleOf(page), 'Enter a code first');
  await page.goto(at('/account'));
  await page.click('button:text("Set up another")');
  t.is(page.url(), at('/sign-in/code'));
  await page.fill('#code', codeOf(key, 1));
  await page.click('button:text("Continue")');
  await page.waitForURL(at('/account'));
  await page.click('button:text("Set up another")');
  const second = await enrol(page);
  t.not(second.key, key);
  await page.waitForURL(at('/account'));
  await page.click('button:text("New recovery codes")');
  t.is(await page.locator('ul.codes code').count(), 10);
  await page.click('a.button');
  await page.click('button:text-is("Sign out")');
  await page.goto(at('/sign-in'));
  await followLink(page, email);
  for (const old of [codeOf(key, 1), second.codes[0]!]) {
    await page.fill('#code', old);
    await page.click('button:text("Continue")');
    t.regex((await page.locator('[role=alert]').textContent())!, /is wrong/);
  }
  await page.context().close();
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

test('a form with another origin, without a CSRF token or with that of another session is refused', async (t) => {
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

test('return_to accepts only paths of this service', async (t) => {
  const page = await newPage(browser);
  const wanted = [
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/dashboard/\r\nx',
    '/dashboardx',
    '/v1/rooms',
  ];
  for (const path of wanted) {
    await page.goto(at(`/sign-in?return_to=${encodeURIComponent(path)}`));
    t.is(await page.locator('input[name=return_to]').getAttribute('value'), '/dashboard', path);
  }
  for (const path of ['/account', '/dashboard/ws_1/bookings?q=a%20b', '/oauth/authorize?client_id=1']) {
    await page.goto(at(`/sign-in?return_to=${encodeURIComponent(path)}`));
    t.is(await page.locator('input[name=return_to]').getAttribute('value'), path);
  }
  const response = await fetch(at('/sign-in'));
  const policy = response.headers.get('content-security-policy')!;
  t.regex(policy, /default-src 'none'; img-src 'self'; style-src 'sha256-[^ ]+'; form-action 'self'/);
  t.false(policy.includes('unsafe'));
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
    const cookie = response.headers.get('set-cookie')!;
    t.regex(cookie, /^__Host-holdfast=[\w-]{43}; path=\/; expires=[^;]+; samesite=lax; secure; httponly$/i);
    const [held] = cookie.split(';');
    t.is((await ask('/account', { headers: { cookie: held! } })).status, 200);
    t.is((await ask('/account')).status, 302);
    const metadata = await (await ask('/.well-known/oauth-authorization-server')).json();
    t.is((metadata as { issuer: string }).issuer, 'https://holdfast.example');

    // The proxy has replaced the host, so an address that is made from the request would lead nowhere.
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
