import type { Browser, BrowserContext, Page } from 'playwright-core';
import { TOTP, Secret } from 'otpauth';
import { mailTo } from './simulators.js';
import { dev } from './stack.js';
import { until } from './until.js';

export { picture } from './picture.js';

export type WatchedPage = Page & { complaints: string[] };

/** A page in a new browser context. Violations of its Content Security Policy are collected. */
export async function newPage(browser: Browser): Promise<WatchedPage> {
  return nextPage(
    await browser.newContext({ viewport: { width: 1000, height: 760 }, reducedMotion: 'reduce' }),
  );
}

/** Another page in the browser context of a page. */
export async function nextPage(of: Page | BrowserContext): Promise<WatchedPage> {
  const page = await ('context' in of ? of.context() : of).newPage();
  page.setDefaultTimeout(60_000);
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) complaints.push(message.text());
  });
  return Object.assign(page, { complaints });
}

export const readHeading = (page: Page): Promise<string | null> => page.locator('h1').textContent();

/** Requests a sign-in link on the current page. Returns the newest one from the mailbox. */
export async function requestLink(page: Page, email: string): Promise<string> {
  const before = (await linksTo(email)).length;
  await page.fill('#email', email);
  await page.click('button');
  return until(async () => {
    const links = await linksTo(email);
    return links.length > before && links.at(-1)!;
  });
}

/** The sign-in links that were sent to an address, oldest first. */
export async function linksTo(email: string): Promise<string[]> {
  const messages = await mailTo(email);
  return messages
    .flatMap((message) => message.links as string[])
    .filter((link) => link.startsWith(`${dev.baseUrl}/sign-in/link`));
}

/** The code of an authenticator with this key, `steps` time steps from now. */
export const totpCode = (key: string, steps = 0): string =>
  new TOTP({ secret: Secret.fromBase32(key.replaceAll(' ', '')) }).generate({
    timestamp: Date.now() + steps * 30_000,
  });

/** Signs in by a link, from the sign-in page. Returns on the page that follows. */
export async function followLink(page: Page, email: string): Promise<void> {
  const link = await requestLink(page, email);
  await page.goto(link);
  await page.click('button');
  await page.waitForURL((url) => !url.pathname.startsWith('/sign-in/link'));
}

/**
 * Enrols an authenticator on the current page. Returns its key, the code that it
 * used, and the recovery codes.
 */
export async function enrol(page: Page): Promise<{ key: string; code: string; codes: string[] }> {
  const key = (await page.locator('#key').textContent())!;
  const code = totpCode(key);
  await page.fill('#code', code);
  await page.click('button:text("Confirm")');
  await page.locator('ul.codes').waitFor();
  const codes = await page.locator('ul.codes code').allTextContents();
  await page.click('a.button');
  return { key, code, codes };
}

/** Signs in for the first time: by a link, then enrols an authenticator. */
export async function signInAndEnrol(page: Page, email: string): Promise<{ key: string; codes: string[] }> {
  await page.goto(`${dev.baseUrl}/sign-in`);
  await followLink(page, email);
  return enrol(page);
}
