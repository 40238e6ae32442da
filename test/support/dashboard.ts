import type { Browser } from 'playwright-core';
import { newPage, signInAndEnrol, type WatchedPage } from './browser.js';
import { dev, newWorkspace, uniqueEmail, type TestWorkspace } from './stack.js';

export interface Scene {
  workspace: TestWorkspace;
  page: WatchedPage;
  home: string;
}

/** Creates a workspace and opens its dashboard as the owner. */
export async function openDashboard(browser: Browser): Promise<Scene> {
  const owner_email = uniqueEmail();
  const workspace = await newWorkspace({ owner_email });
  const page = await newPage(browser);
  await signInAndEnrol(page, owner_email);
  const home = `${dev.baseUrl}/dashboard/${workspace.id}`;
  await page.waitForURL(home);
  return { workspace, page, home };
}

/** The text of a dashboard page. */
export const textOf = (page: WatchedPage): Promise<string> => page.locator('main').innerText();
