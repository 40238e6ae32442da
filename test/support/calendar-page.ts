import type { Browser } from 'playwright-core';
import type { WatchedPage } from './browser.js';
import { bookingBody, pay, untilStatus } from './bookings.js';
import { openDashboard } from './dashboard.js';
import { dev } from './stack.js';
import { newRoom, newWorkspace, findOwnerEmail, uniqueEmail } from './workspaces.js';
import { WebSession } from './web-session.js';
import { WINTER_WEDNESDAY } from './days.js';

export const DAY = WINTER_WEDNESDAY;

/** Two rooms, one with a confirmed booking on `DAY` at 10:00, and the calendar of that day. */
export async function openCalendar(browser: Browser) {
  const { workspace, page, home } = await openDashboard(browser);
  const { api } = workspace;
  const room = await newRoom(api, { name: 'Garden room', slot_minutes: 30 });
  const other = await newRoom(api, { name: 'Harbour room', slot_minutes: 30 });
  const email = uniqueEmail();
  const body = bookingBody(room.id, {
    start_at: `${DAY}T10:00:00Z`,
    end_at: `${DAY}T11:00:00Z`,
    booked_by: { guest: { email, name: 'Rosa Parks' } },
  });
  const { body: held } = await api.post('/v1/bookings', body);
  await pay(held);
  const booking = await untilStatus(api, held.id, 'confirmed');
  const url = `${home}/calendar?day=${DAY}`;
  await page.setViewportSize({ width: 1280, height: 1400 });
  await page.goto(url);
  const current = async () => (await api.get(`/v1/bookings/${booking.id}`)).body;
  return { workspace, api, page, home, url, room, other, booking, email, current };
}

/** The owner's page of a workspace in a browser without scripts. */
export async function openWithoutScripts(browser: Browser) {
  const workspace = await newWorkspace();
  const session = await WebSession.start(await findOwnerEmail(workspace.id));
  await session.enrol();
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = Object.assign(await context.newPage(), { complaints: [] as string[] });
  await session.takeTo(page);
  return { workspace, page, home: `${dev.baseUrl}/dashboard/${workspace.id}` };
}

/** A free time of the grid. */
export const freeAt = (page: WatchedPage, room: string, clock: string) =>
  page.locator(`.calendar a.free[aria-label="Book ${room} at ${clock}"]`);

/** The position of an element, in pixels of the window, at a fraction of its height: 0 is its upper edge. */
export async function findPoint(
  locator: ReturnType<WatchedPage['locator']>,
  at: number,
): Promise<{ x: number; y: number }> {
  const box = (await locator.boundingBox())!;
  return { x: box.x + box.width / 2, y: box.y + box.height * at };
}

/** Drags with the mouse from one point to another. */
export async function drag(
  page: WatchedPage,
  from: { x: number; y: number },
  to: { x: number; y: number },
): Promise<void> {
  await page.mouse.move(from.x, from.y);
  await page.mouse.down();
  await page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2, { steps: 3 });
  await page.mouse.move(to.x, to.y, { steps: 3 });
  await page.mouse.up();
}
