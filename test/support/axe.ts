import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { ExecutionContext } from 'ava';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe reports of a page, as lines: the rule, its impact and the first elements. */
async function findingsOf(page: Page): Promise<string[]> {
  // The page's Content Security Policy forbids foreign scripts; the debugger's are exempt.
  const session = await page.context().newCDPSession(page);
  await session.send('Runtime.evaluate', { expression: source });
  const { result } = await session.send('Runtime.evaluate', {
    expression: `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
      JSON.stringify(violations.map(({ id, impact, nodes }) =>
        id + ' (' + impact + '): ' + nodes.slice(0, 3).map((node) => node.html + ' ' + (node.any[0]?.message ?? '')).join(' | '))))`,
    awaitPromise: true,
    returnByValue: true,
  });
  await session.detach();
  return JSON.parse(result.value as string) as string[];
}

/** Asserts that axe finds nothing on the current page, in light and in dark mode. */
export async function assertAccessible(t: ExecutionContext, page: Page, name = page.url()): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    t.deepEqual(await findingsOf(page), [], `${name}, ${colorScheme}`);
  }
  await page.emulateMedia({ colorScheme: 'light' });
}
