import type { Browser } from 'playwright-core';
import type { WatchedPage } from './browser.js';
import { dev, newWorkspace, until, uniqueEmail, type TestWorkspace } from './stack.js';
import { WebSession } from './web-session.js';

export interface Scene {
  workspace: TestWorkspace;
  page: WatchedPage;
  home: string;
}

/** Creates a workspace and opens its dashboard as the owner. */
export async function openDashboard(browser: Browser): Promise<Scene> {
  const owner_email = uniqueEmail();
  const workspace = await newWorkspace({ owner_email });
  const session = await WebSession.start(owner_email);
  await session.enrol();
  const page = await session.openPage(browser);
  const home = `${dev.baseUrl}/dashboard/${workspace.id}`;
  await page.goto(home);
  return { workspace, page, home };
}

/** The text of a dashboard page. */
export const textOf = (page: WatchedPage): Promise<string> => page.locator('main').innerText();

/** Requests a page's HTML until `shows` returns true for it, then opens it. */
export async function openWhen(
  page: WatchedPage,
  url: string,
  shows: (html: string) => boolean,
): Promise<void> {
  await until(async () => {
    const response = await page.request.get(url);
    return response.ok() && shows(await response.text());
  });
  await page.goto(url);
}
