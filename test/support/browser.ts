import type { Browser, BrowserContext, Page } from 'playwright-core';
import { TOTP, Secret } from 'otpauth';
import { dev, mailTo, until } from './stack.js';

/** A folder for pictures of every page, for who works on their looks. */
const pictures = process.env.SCREENSHOTS;

export type WatchedPage = Page & { complaints: string[] };

/** A page in a new profile; what it finds that a page's own policy forbids is collected. */
export async function newPage(browser: Browser): Promise<WatchedPage> {
  return nextPage(await browser.newContext({ viewport: { width: 1000, height: 760 } }));
}

/** One more page in the profile of another. */
export async function nextPage(of: Page | BrowserContext): Promise<WatchedPage> {
  const page = await ('context' in of ? of.context() : of).newPage();
  page.setDefaultTimeout(20_000);
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.text().includes('Content Security Policy')) complaints.push(message.text());
  });
  return Object.assign(page, { complaints });
}

/** Keeps a picture where the environment asks for them. */
export async function picture(page: Page, name: string): Promise<void> {
  if (pictures) await page.screenshot({ path: `${pictures}/${name}.png`, fullPage: true });
}

export const titleOf = (page: Page): Promise<string | null> => page.locator('h1').textContent();

/** Asks for a link on the page that is open, and gives the newest one from the mailbox. */
export async function askForLink(page: Page, email: string): Promise<string> {
  const before = (await linksTo(email)).length;
  await page.fill('#email', email);
  await page.click('button');
  return until(async () => {
    const links = await linksTo(email);
    return links.length > before && links.at(-1)!;
  });
}

/** The links to sign in that an address was sent, the oldest first. */
export async function linksTo(email: string): Promise<string[]> {
  const letters = await mailTo(email);
  return letters
    .flatMap((letter) => letter.links as string[])
    .filter((link) => link.startsWith(`${dev.baseUrl}/sign-in/link`));
}

/** The code that an authenticator with this key shows; `steps` later than now. */
export const codeOf = (key: string, steps = 0): string =>
  new TOTP({ secret: Secret.fromBase32(key.replaceAll(' ', '')) }).generate({
    timestamp: Date.now() + steps * 30_000,
  });

/** Signs a person in by a link, from the page that asks for their address; stops where they are led. */
export async function followLink(page: Page, email: string): Promise<void> {
  const link = await askForLink(page, email);
  await page.goto(link);
  await page.click('button');
  await page.waitForURL((url) => !url.pathname.startsWith('/sign-in/link'));
}

/** Sets up an authenticator on the page that asks for one; gives its key and the recovery codes. */
export async function enrol(page: Page): Promise<{ key: string; codes: string[] }> {
  const key = (await page.locator('#key').textContent())!;
  await page.fill('#code', codeOf(key));
  await page.click('button:text("Confirm")');
  await page.locator('ul.codes').waitFor();
  const codes = await page.locator('ul.codes code').allTextContents();
  await page.click('a.button');
  return { key, codes };
}

/** Signs in who has no authenticator yet and needs one: link, enrolment. */
export async function signInAndEnrol(page: Page, email: string): Promise<{ key: string; codes: string[] }> {
  await page.goto(`${dev.baseUrl}/sign-in`);
  await followLink(page, email);
  return enrol(page);
}
