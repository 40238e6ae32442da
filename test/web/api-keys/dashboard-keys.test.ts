import test from 'ava';
import { launchBrowser } from '../../support/chromium.js';
import type { Browser } from 'playwright-core';
import { picture } from '../../support/browser.js';
import { openDashboard, findRow } from '../../support/dashboard.js';
import { client } from '../../support/api-client.js';
import { newRoom } from '../../support/workspaces.js';
import { newMember } from '../../support/people.js';

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
  const row = findRow(page, 'Till');
  t.true((await row.innerText()).includes('acts for Alex Other'));
  const sure = row.locator('button:text("Revoke key")');
  t.false(await sure.isVisible());
  await row.locator('button:text-is("Revoke")').click();
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

test('a key for a website is created for its origins, stays in the list, and is revoked', async (t) => {
  const { workspace, page, home } = await openDashboard(browser);
  await newRoom(workspace.api, { name: 'Garden room' });
  await page.goto(`${home}/keys`);
  await page.click('a:text("New publishable key")');
  await page.fill('#name', 'Our site');
  await page.fill('#origins', 'www.harbour.example');
  await page.click('button:text("Create key")');
  t.regex((await page.textContent('#origins-problem'))!, /must be an origin such as/);
  await page.fill('#origins', 'https://www.harbour.example\nhttps://harbour.example');
  await page.check('text=Garden room');
  await picture(page, 'dashboard-key-publishable');
  await page.click('button:text("Create key")');
  await page.waitForURL(`${home}/keys`);
  const row = findRow(page, 'Our site');
  t.regex(await row.innerText(), /https:\/\/www\.harbour\.example, https:\/\/harbour\.example\s+1 room/);
  t.is(await row.locator('text=Replace token').count(), 0);
  const site = client(await row.locator('input.copy').inputValue());
  t.is((await site.get('/v1/public/rooms')).body.data.length, 1);
  await picture(page, 'dashboard-keys-publishable');
  await row.locator('button:text-is("Revoke")').click();
  await row.locator('button:text("Revoke key")').click();
  await page.waitForURL(`${home}/keys`);
  t.is(await row.locator('input.copy').count(), 0);
  t.is((await site.get('/v1/public/rooms')).status, 401);
  await page.context().close();
});
