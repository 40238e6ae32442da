import test from 'ava';
import type { Browser } from 'playwright-core';
import { launchBrowser } from '../../support/chromium.js';
import { newMember } from '../../support/people.js';
import { totpCode, readHeading } from '../../support/browser.js';
import { mailTo } from '../../support/simulators.js';
import { db } from '../../support/stack.js';
import { until } from '../../support/until.js';
import { WebSession } from '../../support/web-session.js';
import { newWorkspace, findOwnerEmail, uniqueEmail } from '../../support/workspaces.js';
import {
  addPasskey,
  ageProof,
  HOST,
  newPerson,
  openWithAuthenticator,
  listPasskeys,
} from './passkey-calls.js';

let browser: Browser;

test.before(async () => {
  browser = await launchBrowser();
});

test('an owner who has only passkeys transfers the workspace with one', async (t) => {
  const workspace = await newWorkspace();
  const email = await findOwnerEmail(workspace.id);
  const { page } = await openWithAuthenticator(browser, await WebSession.start(email));
  await addPasskey(page, 'Key');
  await page.locator('ul.codes').waitFor();
  const next = await newMember(workspace);
  await ageProof(email);
  await page.goto(`${HOST}/dashboard/${workspace.id}/ownership`);
  await page.selectOption('#member_id', next.id);
  t.is(await page.locator('#code').count(), 0);
  await page.click('button:text("Transfer ownership")');
  await page.click('button:text("Use a passkey")');
  await page.waitForURL(`${HOST}/dashboard/${workspace.id}`);
  t.is(await findOwnerEmail(workspace.id), next.email);
  await page.context().close();
});

test('a person who has only passkeys changes their address with one', async (t) => {
  const { email, page } = await newPerson(browser);
  await ageProof(email);
  await page.goto(`${HOST}/account`);
  await page.click('summary:text("Change email address")');
  t.is(await page.locator('#code').count(), 0);
  const next = uniqueEmail();
  await page.fill('#email', next);
  await page.fill('#email_again', next);
  await page.click('form[action="/account/email"] button');
  await page.click('button:text("Use a passkey")');
  await page.locator('h1:text("Check your email")').waitFor();
  await page.context().close();
});

test('the only second factor cannot be removed, and another is removed with a fresh proof and mail', async (t) => {
  const { email, page } = await newPerson(browser);
  await page.goto(`${HOST}/account`);
  await page.click('summary:text("Rename or remove")');
  await page.click('button:text("Remove passkey")');
  t.is(await readHeading(page), 'The passkey is still there');
  await page.goto(`${HOST}/account`);
  await page.click('summary:text("Rename or remove")');
  await page.fill('input[id^="name-"]', 'Old laptop');
  await page.click('button:text("Rename")');
  t.deepEqual(await listPasskeys(email), ['Old laptop']);

  await page.context().clearCookies();
  const session = await WebSession.start(email);
  await session.takeTo(page, HOST);
  await page.goto(`${HOST}/account`);
  await page.click('button:text("Use a passkey")');
  await page.waitForURL(`${HOST}/dashboard/**`);
  // An authenticator in addition to it.
  await page.goto(`${HOST}/account`);
  await page.click('button:text("Set up an authenticator")');
  const key = (await page.locator('#key').textContent())!;
  await page.fill('#code', totpCode(key));
  await page.click('button:text("Confirm")');
  await page.locator('ul.codes').waitFor();
  await ageProof(email);
  await page.goto(`${HOST}/account`);
  await page.click('summary:text("Rename or remove")');
  await page.click('button:text("Remove passkey")');
  t.is(await readHeading(page), 'Confirm that it’s you');
  await page.fill('#proof', totpCode(key, 1));
  await page.click('button:text("Continue")');
  await page.waitForURL(`${HOST}/account`);
  t.deepEqual(await listPasskeys(email), []);
  await until(async () => (await mailTo(email)).some(({ subject }) => /passkey was removed/.test(subject)));
  await page.context().close();
});

test('the reset of a second factor removes passkeys, and an archived member cannot use theirs', async (t) => {
  const { workspace, id, email, page } = await newPerson(browser);
  const archived = await newPerson(browser);
  await db.query(`UPDATE members SET status = 'archived' WHERE id = $1`, [archived.id]);
  await archived.page.context().clearCookies();
  await archived.page.goto(`${HOST}/sign-in`);
  await archived.page.click('button:text("Sign in with a passkey")');
  await archived.page.waitForURL(`${HOST}/sign-in/passkey`);
  t.is(
    await archived.page.locator('main [role=alert]').first().innerText(),
    'The passkey was not accepted. Try again.',
  );

  const owner = await WebSession.start(await findOwnerEmail(workspace.id));
  const key = await owner.enrol();
  const at = `/dashboard/${workspace.id}/members/${id}`;
  const { status } = await owner.submit(at, `${at}/reset-second-factor`, { code: totpCode(key, 1) });
  t.is(status, 302);
  t.deepEqual(await listPasskeys(email), []);
  await page.goto(`${HOST}/account`);
  t.is(new URL(page.url()).pathname, '/sign-in', 'their sessions have ended');
  for (const each of [page, archived.page]) await each.context().close();
});

test('a workspace can require a second factor of every member who has accepted it', async (t) => {
  const workspace = await newWorkspace();
  const { email } = await newMember(workspace);
  const offered = await newMember(workspace);
  await db.query(`UPDATE members SET accepted_at = NULL WHERE id = $1`, [offered.id]);
  const session = await WebSession.start(email);
  const other = await WebSession.start(offered.email, { accepts: false });
  t.is((await session.get('/account')).status, 200);
  const { body } = await workspace.api.patch('/v1/workspace', { require_second_factor: true });
  t.true(body.require_second_factor);
  t.is((await session.get('/account')).headers.get('location'), '/sign-in/authenticator');
  t.is((await other.get('/account')).status, 200, 'who has not accepted is not forced');
  const { page } = await openWithAuthenticator(browser, session);
  await page.goto(`${HOST}/account`);
  await page.click('a:text("Use a passkey instead")');
  await page.click('button:text("Add passkey")');
  await page.locator('ul.codes').waitFor();
  await page.goto(`${HOST}/account`);
  t.is(new URL(page.url()).pathname, '/account');
  await page.context().close();
});
