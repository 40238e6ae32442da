import test from 'ava';
import { launchBrowser } from '../../support/chromium.js';
import type { Browser, Page } from 'playwright-core';
import { assertAccessible } from '../../support/axe.js';
import { newPage, picture, readHeading } from '../../support/browser.js';
import { CARD_EXPIRY } from '../../support/days.js';
import { sweep } from '../../support/invariants.js';
import { bookingBody, pay, checkoutSessionId, untilStatus } from '../../support/bookings.js';
import { simulator } from '../../support/simulators.js';
import { db, dev } from '../../support/stack.js';
import { newRoom, newWorkspace } from '../../support/workspaces.js';
import { message } from '../../support/message.js';

let browser: Browser;
test.before(async () => {
  browser = await launchBrowser();
});

async function open(address: string): Promise<Page> {
  const page = await newPage(browser);
  await page.goto(address);
  return page;
}

async function newBooking(settings: Record<string, unknown> = {}) {
  const { hold_seconds, ...rest } = settings;
  const workspace = await newWorkspace(hold_seconds ? { hold_seconds: hold_seconds as number } : {});
  if (Object.keys(rest).length > 0) await workspace.api.patch('/v1/workspace', rest);
  const room = await newRoom(workspace.api, { name: 'Garden room' });
  const { body: booking } = await workspace.api.post('/v1/bookings', bookingBody(room.id));
  return { workspace, booking };
}

/** Waits until the page shows the confirmation; the page updates itself until then. */
const confirmed = (page: Page): Promise<void> =>
  page.locator('h1', { hasText: message('payer.confirmed') }).waitFor();

test('a payer pays with a card and is redirected to a page that shows the confirmed booking', async (t) => {
  const { workspace, booking } = await newBooking({ return_url: 'https://harbour.example/thanks' });
  const page = await open(booking.checkout_url!);
  const checkout = await page.locator('body').innerText();
  t.true(checkout.includes('Garden room'), 'the page shows the room');
  t.true(checkout.includes('30.00'), 'the page shows the amount');
  await picture(page, 'checkout');
  await page.fill('#email', 'grace@example.com');
  await page.fill('#name', 'Grace Guest');
  await page.fill('#number', '4242 4242 4242 4242');
  await page.fill('#expiry', CARD_EXPIRY);
  await page.fill('#cvc', '123');
  await page.click('button[value=pay]');
  await page.waitForURL(/\/checkout\/success/);
  await confirmed(page);
  await picture(page, 'confirmed');
  const text = await page.locator('body').innerText();
  for (const fact of [
    'Garden room',
    '£30.00',
    booking.reference,
    'Europe/London',
    message('payer.confirmation_mailed'),
    message('terms.full_refund'),
  ])
    t.true(text.includes(fact), fact);
  t.is(
    await page.locator('a', { hasText: 'Back to' }).getAttribute('href'),
    'https://harbour.example/thanks',
  );
  await assertAccessible(t, page, 'confirmed');
  const paid = await untilStatus(workspace.api, booking.id, 'confirmed');
  t.truthy(paid.processor_payment_intent_id);
  await page.reload();
  t.is(await readHeading(page), message('payer.confirmed'), 'the page can be opened again');
  t.is(await page.locator('a[href*="/manage/"]').count(), 2);
  // Receivers of events know the session's id.
  const path = `${dev.baseUrl}/checkout/success?session_id=${checkoutSessionId(booking)}`;
  t.false((await (await fetch(path)).text()).includes('/manage/'), 'without the secret of the address');
  await page.goto(booking.checkout_url!);
  t.regex((await readHeading(page))!, /has been paid/);
  t.false(
    (await page.content()).includes('/checkout/success'),
    'nor does the address of the checkout show it',
  );
  await page.close();
  await sweep(t, workspace);
});

test('a declined card is shown immediately, and another card can pay', async (t) => {
  const { workspace, booking } = await newBooking();
  const page = await open(booking.checkout_url!);
  await page.fill('#number', '4000 0000 0000 0002');
  await page.click('button[value=pay]');
  const notice = page.locator('.notice[role=alert]');
  t.regex((await notice.textContent())!, /declined.*not been charged/i);
  await picture(page, 'declined');
  t.is((await workspace.api.get(`/v1/bookings/${booking.id}`)).body.status, 'pending_payment');
  await page.fill('#number', '4242 4242 4242 4242');
  await page.click('button[value=pay]');
  await page.waitForURL(/\/checkout\/success/);
  await confirmed(page);
  await page.close();
  await untilStatus(workspace.api, booking.id, 'confirmed');
  await sweep(t, workspace);
});

test('a payer who leaves the checkout can return to it', async (t) => {
  const { workspace, booking } = await newBooking();
  const page = await open(booking.checkout_url!);
  await page.click('button[value=leave]');
  await page.waitForURL(/\/checkout\/left/);
  t.is(await readHeading(page), message('payer.left_checkout'));
  await picture(page, 'left');
  t.regex(await page.locator('main').innerText(), /held for you until .*\d\d:\d\d/);
  await page.click('a.button');
  await page.waitForURL(booking.checkout_url!);
  t.true(await page.locator('button[value=pay]').isVisible());

  await pay(booking);
  await untilStatus(workspace.api, booking.id, 'confirmed');
  await page.goBack();
  await page.reload();
  t.is(await readHeading(page), message('payer.confirmed'), 'the same page shows the new status');
  await page.close();
  await sweep(t, workspace);
});

test('a payer who leaves the checkout reads the day on which the hold ends', async (t) => {
  const { booking } = await newBooking({ hold_seconds: 86_400 });
  const page = await open(booking.checkout_url!);
  await page.click('button[value=leave]');
  await page.waitForURL(/\/checkout\/left/);
  t.regex(
    await page.locator('main').innerText(),
    /held for you until \w{3} \d{1,2} \w{3}( \d{4})?, \d\d:\d\d/,
  );
  await page.close();
});

test('a payer with an asynchronous method sees that the payment is being confirmed, then the confirmation', async (t) => {
  const { workspace, booking } = await newBooking();
  const { redirect_url } = await pay(booking, { async: true });
  const page = await open(redirect_url);
  t.is(await readHeading(page), message('payer.confirming'));
  t.is(await page.locator('meta[http-equiv=refresh]').count(), 0);
  await assertAccessible(t, page, 'confirming');
  await page.evaluate(() => Object.assign(window, { stays: true }));
  await picture(page, 'confirming');
  await simulator('POST', `/_sim/checkout/${checkoutSessionId(booking)}/settle`, {});
  await confirmed(page);
  t.true(await page.evaluate(() => 'stays' in window), 'the page updates itself without a reload');
  await page.close();
  await untilStatus(workspace.api, booking.id, 'confirmed');
  await sweep(t, workspace);
});

test('every page shows a payer that the hold has ended', async (t) => {
  const { workspace, booking } = await newBooking({ hold_seconds: 10 });
  await untilStatus(workspace.api, booking.id, 'expired');
  const page = await open(booking.checkout_url!);
  t.regex((await readHeading(page))!, /expired/);
  await picture(page, 'checkout-expired');
  await page.click('a.button');
  await page.waitForURL(/\/checkout\/left/);
  t.is(await readHeading(page), message('payer.expired'));
  const contact = message('payer.contact_to_book_again', { name: 'Test house' });
  t.true((await page.textContent('main'))!.includes(message('terms.not_paid')));
  t.true((await page.textContent('main'))!.includes(contact));
  await picture(page, 'closed');
  await workspace.api.patch('/v1/workspace', { booking_url: 'https://harbour.example/book' });
  await page.reload();
  t.is(
    await page.locator('a', { hasText: message('payer.book_again') }).getAttribute('href'),
    'https://harbour.example/book',
  );
  await page.goto(`${dev.baseUrl}/checkout/success?session_id=${checkoutSessionId(booking)}`);
  t.is(await readHeading(page), message('payer.expired'));
  await picture(page, 'expired');
  await page.close();
  await sweep(t, workspace);
});

test('an unknown session shows a page, and every page forbids scripts', async (t) => {
  const { booking } = await newBooking();
  const page = await newPage(browser);
  for (const path of [
    '/checkout/success',
    '/checkout/success?session_id=cs_test_unknown',
    '/checkout/success?session_id=%00',
    '/checkout/success?session_id=a&session_id=b',
    '/checkout/left?checkout_id=chk_1',
    '/checkout/left?checkout_id=%00',
    `/checkout/left?booking_id=${booking.id}`,
    `/checkout/left?checkout_id=${booking.id}`,
  ]) {
    const response = await page.goto(dev.baseUrl + path);
    t.is(response!.status(), 404, path);
    t.is(await readHeading(page), message('payer.checkout_unknown'));
    const headers = response!.headers();
    t.regex(headers['content-security-policy']!, /default-src 'none'/);
    t.is(headers['cache-control'], 'no-store');
    t.truthy(headers['x-request-id']);
  }
  await picture(page, 'unknown');
  const [{ id }] = await db.query(`SELECT id FROM checkouts WHERE booking_id = $1`, [booking.id]);
  t.is((await page.goto(`${dev.baseUrl}/checkout/left?checkout_id=${id}`))!.status(), 200);
  await page.close();
});

test("a name that looks like HTML is shown as text on the payer's pages", async (t) => {
  const workspace = await newWorkspace();
  const room = await newRoom(workspace.api, { name: '<script>alert(1)</script>' });
  const { body: booking } = await workspace.api.post('/v1/bookings', bookingBody(room.id));
  const { redirect_url } = await pay(booking);
  const page = await open(redirect_url);
  t.true((await page.locator('main').innerText()).includes('<script>alert(1)</script>'));
  t.is(await page.locator('main script').count(), 0);
  await page.close();
  await sweep(t, workspace);
});
