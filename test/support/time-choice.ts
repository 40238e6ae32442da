import type { FrameLocator, Page } from 'playwright-core';

/**
 * Chooses a day of this or the next month on a page that offers times, as a visitor does: turns to its month,
 * and follows the day's link.
 */
export async function chooseDay(page: Page | FrameLocator, day: string): Promise<void> {
  await page.locator('.month').waitFor();
  const link = page.locator(`.month td a[href*="day=${day}"]`);
  if ((await link.count()) === 0) await page.locator('.month-title a').last().click();
  await link.click();
  await page.locator(`.month td a[href*="day=${day}"][aria-current]`).waitFor();
}
