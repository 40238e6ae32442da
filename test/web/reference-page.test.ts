import type { Page } from 'playwright-core';
import test from 'ava';
import type { ApiContext } from '../../api/http/context.js';
import { collectPathIds } from '../../api/openapi/operations.js';
import { showReference, writeReference } from '../../web/reference/page.js';
import { RESOURCES } from '../../api/resources/index.js';
import { launchBrowser } from '../support/chromium.js';
import { document as api } from '../support/described-api.js';

const DOCS = 'https://api.example.com/docs';

/** The page as the service sends it, with its Content Security Policy, and the browser's complaints. */
async function openReference(width: number): Promise<{ page: Page; complaints: string[] }> {
  const headers: Record<string, string> = { 'content-type': 'text/html; charset=utf-8' };
  const ctx = {
    set: (name: string, value: string) => (headers[name] = value),
    state: {},
    response: { get: (name: string) => headers[name] },
    body: '',
  };
  showReference(ctx as unknown as ApiContext, writeReference(api, collectPathIds(RESOURCES)));
  const browser = await launchBrowser();
  const page = await browser.newPage({ viewport: { width, height: 844 } });
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  await page.route('**/*', (route) =>
    route.request().url() === DOCS
      ? route.fulfill({ headers, body: ctx.body })
      : route.fulfill({ status: 204 }),
  );
  await page.goto(DOCS);
  return { page, complaints };
}

test('the reference’s search finds codes, operations and fields, under its policy', async (t) => {
  const { page, complaints } = await openReference(1280);
  const results = page.locator('#results a');
  const find = async (words: string): Promise<string[]> => {
    await page.keyboard.press('/');
    await page.locator('#find').fill(words);
    return results.allTextContents();
  };
  t.is((await find('slot_unavailable'))[0], 'slot_unavailable');
  await results.first().click();
  t.true(await page.locator('#error-slot_unavailable').isVisible());
  await page.locator('h1').click();
  t.true((await find('refund payment')).some((title) => title.includes('Refund a payment')));
  t.true((await find('edit_window_minutes')).some((title) => title.includes('Room object')));
  t.deepEqual(await find('no such words'), []);
  t.is(await page.locator('#found').textContent(), '0 results');
  await page.locator('#find').fill('');
  t.true(await page.locator('#contents').isVisible());
  t.deepEqual(complaints, []);
  await page.close();
});

test('on a phone the reference does not scroll sideways, and its contents can be closed', async (t) => {
  const { page, complaints } = await openReference(390);
  const overflow = () => page.evaluate('document.documentElement.scrollWidth - innerWidth');
  t.is(await overflow(), 0);
  await page.locator('#contents summary').click();
  await page.click('#contents a[href="#createBooking"]');
  t.is(await page.locator('#contents').getAttribute('open'), null);
  t.true(await page.locator('#createBooking h3').isVisible());
  t.deepEqual(complaints, []);
  await page.close();
});
