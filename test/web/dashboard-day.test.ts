import test from 'ava';
import { assertAccessible } from '../support/axe.js';
import { launchBrowser } from '../support/chromium.js';
import type { Browser } from 'playwright-core';
import { picture, titleOf, type WatchedPage } from '../support/browser.js';
import { openDashboard, openWhen, textOf } from '../support/dashboard.js';
import { openSignedIn } from '../support/web-session.js';
import {
  bookingBody,
  db,
  dev,
  freeHour,
  mailTo,
  newRoom,
  newWorkspace,
  pay,
  processorLedger,
  simulator,
  uniqueEmail,
  until,
  untilStatus,
  withRefundMode,
} from '../support/stack.js';
import { confirmedBooking, hoursLater } from '../support/bookings.js';
import { newMember } from '../api/people.js';

let browser: Browser;
test.before(async () => {
  browser = await launchBrowser();
});

/** Asserts that a page is accessible and, on a phone, not wider than the screen. */
async function assertFine(
  t: Parameters<typeof assertAccessible>[0],
  page: WatchedPage,
  name: string,
): Promise<void> {
  await assertAccessible(t, page, name);
  await picture(page, `day-${name}`);
  await page.setViewportSize({ width: 390, height: 800 });
  const wide = await page.evaluate('document.documentElement.scrollWidth > innerWidth');
  t.false(wide, `${name} scrolls sideways on a phone`);
  await picture(page, `day-${name}-phone`);
  await page.setViewportSize({ width: 1000, height: 760 });
  t.deepEqual(page.complaints, [], name);
}

test('an operator books, moves, cancels and closes from the calendar, and sees each amount before', async (t) => {
  const { workspace, page, home } = await openDashboard(browser);
  await assertFine(t, page, 'first-steps');
  t.true((await textOf(page)).includes('Create your first room'));
  await newRoom(workspace.api, {
    name: 'Garden room',
    refund_steps: [{ hours_before: 0, percent: 50 }],
  });
  const email = uniqueEmail();
  const date = freeHour(40).start_at.slice(0, 10);
  await page.goto(`${home}/calendar?day=${date}`);
  await assertFine(t, page, 'calendar');
  await page.click('a.free[aria-label="Book Garden room at 10:00"]');
  t.is(await page.inputValue('#start_at'), `${date}T10:00`);
  await page.fill('#email', email);
  await page.click('main button');
  t.regex(await page.locator('#name-problem').innerText(), /No member has this email address/);
  await page.fill('#name', 'Rosa Parks');
  await assertFine(t, page, 'book');
  await page.click('main button');
  t.is(await page.locator('#price').innerText(), '£30.00, of which £5.00 tax');
  const stored = await workspace.api.get(`/v1/bookings?from=${date}T00:00:00Z&to=${date}T23:59:00Z`);
  t.deepEqual(stored.body.data, [], 'nothing is held before the price was seen');
  await page.click('button:text("Hold slot for £30.00")');
  await page.waitForURL(/\/bookings\/bk_/);
  t.regex(await page.locator('.countdown').innerText(), /^\d+:\d\d left$/);
  const id = page.url().split('/').at(-1)!;
  const { body: held } = await workspace.api.get(`/v1/bookings/${id}`);
  t.is(await page.inputValue('input.copy'), held.checkout_url!);
  t.like(held, { status: 'pending_payment', booked_by: { guest: { email, name: 'Rosa Parks' } } });
  await pay(held);
  await untilStatus(workspace.api, id, 'confirmed');

  await page.goto(`${home}/bookings/${id}`);
  await page.click('a:text("Change booking")');
  await page.fill('#end_at', `${date}T12:00`);
  await page.click('main button');
  t.regex(await page.locator('#difference').innerText(), /^£30\.00 is charged to the card/);
  await assertFine(t, page, 'change');
  t.is((await workspace.api.get(`/v1/bookings/${id}`)).body.end_at, held.end_at, 'a preview changes nothing');
  await page.click('button:text("Change and charge £30.00")');
  await page.waitForURL(`${home}/bookings/${id}`);
  t.is(await page.locator('[role=status]').innerText(), 'Booking changed. £30.00 was charged.');
  t.regex(await textOf(page), /Time: .* 10:00–11:00 → .* 10:00–12:00[\s\S]*Price: £30\.00 → £60\.00/);
  await assertFine(t, page, 'booking');

  await page.goto(`${home}/calendar?day=${date}`);
  await page.click('summary:text("Add a blackout")');
  await page.fill('#start_at', `${date}T11:00`);
  await page.fill('#end_at', `${date}T14:00`);
  await page.click('button:text("Add blackout")');
  t.regex(await page.locator('[role=alert]').first().innerText(), /To create it anyway, select the checkbox/);
  await page.check('input[name=force]');
  await page.click('button:text("Add blackout")');
  await page.locator('[role=status]').waitFor();
  t.is(await page.locator('td.blackout').count(), 1);
  await page.click('.calendar a.slot');
  await page.waitForURL(`${home}/bookings/${id}`);

  await page.click('summary:text("Cancel booking")');
  t.true((await textOf(page)).includes('Room terms: £30.00'));
  await page.click('button:text("Review cancellation")');
  await page.click('button:text("Cancel and refund £30.00")');
  await page.waitForURL(`${home}/bookings/${id}`);
  const outcome = /£60\.00 was paid\. £30\.00 has been refunded.* £30\.00 is not refunded\./;
  await openWhen(page, page.url(), (html) => outcome.test(html));
  t.regex(await textOf(page), outcome);
  const mail = await until(async () =>
    (await mailTo(email)).find(({ subject }) => /is cancelled/.test(subject)),
  );
  t.regex(mail.text, /cancelled by Test house\. £60\.00 was paid\./);
  await page.context().close();
});

test('an id, an address or a name leads to what it waits for and what to do, without a click and on the next page', async (t) => {
  const { workspace, page, home } = await openDashboard(browser);
  const { api } = workspace;
  const { booking, email } = await confirmedBooking(api);
  const path = `${home}/bookings/${booking.id}`;
  await withRefundMode(workspace, 'pending', async () => {
    const { body } = await api.post(`/v1/bookings/${booking.id}/cancel`, { refund_policy: 'full' });
    const { refunds } = await processorLedger(workspace);
    const made = refunds.find((refund) => refund.metadata!.refund_id === body.refund!.id)!;
    await simulator('POST', `/_sim/refunds/${made.id}/settle`, { status: 'failed' });
  });
  const { body: payments } = await api.get(`/v1/payments?booking_id=${booking.id}`);
  await openWhen(page, path, (html) => html.includes('A refund failed: £30.00'));
  const [charge, refund] = ['charge', 'refund'].map((kind) => payments.data.find((p) => p.kind === kind));
  let pages = 0;
  page.on('framenavigated', () => pages++);
  for (const typed of [
    booking.id,
    `${booking.id.slice(0, 14)}…`,
    booking.processor_payment_intent_id,
    charge!.id,
    refund!.id,
    email,
    'grace guest',
  ]) {
    await page.goto(`${home}/keys`);
    pages = 0;
    await page.keyboard.press('/');
    await page.keyboard.type(typed!);
    await page.keyboard.press('Enter');
    await page.waitForURL(path);
    t.is(pages, 1, `${typed}: no click, and one page`);
    const shown = await textOf(page);
    for (const words of ['A refund failed: £30.00', 'Retry refund', 'the payer did not receive the money'])
      t.true(shown.includes(words), `${typed}: ${words}`);
  }
  await page.fill('#search', booking.invoice_id!);
  await page.keyboard.press('Enter');
  await page.waitForURL(`${home}/invoices/${booking.invoice_id}`);
  t.regex(
    await textOf(page),
    /A refund failed: £30\.00[\s\S]*Retry refund/,
    'an invoice says what its booking waits for',
  );

  const again = hoursLater(booking.start_at, 24);
  const guest = { booked_by: { guest: { email, name: 'Grace Guest' } } };
  await confirmedBooking(api, {
    room_id: booking.room_id,
    slot: { start_at: again, end_at: hoursLater(again, 1) },
    body: guest,
  });
  await page.goto(`${home}/search?q=${encodeURIComponent(email)}`);
  t.is(await page.locator('table.bookings tbody tr').count(), 2);
  t.is(await page.locator('article.trouble').count(), 1);
  await assertFine(t, page, 'search');
  await page.goto(`${home}/search?q=blue+room`);
  t.true(page.url().startsWith(`${home}/rooms/`), 'the only room with the name');
  await page.goto(`${home}/search?q=pi_unknown12345`);
  // On a loaded machine the first answer can take longer than the page waits.
  await until(async () => {
    await page.click('button:text("Look up this payment at Stripe")');
    return /has no payment that belongs to this workspace/.test(
      await page.locator('[role=status]').innerText(),
    );
  });

  // What belongs to another workspace, or to somebody else, is not found.
  const other = await newWorkspace();
  const { booking: foreign } = await confirmedBooking(other.api);
  await page.goto(`${home}/search?q=${foreign.processor_payment_intent_id}`);
  t.true((await textOf(page)).includes('No results.'));
  const member = await newMember(workspace);
  const theirs = await openSignedIn(browser, member.email);
  for (const q of [email, booking.id, charge!.id, '1']) {
    await theirs.goto(`${home}/search?q=${encodeURIComponent(q)}`);
    t.true((await textOf(theirs)).includes('No results.'), q);
  }
  await theirs.goto(`${home}/calendar`);
  t.is(await titleOf(theirs), 'You don’t have access to this page');
  await theirs.goto(`${home}/book`);
  await assertFine(t, theirs, 'a member books');
  await page.context().close();
  await theirs.context().close();
});

test('money for a booking that was never published leads to its payment', async (t) => {
  const { workspace, page, home } = await openDashboard(browser);
  const { booking } = await confirmedBooking(workspace.api);
  await withRefundMode(workspace, 'pending', () =>
    workspace.api.post(`/v1/bookings/${booking.id}/cancel`, { refund_policy: 'full' }),
  );
  await db.query(`UPDATE payments SET created_at = now() - interval '2 days' WHERE booking_id = $1`, [
    booking.id,
  ]);
  await db.query(`UPDATE bookings SET published_at = NULL WHERE id = $1`, [booking.id]);
  await page.goto(home);
  const links = await page
    .locator('article.trouble p a')
    .evaluateAll((all) => all.map((link) => link.getAttribute('href')!));
  t.false(
    links.some((link) => link.includes('/bookings/')),
    links.join(' '),
  );
  const target = links.find((link) => /\/(payments|invoices)\//.test(link))!;
  t.is((await page.goto(dev.baseUrl + target))!.status(), 200);
  await page.context().close();
});

test('a quote has the price of a create and stores nothing', async (t) => {
  const { api } = await newWorkspace();
  const room = await newRoom(api, { capacity: 4 });
  const { idempotency_key: _, ...body } = bookingBody(room.id);
  const quoted = await api.post('/v1/quotes', body);
  t.is(quoted.status, 200);
  t.deepEqual(quoted.body, {
    price: { currency: 'GBP', amount_minor: 3_000 },
    net_minor: 2_500,
    tax_minor: 500,
    discount_percent: 0,
    tokens_used: 0,
    available: true,
    reason: null,
  });
  t.is((await api.post('/v1/quotes', { ...body, attendees: 5 })).body.error.param, 'attendees');
  t.is((await api.post('/v1/quotes', bookingBody(room.id))).status, 422, 'a quote has no key');
  const made = await api.post('/v1/bookings', {
    ...body,
    idempotency_key: bookingBody(room.id).idempotency_key,
  });
  t.deepEqual(made.body.price, quoted.body.price);
  t.like((await api.post('/v1/quotes', body)).body, { available: false, reason: 'booked' });
});
