import test from 'ava';
import { launchBrowser } from '../support/chromium.js';
import { openDashboard } from '../support/dashboard.js';
import { dev } from '../support/stack.js';
import { once } from '../support/once.js';
import { WebSession } from '../support/web-session.js';
import { newMember } from '../support/people.js';

const browser = once(launchBrowser);

test('a secret or link is copied by a button, which a page without scripts does not show', async (t) => {
  const { page, home } = await openDashboard(await browser());
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: dev.baseUrl });
  const copied = () => page.evaluate('navigator.clipboard.readText()');
  await page.goto(`${home}/keys`);
  await page.click('.title button:text("New key")');
  await page.fill('#name', 'Till');
  await page.click('button:text("Create key")');
  const token = await page.locator('#token').textContent();
  await page.click('button:text("Copy")');
  await page.locator('button:text("Copied")').waitFor();
  t.is(await copied(), token);

  await page.goto(`${home}/membership`);
  await page.click('button:text("Create calendar address")');
  const url = await page.locator('#calendar_url').inputValue();
  await page.click('button:text("Copy")');
  await page.locator('button:text("Copied")').waitFor();
  t.is(await copied(), url);

  await page.goto(`${dev.baseUrl}/docs`);
  await page.locator('#quick-start button:text("Copy")').first().click();
  await page.locator('#quick-start button:text("Copied")').waitFor();
  t.regex(String(await copied()), /^export API_KEY=hf_live_…\n/);
  t.deepEqual(page.complaints, []);

  const plain = await (await browser()).newContext({ javaScriptEnabled: false });
  const still = await plain.newPage();
  await still.goto(`${dev.baseUrl}/docs`);
  t.is(await still.locator('#quick-start button:visible').count(), 0);
  await plain.close();
  await page.context().close();
});

test('a mandatory choice starts empty', async (t) => {
  const { page, home, workspace } = await openDashboard(await browser());
  await newMember(workspace);
  await page.goto(`${home}/ownership`);
  t.is(await page.locator('#member_id').inputValue(), '');
  t.is(await page.locator('#member_id option').first().getAttribute('value'), '');
  const session = await WebSession.start((await newMember(workspace)).email);
  const html = await session.getText(`/dashboard/${workspace.id}/book`);
  t.regex(html, /<select id="room_id" name="room_id" required><option value(?:="")?>/);
  await page.goto(`${home}/settings`);
  t.is(await page.locator('select[required]').count(), 0, 'a choice with a value is not asked for');
  await page.context().close();
});
