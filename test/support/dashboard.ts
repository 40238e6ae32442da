import type { Browser } from 'playwright-core';
import { newPage, signInAndEnrol, type WatchedPage } from './browser.js';
import { dev, newWorkspace, uniqueEmail, type TestWorkspace } from './stack.js';

export interface Scene {
  workspace: TestWorkspace;
  page: WatchedPage;
  home: string;
}

/** A workspace whose owner is at its dashboard. */
export async function openDashboard(browser: Browser): Promise<Scene> {
  const owner_email = uniqueEmail();
  const workspace = await newWorkspace({ owner_email });
  const page = await newPage(browser);
  await signInAndEnrol(page, owner_email);
  const home = `${dev.baseUrl}/dashboard/${workspace.id}`;
  await page.waitForURL(home);
  return { workspace, page, home };
}

/** What a person reads on a page of the dashboard. */
export const textOf = (page: WatchedPage): Promise<string> => page.locator('main').innerText();
