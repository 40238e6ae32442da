import test from 'ava';
import { launchBrowser } from '../../support/chromium.js';
import type { Browser } from 'playwright-core';
import { totpCode, enrol, followLink, newPage, signInAndEnrol, readHeading } from '../../support/browser.js';
import { db } from '../../support/stack.js';
import { newMember } from '../../support/people.js';
import { at, newOwner } from './sign-in-calls.js';

let browser: Browser;

test.before(async () => {
  browser = await launchBrowser();
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
  t.is(await readHeading(page), 'Workspace not found', 'an archived member loses access immediately');
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
  for (const code of [totpCode(key, 1), codes[0]!]) {
    await page.fill('#code', code);
    await page.click('button:text("Continue")');
    t.regex((await page.locator('[role=alert]').textContent())!, /Too many/);
  }
  await db.query(
    `UPDATE second_factors SET failing_since = failing_since - interval '16 minutes'
     WHERE profile_id = (SELECT id FROM profiles WHERE email = $1)`,
    [email],
  );
  await page.fill('#code', totpCode(key, 1));
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
  t.is(await readHeading(page), 'Enter a code first');
  await page.goto(at('/account'));
  await page.click('button:text("Set up another")');
  t.is(page.url(), at('/sign-in/code'));
  await page.fill('#code', totpCode(key, 1));
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
  for (const old of [totpCode(key, 1), second.codes[0]!]) {
    await page.fill('#code', old);
    await page.click('button:text("Continue")');
    t.regex((await page.locator('[role=alert]').textContent())!, /is wrong/);
  }
  await page.context().close();
});
