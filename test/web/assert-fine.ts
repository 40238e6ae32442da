import { assertAccessible } from '../support/axe.js';
import { picture, type WatchedPage } from '../support/browser.js';

/** Asserts that a page is accessible and, on a phone, not wider than the screen. */
export async function assertFine(
  t: Parameters<typeof assertAccessible>[0],
  page: WatchedPage,
  name: string,
): Promise<void> {
  await assertAccessible(t, page, name);
  await picture(page, `day-${name}`);
  await page.setViewportSize({ width: 390, height: 800 });
  const wide = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
  t.false(wide, `${name} scrolls sideways on a phone`);
  await picture(page, `day-${name}-phone`);
  await page.setViewportSize({ width: 1000, height: 760 });
  t.deepEqual(page.complaints, [], name);
}
