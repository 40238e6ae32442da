import { chooseDay } from '../../support/time-choice.js';
import test from 'ava';
import type { Browser, Page } from 'playwright-core';
import { confirmedBooking, hoursLater, pendingBooking } from '../../support/bookings.js';
import { mailTo } from '../../support/simulators.js';
import { until } from '../../support/until.js';
import { newWorkspace } from '../../support/workspaces.js';
import { newPage, picture, readHeading } from '../../support/browser.js';
import { launchBrowser } from '../../support/chromium.js';
import { message } from '../../support/message.js';

const PHONE = { width: 390, height: 780 };
const DESKTOP = { width: 1000, height: 760 };

let browser: Browser;
test.before(async () => {
  browser = await launchBrowser();
});

/** Whether something is wider than the page. */
const overflows = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);

test('a guest moves and cancels on a phone from the link in the mail', async (t) => {
  const workspace = await newWorkspace();
  await workspace.api.patch('/v1/workspace', { contact_email: 'desk@harbour.example' });
  const { booking, email } = await confirmedBooking(workspace.api, { hours: 2 });
  const mail = await until(async () =>
    (await mailTo(email)).find(({ subject }) => /is confirmed/.test(subject)),
  );
  const page = await newPage(browser);
  for (const [name, viewport] of Object.entries({ phone: PHONE, desktop: DESKTOP })) {
    await page.setViewportSize(viewport);
    await page.setContent(mail.html);
    t.false(await overflows(page), name);
    await picture(page, `mail-${name}`);
  }
  await page.emulateMedia({ colorScheme: 'dark' });
  await picture(page, 'mail-dark');
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(PHONE);
  await page.goto((await page.locator('.button a').first().getAttribute('href'))!);

  const seen = async (name: string): Promise<void> => {
    t.false(await overflows(page), name);
    await picture(page, `manage-${name}`);
  };
  t.is(await readHeading(page), message('payer.confirmed'));
  await seen('booking');
  const link = page.url();
  const { booking: asked } = await confirmedBooking(workspace.api, { card: '4000002760003184' });
  const longer = { end_at: hoursLater(asked.end_at, 1), on_authentication: 'link' };
  t.is((await workspace.api.patch(`/v1/bookings/${asked.id}`, longer)).status, 202);
  await page.goto(asked.manage_url!);
  await seen('pending');
  await page.goto(link);
  await page.click(`text=${message('payer.move_booking')}`);
  await page.selectOption('#minutes', '60');
  await page.click(`text=${message('payer.show_free_times')}`);
  await chooseDay(page, hoursLater(booking.start_at, 48).slice(0, 10));
  await seen('times');
  await page.locator('ul.times a').first().click();
  const refund = message('terms.is_refunded', { amount: '£30.00' });
  t.true((await page.textContent('#difference'))!.includes(refund));
  await seen('move');
  await page.click('button[type=submit]');
  t.is(await page.textContent('[role=status]'), message('payer.done_moved'));
  await page.click(`text=${message('payer.cancel_booking')}`);
  await seen('cancel');
  await page.click(`text=${message('payer.cancel_and_refund', { amount: '£30.00' })}`);
  t.is(await readHeading(page), message('payer.cancelled'));
  await seen('cancelled');
  t.deepEqual(page.complaints, []);
  t.is((await workspace.api.get(`/v1/bookings/${booking.id}`)).body.status, 'cancelled');
  await page.close();
});

test('the mail about a held room has a payment button', async (t) => {
  const { booking } = await pendingBooking(30);
  const { email } = booking.booked_by.guest;
  const held = message('mail.held_subject', { room: 'Blue room' });
  const mail = await until(async () => (await mailTo(email)).find(({ subject }) => subject === held));
  const page = await newPage(browser);
  await page.setViewportSize(PHONE);
  await page.setContent(mail.html);
  await picture(page, 'mail-held');
  t.is(await page.locator('.button a').first().getAttribute('href'), booking.checkout_url);
  await page.close();
});

test('a move promises no more than an earlier move has left', async (t) => {
  const { api } = await newWorkspace();
  const refund_steps = [{ hours_before: 0, percent: 50 }];
  const { booking } = await confirmedBooking(api, { room: { refund_steps } });
  const { start_at, room, manage_url } = booking;
  t.is((await api.patch(`/v1/bookings/${booking.id}`, { start_at: hoursLater(start_at, 24) })).status, 200);
  const full = [{ hours_before: 0, percent: 100 }];
  t.is((await api.patch(`/v1/rooms/${room.id}`, { refund_steps: full })).status, 200);
  const page = await newPage(browser);
  await page.goto(`${manage_url}/move?minutes=60&start=${hoursLater(start_at, 48)}`);
  const promised = message('payer.cap_after_move', { percent: 50 });
  t.true((await page.textContent('#difference'))!.includes(promised));
  t.deepEqual(page.complaints, []);
  await page.close();
});
