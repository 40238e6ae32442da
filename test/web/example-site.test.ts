import test from 'ava';
import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { hoursLater } from '../support/bookings.js';
import { newPage, picture } from '../support/browser.js';
import { launchBrowser } from '../support/chromium.js';
import { serveSite } from '../support/other-site.js';
import { dev } from '../support/stack.js';
import { newRoom, newWorkspace, uniqueEmail } from '../support/workspaces.js';
import { newSite } from '../support/publishable-calls.js';

const EXAMPLE = readFileSync(new URL('../../../docs/example-site.html', import.meta.url), 'utf8');

let browser: Browser;
test.before(async () => {
  browser = await launchBrowser();
});

/** A site with the example and a key, and its origin. */
async function serve(t: { teardown(close: () => unknown): void }) {
  let key = '';
  const page = (): string =>
    EXAMPLE.replace('https://book.example.com', dev.baseUrl).replace('hf_pub_…', key);
  return { origin: await serveSite(t, page), use: (token: string) => (key = token) };
}

test('a public guest books on the example site, which has another origin, and is sent to the payment page', async (t) => {
  const { api } = await newWorkspace();
  const room = await newRoom(api, { name: 'Garden room' });
  const { origin, use } = await serve(t);
  const { key } = await newSite(api, { origins: [origin] });
  use(key.token!);
  const page = await newPage(browser);
  await page.goto(origin);
  await page.locator('[role=status]', { hasText: '£30.00' }).waitFor();
  await page.fill('[name=day]', hoursLater(new Date().toISOString(), 24 * 20).slice(0, 10));
  await page.locator('[name=slot] option', { hasText: '12:00 PM' }).waitFor({ state: 'attached' });
  await page.selectOption('[name=slot]', { label: '12:00 PM' });
  const email = uniqueEmail();
  await page.fill('[name=name]', 'Grace Guest');
  await page.fill('[name=email]', email);
  await picture(page, 'example-site');
  await page.locator('[role=status]', { hasText: '£30.00' }).waitFor();
  await page.click('button');
  await page.waitForURL((to) => to.href.startsWith(dev.processorUrl!));
  const { body } = await api.get(`/v1/bookings?q=${encodeURIComponent(email)}`);
  t.is(body.data.length, 1);
  t.like(body.data[0]!, { status: 'pending_payment', source: 'page', room_id: room.id });
  await page.close();
});

test('the example does not work with the key of another site', async (t) => {
  const { api } = await newWorkspace();
  await newRoom(api);
  const { origin, use } = await serve(t);
  use((await newSite(api)).key.token!);
  const page = await newPage(browser);
  await page.goto(origin);
  await page.locator('[role=alert]', { hasText: 'Failed to fetch' }).waitFor();
  t.is(await page.locator('[name=room] option').count(), 0);
  await page.close();
});
