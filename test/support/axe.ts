import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { ExecutionContext } from 'ava';
import type { RunOptions } from 'axe-core';
import type { CDPSession, Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** axe in a page as it is now. */
export interface Axe {
  /** What it reports about everything but contrasts. */
  layout(): Promise<string[]>;
  /**
   * Low contrasts in the current colour scheme. Of all text and form fields with the same colour, font and
   * backgrounds it examines one element, so that it can be used on a page with thousands.
   */
  contrasts(): Promise<string[]>;
  close(): Promise<void>;
}

/** Loads axe into the current page. */
export async function openAxe(page: Page): Promise<Axe> {
  const session = await startAxe(page);
  return {
    layout: () => runAxe(session, { rules: { 'color-contrast': { enabled: false } } }),
    contrasts: () => runAxe(session, { runOnly: ['color-contrast'] }, ONE_OF_EACH_LOOK),
    close: () => session.detach(),
  };
}

/**
 * Asserts that axe finds nothing on the current page, in light and in dark mode. Only contrasts depend on the
 * mode, so in dark mode it examines them for one element of each look.
 */
export async function assertAccessible(t: ExecutionContext, page: Page, name = page.url()): Promise<void> {
  const session = await startAxe(page);
  t.deepEqual(await runAxe(session, {}), [], `${name}, light`);
  await page.emulateMedia({ colorScheme: 'dark' });
  const contrasts: RunOptions = { runOnly: ['color-contrast'] };
  t.deepEqual(await runAxe(session, contrasts, ONE_OF_EACH_LOOK), [], `${name}, dark`);
  await page.emulateMedia({ colorScheme: 'light' });
  await session.detach();
}

/** Asserts that axe finds nothing on the current page, ignoring contrasts. */
export async function assertAccessibleLayout(t: ExecutionContext, page: Page, name: string): Promise<void> {
  const axe = await openAxe(page);
  t.deepEqual(await axe.layout(), [], name);
  await axe.close();
}

/** Asserts that axe finds no low contrast on the current page, in light and in dark mode. */
export async function assertContrasts(t: ExecutionContext, page: Page, name: string): Promise<void> {
  const axe = await openAxe(page);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    t.deepEqual(await axe.contrasts(), [], `${name}, ${colorScheme}`);
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await axe.close();
}

/** An expression that selects elements with text, and form fields, one of each look. axe skips checkboxes. */
const ONE_OF_EACH_LOOK = `(() => {
  const backdrops = new Map([[null, '']]);
  const looks = new Map();
  for (const element of document.querySelectorAll('*')) {
    const { backgroundColor, backgroundImage, opacity, color, fontSize, fontWeight, textShadow } =
      getComputedStyle(element);
    const backdrop = [backdrops.get(element.parentElement), backgroundColor, backgroundImage, opacity].join();
    backdrops.set(element, backdrop);
    const hasText = [...element.childNodes].some((node) =>
      node.nodeType === Node.TEXT_NODE && node.data.trim());
    const isInput = element.matches('input:not([type=checkbox], [type=radio]), select, textarea');
    if ((hasText || isInput) && element.checkVisibility())
      looks.set([backdrop, color, fontSize, fontWeight, textShadow].join(), element);
  }
  return [...looks.values()];
})()`;

/** Loads axe. The page's Content Security Policy forbids foreign scripts, but exempts the debugger's. */
async function startAxe(page: Page): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page);
  await session.send('Runtime.evaluate', { expression: source });
  return session;
}

/** What axe reports about `elements`, as lines: the rule, its impact and the first elements. */
async function runAxe(session: CDPSession, options: RunOptions, elements = 'document'): Promise<string[]> {
  const { result } = await session.send('Runtime.evaluate', {
    expression: `axe.run(${elements}, ${JSON.stringify({ ...options, resultTypes: ['violations'] })})
      .then(({ violations }) => JSON.stringify(violations.map(({ id, impact, nodes }) =>
        id + ' (' + impact + '): ' + nodes.slice(0, 3)
          .map((node) => node.html + ' ' + (node.any[0]?.message ?? '')).join(' | '))))`,
    awaitPromise: true,
    returnByValue: true,
  });
  return JSON.parse(result.value as string) as string[];
}
