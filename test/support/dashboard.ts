import type { Browser } from 'playwright-core';
import type { WatchedPage } from './browser.js';
import { newMember } from './people.js';
import { bookingBody } from './bookings.js';
import { dev } from './stack.js';
import { until } from './until.js';
import { newRoom, newWorkspace, findOwnerEmail, uniqueEmail, type TestWorkspace } from './workspaces.js';
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

/** Opens what is closed on a page, and shows its drawers in their places. */
export const openAll = (page: WatchedPage): Promise<void> =>
  page.evaluate(`
    for (const each of document.querySelectorAll('main details')) each.open = true;
    for (const each of document.querySelectorAll('main .drawer')) each.removeAttribute('popover');
  `);

/** The text of a dashboard page. */
export const readMainText = (page: WatchedPage): Promise<string> => page.locator('main').innerText();

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

/** A workspace and the session of its owner. */
export async function openOffice(
  overrides?: Parameters<typeof newWorkspace>[0],
): Promise<{ workspace: TestWorkspace; session: WebSession; home: string }> {
  const workspace = await newWorkspace(overrides);
  const session = await WebSession.start(await findOwnerEmail(workspace.id));
  await session.enrol();
  return { workspace, session, home: `/dashboard/${workspace.id}` };
}

/** The session of a member with a role, and the path of the dashboard. */
export async function openAs(workspace: TestWorkspace, of: Parameters<typeof newMember>[1]) {
  const { email } = await newMember(workspace, of);
  return { session: await WebSession.start(email), home: `/dashboard/${workspace.id}` };
}

/** The text of a page, without markup. */
export const pageText = (html: string): string =>
  html
    .replace(/<style>[^]*?<\/style>/, '')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ');

export const alertText = (html: string): string =>
  pageText(/role="alert">([^]*?)<\/div>/.exec(html)?.[1] ?? '').trim();

export async function newBooking({ api }: TestWorkspace, overrides: Record<string, unknown> = {}) {
  const room = await newRoom(api, { name: 'Garden room' });
  const { body } = await api.post('/v1/bookings', bookingBody(room.id, overrides));
  return body;
}

export const guest = (name: string) => ({ booked_by: { guest: { email: uniqueEmail(), name } } });

/** The table row with this text. */
export const findRow = (page: WatchedPage, name: string) => page.locator('tr', { hasText: name });
