import test from 'ava';
import { SettingsService } from '@simplewebauthn/server';
import type { Browser } from 'playwright-core';
import { assertionOptions } from '../../../web/sign-in/passkeys/ceremonies.js';
import { newMember } from '../../support/people.js';
import { launchBrowser } from '../../support/chromium.js';
import { newPage, readHeading } from '../../support/browser.js';
import { db, dev } from '../../support/stack.js';
import { until } from '../../support/until.js';
import { WebSession } from '../../support/web-session.js';
import { newWorkspace } from '../../support/workspaces.js';
import {
  addAuthenticator,
  addPasskey,
  ageChallenge,
  arrived,
  HOST,
  newPerson,
  openWithAuthenticator,
  listPasskeys,
  PROFILE,
  sentTo,
} from './passkey-calls.js';
import { send } from './sign-in-calls.js';

let browser: Browser;

test.before(async () => {
  browser = await launchBrowser();
});

test('what a browser has signed counts once, within five minutes, in the session that asked, while the counter grows', async (t) => {
  const { email, page } = await newPerson(browser);
  const signInPage = async () => {
    await page.context().clearCookies();
    await page.goto(`${HOST}/sign-in`);
  };
  const BUTTON = 'Sign in with a passkey';
  const PATH = '/sign-in/passkey';
  await signInPage();
  const form = await sentTo(page, PATH, BUTTON);
  t.true((await arrived(page)).startsWith('/dashboard'));
  const again = await send(PATH, Object.fromEntries(form));
  t.is(again.status, 422, 'a second time');
  t.is(again.headers.getSetCookie().length, 0);

  await signInPage();
  await sentTo(page, PATH, BUTTON, ageChallenge(6));
  await page.waitForURL(HOST + PATH);
  t.is(
    await page.locator('main [role=alert]').first().innerText(),
    'The passkey was not accepted. Try again.',
  );

  await db.query(`UPDATE passkeys SET counter = 1000000 WHERE profile_id = ${PROFILE}`, [email]);
  await signInPage();
  const copied = await sentTo(page, PATH, BUTTON);
  // A copy's counter is behind.
  await page.waitForURL(HOST + PATH);
  t.is((await send(PATH, Object.fromEntries(copied))).status, 422);
  await db.query(`UPDATE passkeys SET counter = 0 WHERE profile_id = ${PROFILE}`, [email]);

  await signInPage();
  await page.click(`button:text("${BUTTON}")`);
  t.true((await arrived(page)).startsWith('/dashboard'), 'the passkey itself still works');
  await page.context().close();
});

test('a challenge for another purpose or session is not accepted', async (t) => {
  const { email, page } = await newPerson(browser);
  await page.context().clearCookies();
  await page.goto(`${HOST}/sign-in`);
  let passkey = '';
  await page.route(`${HOST}/sign-in/passkey`, async (route) => {
    passkey = new URLSearchParams(route.request().postData()!).get('passkey')!;
    await route.abort();
  });
  await page.click('button:text("Sign in with a passkey")');
  await until(async () => passkey);
  const session = await WebSession.start(email);
  const { status } = await session.post('/sign-in/code/passkey', { passkey }, '/sign-in/code');
  t.is(status, 422, 'it was made for a sign-in');
  t.is((await session.get('/account')).status, 302);
  for (const junk of [
    '',
    '{',
    'null',
    '{"id":"x"}',
    '{"id":"\\u0000"}',
    JSON.stringify({ id: 'x'.repeat(2_000) }),
  ])
    t.is((await send('/sign-in/passkey', { passkey: junk })).status, 422, junk);
  await page.context().close();
});

test('an authenticator that does not verify its user is refused', async (t) => {
  const { page, authenticator } = await newPerson(browser);
  await page.context().clearCookies();
  await page.goto(`${HOST}/sign-in`);
  await authenticator.recognises(false);
  await page.click('button:text("Sign in with a passkey")');
  await page.locator('form[data-passkey] [role=alert]:visible').waitFor();
  t.is(new URL(page.url()).pathname, '/sign-in');
  await page.context().close();
});

test('a session by passkey proves no mailbox, so another second factor needs a link', async (t) => {
  const { page } = await newPerson(browser);
  await page.context().clearCookies();
  await page.goto(`${HOST}/sign-in`);
  await page.click('button:text("Sign in with a passkey")');
  await arrived(page);
  await page.goto(`${HOST}/account`);
  await page.click('button:text("Add a passkey")');
  t.is(await readHeading(page), 'Sign in again first');
  await page.context().close();
});

test('the passkey forms are hidden where they cannot work', async (t) => {
  const page = await newPage(browser);
  await addAuthenticator(page);
  await page.goto(`${HOST.replace('localhost', '127.0.0.1')}/sign-in`);
  t.false(await page.locator('button:text("Sign in with a passkey")').isVisible());
  t.true(await page.locator('button:text("Send link")').isVisible());
  await page.context().close();
});

test('a browser’s unsigned statements about a new passkey are not stored unchecked', async (t) => {
  const { email } = await newMember(await newWorkspace());
  const { page } = await openWithAuthenticator(browser, await WebSession.start(email));
  await page.route(`${HOST}/account/passkeys`, async (route) => {
    const form = new URLSearchParams(route.request().postData()!);
    const passkey = JSON.parse(form.get('passkey')!);
    passkey.response.transports = ['internal', '\0', { a: 1 }, 'x'.repeat(100), 'internal'];
    form.set('passkey', JSON.stringify(passkey));
    await route.continue({ postData: form.toString() });
  });
  await addPasskey(page, 'Laptop');
  await page.locator('ul.codes').waitFor();
  t.deepEqual(await listPasskeys(email), ['Laptop']);
  const [{ transports }] = await db.query(`SELECT transports FROM passkeys WHERE profile_id = ${PROFILE}`, [
    email,
  ]);
  t.deepEqual(transports, ['internal']);
  await page.context().close();
});

test('the addresses in attestation certificates are never fetched', async (t) => {
  await assertionOptions({ db, publicUrl: dev.baseUrl }, null);
  for (const identifier of ['android-key', 'android-safetynet', 'apple'] as const)
    t.deepEqual(SettingsService.getRootCertificates({ identifier }), []);
});
