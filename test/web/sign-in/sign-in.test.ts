import test from 'ava';
import { launchBrowser } from '../../support/chromium.js';
import type { Browser } from 'playwright-core';
import {
  requestLink,
  totpCode,
  enrol,
  followLink,
  newPage,
  picture,
  readHeading,
} from '../../support/browser.js';
import { mailTo } from '../../support/simulators.js';
import { db } from '../../support/stack.js';
import { until } from '../../support/until.js';
import { uniqueEmail } from '../../support/workspaces.js';
import { newMember } from '../../support/people.js';
import { at, newOwner, send, sessionCookie } from './sign-in-calls.js';

let browser: Browser;

test.before(async () => {
  browser = await launchBrowser();
});

test('an owner signs in by a link, enrols an authenticator, and must enter its code at the next sign-in', async (t) => {
  const { email, workspace } = await newOwner();
  const page = await newPage(browser);
  await page.goto(at('/dashboard'));
  t.is(new URL(page.url()).pathname, '/sign-in', 'the dashboard requires a session');
  await picture(page, 'sign-in');
  const link = await requestLink(page, email.toUpperCase());
  t.is(await readHeading(page), 'Check your email');
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
  await page.click('button:text("Confirm")');
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
       JOIN sessions s ON s.profile_id = p.id JOIN second_factors f ON f.profile_id = p.id
       WHERE p.email = $1`,
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
  await page.fill('#code', totpCode(key, 1));
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

test('a link works once, until it expires or another is used, and a request ends no earlier link', async (t) => {
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
  t.regex(
    policy,
    /^default-src 'none'; font-src 'self'; img-src 'self'; style-src 'sha256-[^ ]+'; script-src 'sha256-[^ ]+'; connect-src 'self'; form-action 'self';/,
  );
  t.false(policy.includes('unsafe'));
  await page.context().close();
});
