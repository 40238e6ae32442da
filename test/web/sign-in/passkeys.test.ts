import test from 'ava';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../../support/chromium.js';
import { picture, readHeading } from '../../support/browser.js';
import { mailTo } from '../../support/simulators.js';
import { until } from '../../support/until.js';
import { WebSession } from '../../support/web-session.js';
import { newWorkspace, findOwnerEmail } from '../../support/workspaces.js';
import {
  addPasskey,
  ageProof,
  arrived,
  HOST,
  newPerson,
  openWithAuthenticator,
  listPasskeys,
} from './passkey-calls.js';

let browser: Browser;

test.before(async () => {
  browser = await launchBrowser();
});

test('a passkey signs in without a link and without a code, once it is added', async (t) => {
  const { workspace, email, page, codes } = await newPerson(browser);
  t.is(codes.length, 10, 'the first second factor comes with recovery codes');
  t.deepEqual(await listPasskeys(email), ['Laptop']);
  await picture(page, 'passkey-added');
  await page.click('a.button');
  await page.goto(`${HOST}/account`);
  t.true((await page.locator('main').innerText()).includes('Laptop'));
  await picture(page, 'account-passkeys');
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 390, height: 800 });
  await picture(page, 'account-passkeys-phone-dark');
  await page.click('button:text-is("Sign out")');
  await page.goto(`${HOST}/sign-in?return_to=/account`);
  await picture(page, 'sign-in-passkey');
  await page.click('button:text("Sign in with a passkey")');
  t.is(await arrived(page), '/account');
  t.regex(await page.locator('main').innerText(), /last used/);
  t.deepEqual(page.complaints, []);
  await until(async () => (await mailTo(email)).some(({ subject }) => /new passkey/.test(subject)));
  const { body } = await workspace.api.get('/v1/audit-log?action=passkey.added');
  t.is(body.data.length, 1);
  await page.context().close();
});

test('a passkey is the second factor of a sign-in by link', async (t) => {
  const { email, page, codes } = await newPerson(browser);
  const session = await WebSession.start(email);
  t.is((await session.get('/account')).headers.get('location'), '/sign-in/code');
  t.is((await session.post('/sign-in/code', { code: '123456' }, '/sign-in/code')).status, 422);
  await page.context().clearCookies();
  await session.takeTo(page, HOST);
  await page.goto(`${HOST}/account`);
  await picture(page, 'code-passkey');
  await page.click('button:text("Use a passkey")');
  await page.waitForURL(`${HOST}/dashboard/**`);

  const other = await WebSession.start(email);
  const { headers } = await other.post('/sign-in/code', { code: codes[0]! }, '/sign-in/code');
  t.is(headers.get('location'), '/sign-in/go-on', 'a recovery code works without an authenticator');
  await page.context().close();
});

test('an owner can set up a passkey instead of an authenticator', async (t) => {
  const workspace = await newWorkspace();
  const session = await WebSession.start(await findOwnerEmail(workspace.id));
  const { page } = await openWithAuthenticator(browser, session);
  await page.goto(`${HOST}/dashboard/${workspace.id}`);
  await page.click('a:text("Use a passkey instead")');
  await picture(page, 'passkey-new');
  await page.click('button:text("Add passkey")');
  await page.locator('ul.codes').waitFor();
  await page.click('a.button');
  t.is(await arrived(page), `/dashboard/${workspace.id}`);
  await page.context().close();
});

test('a passkey is a fresh proof, and the form continues with what was entered', async (t) => {
  const workspace = await newWorkspace();
  const email = await findOwnerEmail(workspace.id);
  const session = await WebSession.start(email);
  await session.enrol();
  const { page } = await openWithAuthenticator(browser, session);
  await addPasskey(page, 'Phone');
  await page.waitForURL(`${HOST}/account`);
  await ageProof(email);
  await page.goto(`${HOST}/dashboard/${workspace.id}/webhooks`);
  await page.click('.title button');
  await page.fill('#url', 'https://hooks.example/in');
  await page.click('.drawer form > button');
  t.is(await readHeading(page), 'Confirm that it’s you');
  await picture(page, 'dashboard-proof-passkey');
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 390, height: 800 });
  await picture(page, 'dashboard-proof-phone-dark');
  await page.click('button:text("Use a passkey")');
  await page.locator('#secret').waitFor();
  t.is((await workspace.api.get('/v1/webhook-endpoint')).body.url, 'https://hooks.example/in');
  t.deepEqual(page.complaints, []);
  await page.context().close();
});
