import test from 'ava';
import { launchBrowser } from '../support/chromium.js';
import type { Browser } from 'playwright-core';
import { picture } from '../support/browser.js';
import { openDashboard, rowOf } from '../support/dashboard.js';
import { client } from '../support/stack.js';
import { newMember } from '../api/people.js';

let browser: Browser;

test.before(async () => {
  browser = await launchBrowser();
});

test('a key is revoked only after a confirmation, and shows the member it acts for', async (t) => {
  const { workspace, page, home } = await openDashboard(browser);
  const member = await newMember(workspace, { name: 'Alex Other', role: 'admin' });
  const { body: key } = await workspace.api.post('/v1/api-keys', {
    name: 'Till',
    member_id: member.id,
    scope: { resources: ['calendar'], actions: ['read'] },
  });
  await page.goto(`${home}/keys`);
  const row = rowOf(page, 'Till');
  t.true((await row.innerText()).includes('acts for Alex Other'));
  const sure = row.locator('button:text("Revoke key")');
  t.false(await sure.isVisible());
  await row.locator('summary:text("Revoke")').click();
  t.true((await row.innerText()).includes('This cannot be undone'));
  await picture(page, 'dashboard-key-revoke');
  t.is(
    (await client(key.token!).get('/v1/auth/whoami')).status,
    200,
    'opening the confirmation changes nothing',
  );
  await page.setViewportSize({ width: 390, height: 800 });
  await picture(page, 'dashboard-keys-narrow');
  await sure.click();
  await page.waitForURL(`${home}/keys`);
  t.true((await row.innerText()).includes('revoked'));
  t.is((await client(key.token!).get('/v1/auth/whoami')).status, 401);
  await page.context().close();
});
