import type { Page } from 'playwright-core';

/** Folder for screenshots of every page, for work on their design. */
const pictures = process.env.SCREENSHOTS;

/** Takes a screenshot if SCREENSHOTS is set. */
export async function picture(page: Page, name: string): Promise<void> {
  if (pictures) await page.screenshot({ path: `${pictures}/${name}.png`, fullPage: true });
}
