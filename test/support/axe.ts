import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { ExecutionContext } from 'ava';
import type { RunOptions } from 'axe-core';
import type { CDPSession, Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * Asserts that axe finds nothing on the current page, in light and in dark mode. Only its contrasts depend on the mode.
 */
export async function assertAccessible(t: ExecutionContext, page: Page, name = page.url()): Promise<void> {
  const session = await startAxe(page);
  t.deepEqual(await findingsOf(session, {}), [], `${name}, light`);
  await page.emulateMedia({ colorScheme: 'dark' });
  t.deepEqual(await findingsOf(session, { runOnly: ['color-contrast'] }), [], `${name}, dark`);
  await page.emulateMedia({ colorScheme: 'light' });
  await session.detach();
}

/**
 * Asserts that axe finds nothing on the current page but for its contrasts: for a page whose colours were tested in
 * another width.
 */
export async function assertAccessibleLayout(t: ExecutionContext, page: Page, name: string): Promise<void> {
  const session = await startAxe(page);
  t.deepEqual(await findingsOf(session, { rules: { 'color-contrast': { enabled: false } } }), [], name);
  await session.detach();
}

/** Loads axe. The page's Content Security Policy forbids foreign scripts; the debugger's are exempt. */
async function startAxe(page: Page): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page);
  await session.send('Runtime.evaluate', { expression: source });
  return session;
}

/** What axe reports, as lines: the rule, its impact and the first elements. */
async function findingsOf(session: CDPSession, options: RunOptions): Promise<string[]> {
  const { result } = await session.send('Runtime.evaluate', {
    expression: `axe.run(document, ${JSON.stringify({ ...options, resultTypes: ['violations'] })}).then(({ violations }) =>
      JSON.stringify(violations.map(({ id, impact, nodes }) =>
        id + ' (' + impact + '): ' + nodes.slice(0, 3).map((node) => node.html + ' ' + (node.any[0]?.message ?? '')).join(' | '))))`,
    awaitPromise: true,
    returnByValue: true,
  });
  return JSON.parse(result.value as string) as string[];
}
