import test from 'ava';
import { launchBrowser } from '../../support/chromium.js';
import type { Browser } from 'playwright-core';
import { picture } from '../../support/browser.js';
import {
  confirmedBooking,
  createBooking,
  bookingBody,
  freeHour,
  hoursLater,
} from '../../support/bookings.js';
import { openDashboard, readMainText } from '../../support/dashboard.js';
import { newRoom } from '../../support/workspaces.js';
import { assertFine } from '../assert-fine.js';

let browser: Browser;

test.before(async () => {
  browser = await launchBrowser();
});

test('a blackout over bookings is chosen, confirmed and reviewed, in light and dark, and shows what staff return themselves', async (t) => {
  const { workspace, page, home } = await openDashboard(browser);
  const { api } = workspace;
  const closed = await newRoom(api, { name: 'Closed room', time_zone: 'UTC' });
  await newRoom(api, { name: 'Other room', time_zone: 'UTC' });
  const { start_at } = freeHour();
  const slot = (hour: number) => ({
    start_at: hoursLater(start_at, hour),
    end_at: hoursLater(start_at, hour + 1),
  });
  await confirmedBooking(api, { room_id: closed.id, slot: slot(0) });
  const cash = await createBooking(api, bookingBody(closed.id, slot(1)));
  const payment = { method: 'cash', amount_minor: 3_000 };
  t.is((await api.post(`/v1/bookings/${cash.id}/payments`, payment)).status, 201);
  const fine = async (name: string): Promise<void> => {
    await assertFine(t, page, name);
    await page.emulateMedia({ colorScheme: 'dark' });
    await picture(page, `day-${name}-dark`);
    await page.emulateMedia({ colorScheme: 'light' });
  };
  await page.goto(`${home}/rooms/${closed.id}`);
  await page.click('.heading button:text("Add blackout")');
  await page.fill('#start_at', slot(0).start_at.slice(0, 16));
  await page.fill('#end_at', slot(1).end_at.slice(0, 16));
  await page.fill('#reason', 'Painting');
  await fine('blackout-form');
  await page.click('form[action$="/blackouts"] > button');
  await page.locator('h1:text("2 bookings overlap this blackout")').waitFor();
  const byHand = /^Cancel, refund £30\.00 \(not paid online, so return it yourself\)$/;
  const labels = await page.locator('select[name=choice] option').allInnerTexts();
  t.is(labels.filter((label) => byHand.test(label)).length, 1, labels.join('; '));
  await fine('blackout-choice');
  await page.click('button:text("Cancel all with full refund")');
  await page.click('button:text("Review")');
  await page.locator('button:text("Add blackout, ")').waitFor();
  await fine('blackout-confirmation');
  await page.click('button:text("Add blackout, ")');
  await page.waitForURL(/\/blackouts\/bo_/);
  t.true((await readMainText(page)).includes('Painting'));
  await fine('blackout-outcomes');
  await page.context().close();
});
