import test from 'ava';
import { launchBrowser } from '../../support/chromium.js';
import type { Browser } from 'playwright-core';
import { picture } from '../../support/browser.js';
import { bookingBody, pay, untilStatus } from '../../support/bookings.js';
import { mailTo, withFaults } from '../../support/simulators.js';
import { db, dev } from '../../support/stack.js';
import { until } from '../../support/until.js';
import { newRoom, uniqueEmail } from '../../support/workspaces.js';
import { WINTER_WEDNESDAY } from '../../support/days.js';
import { openDashboard, openWhen, readMainText, guest, newBooking } from '../../support/dashboard.js';

let browser: Browser;

test.before(async () => {
  browser = await launchBrowser();
});

const newScene = () => openDashboard(browser);

test('an operator can find a booking, see its history and cancel it', async (t) => {
  const { workspace, page, home } = await newScene();
  const booking = await newBooking(workspace, { ...guest('Grace <b>Hopper</b>'), notes: 'By the window' });
  await newBooking(workspace, guest('Ada Lovelace'));
  await pay(booking);
  await untilStatus(workspace.api, booking.id, 'confirmed');
  await until(
    async () =>
      (await db.query(`SELECT FROM mails WHERE booking_id = $1 AND sent_at IS NOT NULL`, [booking.id]))
        .length,
  );

  await page.goto(home);
  await page.click('#menu a:text-is("Bookings")');
  await page.fill('main input[type=search]', 'hopper');
  await page.click('main button:text("Search")');
  t.is(await page.locator('tbody tr:not(.day)').count(), 1);
  await picture(page, 'dashboard-bookings');
  await page.selectOption('select[name=status]', 'expired');
  await page.click('main button:text("Search")');
  t.true((await readMainText(page)).includes('No bookings.'));
  await page.fill('main input[type=search]', booking.id);
  await page.click('main button:text("Search")');
  await page.waitForURL(`${home}/bookings/${booking.id}`);
  const shown = await readMainText(page);
  for (const words of [
    'Garden room',
    'Grace <b>Hopper</b>',
    'By the window',
    '£30.00',
    'Payment page opened for £30.00',
    'Payment confirmed by Stripe',
    'Held until',
    '£30.00 paid on the payment page',
    'Confirmation emailed to the booker',
  ])
    t.true(shown.includes(words), words);
  t.is(await page.locator('a:text("Temporal")').count(), 0, 'for the people who run the service');
  const run = `${dev.temporalUiUrl}/namespaces/${dev.temporalNamespace}/workflows/${booking.id}`;
  t.is((await fetch(run)).status, 200);
  await picture(page, 'dashboard-booking');

  await page.click('[popovertarget=more]');
  await page.click('[popovertarget]:text("Cancel booking")');
  await page.fill('#reason', 'The guest called');
  await page.check('input[value=full]');
  await page.click('button:text("Review cancellation")');
  t.true((await readMainText(page)).includes('£30.00 is refunded to the payer.'));
  await page.click('button:text("Cancel and refund £30.00")');
  await page.waitForURL(`${home}/bookings/${booking.id}`);
  await openWhen(page, page.url(), (html) => html.includes('A refund of £30.00 succeeded'));
  for (const words of [
    '£30.00 was paid. £30.00 has been refunded',
    'with a full refund',
    '“The guest called”',
  ])
    t.true((await readMainText(page)).includes(words), words);
  t.is(await page.locator('[popovertarget]:text("Cancel booking")').count(), 0);
  const { body } = await workspace.api.get(`/v1/bookings/${booking.id}`);
  t.is(body.status, 'cancelled');
  const { body: log } = await workspace.api.get('/v1/audit-log?action=booking.cancelled');
  t.deepEqual(log.data[0]!.actor, { member_id: workspace.ownerId, key_id: null });
  t.deepEqual(page.complaints, []);
  await page.context().close();
});

test('what a booking does not call for is in a menu that works by keyboard and without a script', async (t) => {
  const { workspace, page, home } = await newScene();
  const booking = await newBooking(workspace);
  const context = await page
    .context()
    .browser()!
    .newContext({
      javaScriptEnabled: false,
      storageState: await page.context().storageState(),
    });
  const plain = await context.newPage();
  await plain.goto(`${home}/bookings/${booking.id}`);
  const actions = plain.locator('main .title :is(button, a):visible');
  const labels = async () => (await actions.allInnerTexts()).map((text) => text.trim());
  const closed = ['Take payment', 'More'];
  t.deepEqual(await labels(), closed);
  const more = plain.getByRole('button', { name: 'More' });
  await more.press('Enter');
  t.deepEqual(await labels(), [
    ...closed,
    'Change booking',
    'Check payment now',
    'Edit guest',
    'Resend email',
    'Message booker',
    'Guest’s booking page',
    'Cancel booking',
  ]);
  await plain.keyboard.press('Tab');
  t.is(await plain.locator(':focus').innerText(), 'Change booking');
  await plain.keyboard.press('Escape');
  t.deepEqual(await labels(), closed);
  t.is((await plain.locator(':focus').innerText()).trim(), 'More');

  await more.press('Enter');
  await plain.getByRole('button', { name: 'Edit guest' }).press('Enter');
  const email = plain.getByLabel('Guest email');
  await email.fill('no address');
  await email.evaluate((field) => field.setAttribute('type', 'text'));
  await plain.getByRole('button', { name: 'Save guest' }).press('Enter');
  await plain.getByRole('alert').first().waitFor();
  t.is(await email.inputValue(), 'no address', 'what is rejected is shown open, outside of the menu');
  await context.close();
  await page.context().close();
});

test('staff take a payment at the desk', async (t) => {
  const { workspace, page, home } = await newScene();
  const booking = await newBooking(workspace);
  await page.goto(`${home}/bookings/${booking.id}`);
  await page.click('[popovertarget]:text("Take payment")');
  await page.click('button:text("Record £30.00 as paid")');
  t.true((await readMainText(page)).includes('Method'), 'how it was paid is required');
  t.is((await workspace.api.get(`/v1/bookings/${booking.id}`)).body.status, 'pending_payment');
  await picture(page, 'dashboard-take-payment');
  await page.check('input[name=method][value=card_terminal]');
  await page.fill('#reference', 'Slip 0042');
  await page.click('button:text("Record £30.00 as paid")');
  await page.waitForURL(`${home}/bookings/${booking.id}`);
  const shown = await readMainText(page);
  for (const words of [
    '£30.00 recorded as paid by card terminal. The booking is confirmed.',
    '£30.00 paid by card terminal',
  ])
    t.true(shown.includes(words), words);
  t.is(await page.locator('[popovertarget]:text("Take payment")').count(), 0);
  t.is(
    await page.locator('button:text("Check payment now")').count(),
    0,
    'the processor knows nothing of cash',
  );
  const { body } = await workspace.api.get(`/v1/payments?booking_id=${booking.id}`);
  t.like(body.data[0], { method: 'card_terminal', reference: 'Slip 0042', amount_minor: 3_000 });
  t.deepEqual(page.complaints, []);
  await page.context().close();
});

test('a free time leads to the form with the room’s name in view', async (t) => {
  const { workspace, page, home } = await newScene();
  const room = await newRoom(workspace.api, { name: 'Garden room' });
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(`${home}/book?room_id=${room.id}&day=${WINTER_WEDNESDAY}`);
    await page.click('ul.times a');
    await page.waitForURL(/#start_at$/);
    const top = async (selector: string) => (await page.locator(selector).boundingBox())!.y;
    const header = (await page.locator('header .brand').boundingBox())!;
    const below = width === 390 ? header.y + header.height : 0;
    await until(async () => (await top('#start_at')) < 300);
    t.true((await top('form.card h2')) >= below, `at ${width} px`);
  }
  await page.context().close();
});

test('the form for changing a booking asks only for the reference of what is paid now', async (t) => {
  const { workspace, page, home } = await newScene();
  const booking = await newBooking(workspace);
  await pay(booking);
  await untilStatus(workspace.api, booking.id, 'confirmed');
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto(`${home}/bookings/${booking.id}/change`);
  const reference = page.getByLabel('Payment reference');
  t.is(await page.inputValue('#paid_by'), 'card');
  t.false(await reference.isVisible());
  const button = (await page.locator('button:text("Review change")').boundingBox())!;
  t.true(button.y + button.height <= 900, `the button ends at ${button.y + button.height}`);
  await picture(page, 'dashboard-change');
  await page.selectOption('#paid_by', 'cash');
  t.true(await reference.isVisible());
  await page.selectOption('#paid_by', 'link');
  t.false(await reference.isVisible());
  t.deepEqual(page.complaints, []);
  await page.context().close();
});

test('staff correct the address of a guest, who gets the confirmation again', async (t) => {
  const { workspace, page, home } = await newScene();
  const booking = await newBooking(workspace);
  await pay(booking);
  await untilStatus(workspace.api, booking.id, 'confirmed');
  const email = uniqueEmail();
  await page.goto(`${home}/bookings/${booking.id}`);
  await page.click('[popovertarget=more]');
  await page.click('[popovertarget]:text("Edit guest")');
  await page.fill('#booked_by\\.guest\\.email', email);
  await picture(page, 'dashboard-correct-guest');
  await page.click('button:text("Save guest")');
  await page.waitForURL(`${home}/bookings/${booking.id}`);
  t.true((await readMainText(page)).includes('Guest saved.'));
  t.true((await readMainText(page)).includes(email));
  await until(async () => (await mailTo(email)).some(({ subject }) => /confirmed/i.test(subject)));
  t.deepEqual(page.complaints, []);
  await page.context().close();
});

test('staff cancel with a refund amount that is shown first', async (t) => {
  const { workspace, page, home } = await newScene();
  const booking = await newBooking(workspace);
  await pay(booking);
  await untilStatus(workspace.api, booking.id, 'confirmed');
  const review = async (amount: string): Promise<void> => {
    await page.goto(`${home}/bookings/${booking.id}`);
    await page.click('[popovertarget=more]');
    await page.click('[popovertarget]:text("Cancel booking")');
    if (!amount) await page.check('input[value=amount]');
    await page.fill('#refund_amount_minor', amount);
    await page.click('button:text("Review cancellation")');
  };
  await review('30.01');
  t.true((await readMainText(page)).includes('At most £30.00 can be refunded.'));
  await review('');
  t.regex(await readMainText(page), /Amount to refund .*\n*.*(required|number)/i);
  await review('12.50');
  await picture(page, 'dashboard-cancel-amount');
  await page.click('button:text("Go back")');
  t.is(await page.inputValue('#refund_amount_minor'), '12.50', 'what was entered stays');
  await page.check('input[value=standard]');
  await page.click('button:text("Review cancellation")');
  t.regex(await readMainText(page), /To refund this amount, choose “An amount”; otherwise leave it empty/);
  await review('12.50');
  t.true((await readMainText(page)).includes('£12.50 is refunded to the payer.'));
  await page.click('button:text("Cancel and refund £12.50")');
  await page.waitForURL(`${home}/bookings/${booking.id}`);
  await openWhen(page, page.url(), (html) => html.includes('A refund of £12.50 succeeded'));
  t.true((await readMainText(page)).includes('with a refund of a chosen amount'));
  t.deepEqual(page.complaints, []);
  await page.context().close();
});

test("a booking's page shows what its run waits for, and the latest failure", async (t) => {
  const { workspace, page, home } = await newScene();
  await workspace.api.patch('/v1/workspace', { checkout_hold_seconds: 10 });
  const booking = await newBooking(workspace);
  const fail = [{ method: 'POST', path: `/v1/checkout/sessions/*`, status: 500, times: 1_000 }];
  await withFaults(workspace, { fail }, async () => {
    await page.goto(`${home}/bookings/${booking.id}`);
    const text = await readMainText(page);
    t.regex(text, /Not paid yet\. Held until \w+ \d+ \w+, \d\d:\d\d\./);
    await openWhen(
      page,
      page.url(),
      (html) =>
        html.includes('is unavailable: it does not respond, or reports an internal error') &&
        /Tried \d+ times, next try (in \d+ s|at )/.test(html),
    );
    await page.click('.failing summary');
    t.regex(await readMainText(page), /ProcessorUnavailable: StripeAPIError 500/);
    // The overview has the same sentence, and each booking in it has a working link.
    await openWhen(page, home, (html) => html.includes('Stripe is unavailable'));
    await page.click(`article.trouble a[href$="${booking.id}"]`);
    await page.waitForURL(`${home}/bookings/${booking.id}`);
    t.true((await readMainText(page)).includes('Not paid in time. Closing the checkout at Stripe'));
    await picture(page, 'dashboard-run');
  });
  await untilStatus(workspace.api, booking.id, 'expired');
  await openWhen(page, page.url(), (html) => !html.includes('Current step'));
  t.deepEqual(page.complaints, []);
  await page.context().close();
});

test('pagination shows each booking once', async (t) => {
  const { workspace, page, home } = await newScene();
  const room = await newRoom(workspace.api, { price_per_hour: { currency: 'GBP', amount_minor: 0 } });
  const made = await Promise.all(
    Array.from(
      { length: 30 },
      async () => (await workspace.api.post('/v1/bookings', bookingBody(room.id))).body.id,
    ),
  );
  await page.goto(`${home}/bookings`);
  const seen: string[] = [];
  for (;;) {
    const links = await page
      .locator('tbody a')
      .evaluateAll((all) => all.map((link) => link.getAttribute('href')!));
    seen.push(...links.map((link) => link.split('/').at(-1)!));
    const more = page.locator('a:text("Next page")');
    if ((await more.count()) === 0) break;
    await more.click();
  }
  t.deepEqual(seen.toSorted(), made.toSorted());
  await page.context().close();
});
