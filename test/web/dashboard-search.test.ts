import test from 'ava';
import { launchBrowser } from '../support/chromium.js';
import type { Browser } from 'playwright-core';
import { readHeading } from '../support/browser.js';
import { openDashboard, openWhen, readMainText, pageText } from '../support/dashboard.js';
import { openSignedIn, WebSession } from '../support/web-session.js';
import { confirmedBooking, hoursLater } from '../support/bookings.js';
import { processorLedger, simulator, withRefundMode } from '../support/simulators.js';
import { db, dev } from '../support/stack.js';
import { until } from '../support/until.js';
import { newWorkspace } from '../support/workspaces.js';
import { newMember } from '../support/people.js';

let browser: Browser;

test.before(async () => {
  browser = await launchBrowser();
});

test('searching an id, an address or a name shows what it waits for and what to do, immediately and on the next page', async (t) => {
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
    booking.reference.toLowerCase(),
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
    const shown = await readMainText(page);
    for (const words of ['A refund failed: £30.00', 'Retry refund', 'the payer did not receive the money'])
      t.true(shown.includes(words), `${typed}: ${words}`);
  }
  const desk = await WebSession.start((await newMember(workspace, { role: 'front_desk' })).email);
  t.regex(
    pageText(await desk.getText(new URL(path).pathname)),
    /A refund failed: £30\.00 Only owners and admins can fix this\. Tell one of them\. /,
    'who may not retry it reads whom to tell, and not what to do',
  );
  t.notRegex(await readMainText(page), /Tell one of them/);
  await page.fill('#search', booking.invoice_id!);
  await page.keyboard.press('Enter');
  await page.waitForURL(`${home}/invoices/${booking.invoice_id}`);
  t.regex(
    await readMainText(page),
    /A refund failed: £30\.00[\s\S]*Retry refund/,
    'an invoice says what its booking waits for',
  );
  const link = page.locator(`dl.facts a[href="${new URL(path, page.url()).pathname}"]`).first();
  t.regex(await link.innerText(), new RegExp(`^Blue room, .* ${booking.reference}$`), 'and leads to it');

  const again = hoursLater(booking.start_at, 24);
  const guest = { booked_by: { guest: { email, name: 'Grace Guest' } } };
  await confirmedBooking(api, {
    room_id: booking.room_id,
    slot: { start_at: again, end_at: hoursLater(again, 1) },
    body: guest,
  });
  await page.goto(`${home}/search?q=${encodeURIComponent(email)}`);
  t.is(await page.locator('table.bookings tbody tr').count(), 2);
  t.is(await page.inputValue('#search'), email, 'what was searched is still in the box');
  t.is(await page.locator('article.trouble').count(), 1);
  await page.goto(`${home}/search?q=blue+room`);
  t.true(page.url().startsWith(`${home}/rooms/`), 'the only room with the name');
  await page.goto(`${home}/search?q=pi_unknown12345`);
  // On a loaded machine the first answer can take longer than the page waits.
  await until(async () => {
    await page.click('button:text("Look up this payment in Stripe")');
    return /has no such payment for this workspace/.test(await page.locator('[role=status]').innerText());
  });

  // What belongs to another workspace, or to somebody else, is not found.
  const other = await newWorkspace();
  const { booking: foreign } = await confirmedBooking(other.api);
  await page.goto(`${home}/search?q=${foreign.processor_payment_intent_id}`);
  t.true((await readMainText(page)).includes('No results.'));
  const member = await newMember(workspace);
  const theirs = await openSignedIn(browser, member.email);
  for (const q of [email, booking.id, charge!.id, '1']) {
    await theirs.goto(`${home}/search?q=${encodeURIComponent(q)}`);
    t.true((await readMainText(theirs)).includes('No results.'), q);
  }
  await theirs.goto(`${home}/calendar`);
  t.is(await readHeading(theirs), 'You don’t have access to this page');
  await theirs.goto(`${home}/book`);
  await page.context().close();
  await theirs.context().close();
});

test('money for a booking that was never published is found by its payment', async (t) => {
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
