import test from 'ava';
import { launchBrowser } from '../../support/chromium.js';
import type { Browser } from 'playwright-core';
import { picture } from '../../support/browser.js';
import { client } from '../../support/api-client.js';
import { openDashboard, readMainText } from '../../support/dashboard.js';
import { openReceiver } from '../../support/receiver.js';

let browser: Browser;

test.before(async () => {
  browser = await launchBrowser();
});

const newScene = () => openDashboard(browser);

test('an admin can create and revoke keys and register applications in the dashboard', async (t) => {
  const { workspace, page, home } = await newScene();
  await page.goto(`${home}/keys`);
  await page.click('button:text("New key")');
  await page.fill('#name', 'Door display');
  await page.fill('#days', '30');
  await page.check('input[value=calendar]');
  await picture(page, 'dashboard-keys');
  await page.click('button:text("Create key")');
  const api = client((await page.locator('#token').textContent())!);
  t.deepEqual((await api.get('/v1/auth/whoami')).body.scopes, ['calendar:read']);
  await picture(page, 'dashboard-key-made');
  await page.click('a:text("I’ve saved it")');
  t.false((await readMainText(page)).includes(api.token));
  const row = page.locator('tr', { hasText: 'Door display' });
  await row.locator('button:text-is("Revoke")').click();
  await row.locator('button:text("Revoke key")').click();
  await page.waitForURL(`${home}/keys`);
  t.true((await row.innerText()).includes('revoked'));
  t.is((await api.get('/v1/auth/whoami')).status, 401);

  await page.goto(`${home}/applications`);
  await page.click('button:text("New application")');
  await page.fill('#name', 'Calendar friend');
  await page.fill('#redirect_uris', 'http://app.example/');
  await page.click('button:text("Register")');
  t.regex((await page.locator('[role=alert]').textContent())!, /^The first redirect URI must be an https/);
  t.is(await page.locator('#name').inputValue(), 'Calendar friend');
  await page.fill('#redirect_uris', 'https://app.example/callback\nhttps://app.example/again');
  await page.click('button:text("Register")');
  const clientId = (await page.locator('#client_id').textContent())!;
  t.regex((await page.locator('#client_secret').textContent())!, /^[\w-]{43}$/);
  await page.click('a:text("I’ve saved it")');
  await picture(page, 'dashboard-applications');
  const { body } = await workspace.api.get('/v1/oauth-clients');
  t.is(body.data[0]!.client_id, clientId);
  t.is(body.data[0]!.redirect_uris.length, 2);
  await page.click('button:text-is("Delete")');
  await page.click('button:text("Delete application")');
  await page.waitForURL(`${home}/applications`);
  t.deepEqual((await workspace.api.get('/v1/oauth-clients')).body.data, []);
  t.deepEqual(page.complaints, []);
  await page.context().close();
});

test('an admin can register the webhook endpoint, test it, replace its secret and delete it', async (t) => {
  const { workspace, page, home } = await newScene();
  const receiver = await openReceiver();
  await page.goto(`${home}/webhooks`);
  await page.click('button:text("Register endpoint")');
  await page.fill('#url', receiver.url);
  await page.selectOption('#event_types', ['booking.confirmed', 'booking.cancelled']);
  await page.click('button:text-is("Register")');
  const secret = (await page.locator('#secret').textContent())!;
  t.regex(secret, /^whsec_/);
  const { body: endpoint } = await workspace.api.get('/v1/webhook-endpoint');
  t.deepEqual(endpoint.event_types.toSorted(), ['booking.cancelled', 'booking.confirmed']);
  await page.click('a:text("I’ve saved it")');
  await page.click('button:text("Send test event")');
  await page.locator('#test-result .status:text("delivered")').waitFor();
  t.is(receiver.received.length, 1);
  await picture(page, 'dashboard-webhooks');
  await page.click('button:text("Replace secret")');
  await page.click('.drawer:popover-open button:text("Replace secret")');
  t.not(await page.locator('#secret').textContent(), secret);
  await page.click('a:text("I’ve saved it")');
  await page.click('button:text("Edit")');
  await page.fill('#url', 'nonsense://');
  await page.click('button:text("Save and enable")');
  t.is(await page.locator('[role=alert]').textContent(), 'The URL must be an https URL.');
  t.is(await page.locator('#url').inputValue(), 'nonsense://');
  await page.goto(`${home}/webhooks`);
  await page.click('button:text-is("Delete")');
  await page.click('button:text("Delete endpoint")');
  await page.waitForURL(`${home}/webhooks`);
  t.is((await workspace.api.get('/v1/webhook-endpoint')).status, 404);
  receiver.close();
  await page.context().close();
});
