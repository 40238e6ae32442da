import test from 'ava';
import { launchBrowser } from '../support/chromium.js';
import type { Browser } from 'playwright-core';
import { newPage, picture, signInAndEnrol, titleOf } from '../support/browser.js';
import {
  bookingBody,
  client,
  db,
  dev,
  newRoom,
  newWorkspace,
  pay,
  simulator,
  uniqueEmail,
  until,
  untilStatus,
  type TestWorkspace,
  processorLedger,
  withFaults,
  withRefundMode,
} from '../support/stack.js';
import { openDashboard, openWhen, textOf } from '../support/dashboard.js';
import { openReceiver } from '../support/receiver.js';
import { openSignedIn } from '../support/web-session.js';
import { newMember } from '../api/people.js';

let browser: Browser;
test.before(async () => {
  browser = await launchBrowser();
});

const newScene = () => openDashboard(browser);

async function newBooking({ api }: TestWorkspace, overrides: Record<string, unknown> = {}) {
  const room = await newRoom(api, { name: 'Garden room' });
  const { body } = await api.post('/v1/bookings', bookingBody(room.id, overrides));
  return body;
}

const guest = (name: string) => ({ booked_by: { guest: { email: uniqueEmail(), name } } });

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
  await page.click('nav.pages >> text=Bookings');
  await page.fill('main input[type=search]', 'hopper');
  await page.click('main button:text("Search")');
  t.is(await page.locator('tbody tr').count(), 1);
  await picture(page, 'dashboard-bookings');
  await page.selectOption('select[name=status]', 'expired');
  await page.click('main button:text("Search")');
  t.true((await textOf(page)).includes('No bookings.'));
  await page.fill('main input[type=search]', booking.id);
  await page.click('main button:text("Search")');
  await page.waitForURL(`${home}/bookings/${booking.id}`);
  const shown = await textOf(page);
  for (const words of [
    'Garden room',
    'Grace <b>Hopper</b>',
    'By the window',
    '£30.00',
    'Requested; checkout opened for £30.00',
    'Held until',
    '£30.00 paid at the checkout',
    'Confirmation emailed to the payer',
    'Event booking.confirmed: not sent: no endpoint',
  ])
    t.true(shown.includes(words), words);
  const run = await page.locator('a:text("Open in Temporal")').getAttribute('href');
  t.is(run, `${dev.temporalUiUrl}/namespaces/${dev.temporalNamespace}/workflows/${booking.id}`);
  t.is((await fetch(run!)).status, 200);
  await picture(page, 'dashboard-booking');

  await page.click('summary:text("Cancel booking")');
  await page.fill('#reason', 'The guest called');
  await page.check('input[value=full]');
  await page.click('button:text("Review cancellation")');
  t.true((await textOf(page)).includes('£30.00 is refunded to the payer.'));
  await page.click('button:text("Cancel and refund £30.00")');
  await page.waitForURL(`${home}/bookings/${booking.id}`);
  await openWhen(page, page.url(), (html) => html.includes('A refund of £30.00 succeeded'));
  for (const words of [
    '£30.00 was paid. £30.00 has been refunded',
    'with a full refund',
    '“The guest called”',
  ])
    t.true((await textOf(page)).includes(words), words);
  t.is(await page.locator('summary:text("Cancel booking")').count(), 0);
  const { body } = await workspace.api.get(`/v1/bookings/${booking.id}`);
  t.is(body.status, 'cancelled');
  const { body: log } = await workspace.api.get('/v1/audit-log?action=booking.cancelled');
  t.deepEqual(log.data[0]!.actor, { member_id: workspace.ownerId, key_id: null });
  t.deepEqual(page.complaints, []);
  await page.context().close();
});

test('the first page lists what needs attention, with the reason and the remedy', async (t) => {
  const { workspace, page, home } = await newScene();
  t.true((await textOf(page)).includes('Nothing needs attention'));
  const booking = await newBooking(workspace);
  await pay(booking);
  await untilStatus(workspace.api, booking.id, 'confirmed');
  await withRefundMode(workspace, 'pending', async () => {
    const { body } = await workspace.api.post(`/v1/bookings/${booking.id}/cancel`, { refund_policy: 'full' });
    const { refunds } = await processorLedger(workspace);
    const made = refunds.find((refund) => refund.metadata!.refund_id === body.refund!.id)!;
    await simulator('POST', `/_sim/refunds/${made.id}/settle`, { status: 'failed' });
  });
  await openWhen(page, home, (html) => html.includes('A refund failed: £30.00'));
  const overdue = await newBooking(workspace);
  await db.query(`UPDATE bookings SET expires_at = now() - interval '5 minutes' WHERE id = $1`, [overdue.id]);
  await page.reload();
  t.true((await textOf(page)).includes('The hold has expired, but the slot has not been released'));
  t.is(await page.locator('article.trouble').count(), 2);
  await picture(page, 'dashboard-stuck');
  await page.click(`article.trouble a[href$="${overdue.id}"]`);
  await page.waitForURL(`${home}/bookings/${overdue.id}`);
  t.is(await page.locator('article.trouble').count(), 1, "a booking's page shows its problem");
  await page.click('article.trouble button:text("Check payment now")');
  await page.waitForURL(`${home}/bookings/${overdue.id}`);
  t.regex(await page.locator('[role=status]').innerText(), /Stripe reports no payment/);

  await page.goto(home);
  await page.click('button:text("Retry refund")');
  await page.click('button:text("Refund £30.00")');
  await page.locator('[role=status]').waitFor();
  await openWhen(page, home, (html) => !html.includes('A refund failed'));
  await page.context().close();
});

test("a booking's page shows what its run waits for, and the last failure", async (t) => {
  const { workspace, page, home } = await newScene();
  await workspace.api.patch('/v1/workspace', { checkout_hold_seconds: 10 });
  const booking = await newBooking(workspace);
  const fail = [{ method: 'POST', path: `/v1/checkout/sessions/*`, status: 500, times: 1_000 }];
  await withFaults(workspace, { fail }, async () => {
    await page.goto(`${home}/bookings/${booking.id}`);
    const text = await textOf(page);
    t.regex(text, /Not paid yet\. Held until \w+ \d+ \w+, \d\d:\d\d\./);
    await openWhen(
      page,
      page.url(),
      (html) =>
        html.includes('is unavailable: it does not respond, or reports an internal error') &&
        /Tried \d+ times, next try (in \d+ s|at )/.test(html),
    );
    await page.click('.failing summary');
    t.regex(await textOf(page), /ProcessorUnavailable: StripeAPIError 500/);
    // The overview has the same sentence, and no booking of it leads to nowhere.
    await openWhen(page, home, (html) => html.includes('Stripe is unavailable'));
    await page.click(`article.trouble a[href$="${booking.id}"]`);
    await page.waitForURL(`${home}/bookings/${booking.id}`);
    t.true((await textOf(page)).includes('Not paid in time. Closing the checkout at the processor'));
    await picture(page, 'dashboard-run');
  });
  await untilStatus(workspace.api, booking.id, 'expired');
  await openWhen(page, page.url(), (html) => !html.includes('Waiting for'));
  t.deepEqual(page.complaints, []);
  await page.context().close();
});

test('a person can choose among their workspaces, and each shows what their role permits', async (t) => {
  const scene = await newScene();
  const [other, foreign] = [await newWorkspace({ name: 'Second house' }), await newWorkspace()];
  const member = await newMember(scene.workspace);
  const profile = `(SELECT profile_id FROM members WHERE id = $1)`;
  const admin = await newMember(other, { role: 'member' });
  await db.query(`UPDATE members SET profile_id = ${profile} WHERE id = $2`, [member.id, admin.id]);
  const mine = await newBooking(scene.workspace, { booked_by: { member_id: member.id } });
  const theirs = await newBooking(scene.workspace, guest('Somebody else'));

  const page = await openSignedIn(browser, member.email);
  await page.goto(`${dev.baseUrl}/dashboard`);
  t.is(await titleOf(page), 'Your workspaces');
  await picture(page, 'dashboard-workspaces');
  t.true((await textOf(page)).includes('Second house'));
  await page.click('main >> text=Test house');
  await page.waitForURL(scene.home);
  const shown = await page.locator('body').innerText();
  for (const words of ['Needs attention', 'API keys', 'Applications']) t.false(shown.includes(words), words);
  await page.goto(`${scene.home}/bookings`);
  t.deepEqual(
    await page.locator('tbody a').evaluateAll((links) => links.map((link) => link.getAttribute('href'))),
    [`/dashboard/${scene.workspace.id}/bookings/${mine.id}`],
  );
  await page.goto(`${scene.home}/bookings/${mine.id}`);
  t.is(await page.locator('a:text("Open in Temporal")').count(), 0);
  t.is(await page.locator('input[value=full]').count(), 0);
  for (const [path, title] of [
    [`${scene.home}/bookings/${theirs.id}`, 'Booking not found'],
    [`${scene.home}/bookings/bk_1`, 'Booking not found'],
    [`${scene.home}/keys`, 'You don’t have access to this page'],
    [`${scene.home}/applications`, 'You don’t have access to this page'],
    [`${dev.baseUrl}/dashboard/${foreign.id}`, 'Workspace not found'],
    [`${dev.baseUrl}/dashboard/%00`, 'Workspace not found'],
    [`${scene.home}/bookings?status=odd`, 'This request failed'],
    [`${scene.home}/bookings?cursor=odd`, 'This request failed'],
  ]) {
    await page.goto(path!);
    t.is(await titleOf(page), title!, path);
  }
  t.is((await page.goto(`${scene.home}/bookings?from=2026-02-31&to=nothing&q=%20`))!.status(), 200);
  await page.context().close();
  await scene.page.context().close();
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

test('an admin can create and revoke keys and register applications in the dashboard', async (t) => {
  const { workspace, page, home } = await newScene();
  await page.goto(`${home}/keys`);
  await page.fill('#name', 'Door display');
  await page.fill('#days', '30');
  await page.check('input[value=calendar]');
  await picture(page, 'dashboard-keys');
  await page.click('button:text("Create key")');
  const api = client((await page.locator('#token').textContent())!);
  t.deepEqual((await api.get('/v1/auth/whoami')).body.scopes, ['calendar:read']);
  await picture(page, 'dashboard-key-made');
  await page.click('a:text("I’ve saved it")');
  t.false((await textOf(page)).includes(api.token));
  const row = page.locator('tr', { hasText: 'Door display' });
  await row.locator('summary:text("Revoke")').click();
  await row.locator('button:text("Revoke key")').click();
  await page.waitForURL(`${home}/keys`);
  t.true((await row.innerText()).includes('revoked'));
  t.is((await api.get('/v1/auth/whoami')).status, 401);

  await page.goto(`${home}/applications`);
  await page.fill('#name', 'Calendar friend');
  await page.fill('#redirect_uris', 'http://app.example/');
  await page.click('button:text("Register")');
  t.regex((await page.locator('[role=alert]').textContent())!, /^The first redirect URI must be an https/);
  t.is(await page.locator('#name').inputValue(), 'Calendar friend');
  await page.fill('#redirect_uris', 'https://app.example/callback\nhttps://app.example/again');
  await page.click('button:text("Register")');
  const clientId = (await page.locator('#client_id').textContent())!;
  t.regex((await page.locator('#client_secret').textContent())!, /^[\w-]{43}$/);
  await page.click('a:text("I’ve saved it")');
  await picture(page, 'dashboard-applications');
  const { body } = await workspace.api.get('/v1/oauth-clients');
  t.is(body.data[0]!.client_id, clientId);
  t.is(body.data[0]!.redirect_uris.length, 2);
  await page.click('summary:text("Remove")');
  await page.click('button:text("Remove permanently")');
  await page.waitForURL(`${home}/applications`);
  t.deepEqual((await workspace.api.get('/v1/oauth-clients')).body.data, []);
  t.deepEqual(page.complaints, []);
  await page.context().close();
});

test('the owner can transfer the workspace, with a code', async (t) => {
  const owner_email = uniqueEmail();
  const workspace = await newWorkspace({ owner_email });
  const admin = await newMember(workspace, { name: 'Alex Heir', role: 'admin' });
  const page = await newPage(browser);
  const { codes } = await signInAndEnrol(page, owner_email);
  const path = `${dev.baseUrl}/dashboard/${workspace.id}/ownership`;
  await page.goto(path);
  await picture(page, 'dashboard-ownership');
  await page.selectOption('#member_id', admin.id);
  await page.fill('#code', '000000');
  await page.click('button:text("Transfer ownership")');
  t.regex((await page.locator('[role=alert]').textContent())!, /is wrong/);
  const rolesNow = async () => {
    const { body } = await admin.api.get('/v1/members');
    return Object.fromEntries(body.data.map(({ id, role }: { id: string; role: string }) => [id, role]));
  };
  t.deepEqual(await rolesNow(), { [workspace.ownerId]: 'owner', [admin.id]: 'admin' });
  await page.selectOption('#member_id', admin.id);
  await page.fill('#code', codes[0]!);
  await page.click('button:text("Transfer ownership")');
  await page.waitForURL(`${dev.baseUrl}/dashboard/${workspace.id}`);
  t.deepEqual(await rolesNow(), { [workspace.ownerId]: 'admin', [admin.id]: 'owner' });
  await page.goto(path);
  t.is(await titleOf(page), 'You don’t have access to this page');
  const { body: log } = await admin.api.get('/v1/audit-log?action=workspace.ownership_transferred');
  t.deepEqual(log.data[0]!.details, { from: workspace.ownerId, to: admin.id });
  const events = await until(async () => {
    const { body } = await admin.api.get('/v1/events?type=member.role_changed');
    return body.data.length === 2 && body.data;
  });
  t.deepEqual(
    events.map((event) => event.data.object.id).toSorted(),
    [workspace.ownerId, admin.id].toSorted(),
  );
  await page.context().close();
});

test('an admin can register the webhook endpoint, test it, rotate its secret and remove it', async (t) => {
  const { workspace, page, home } = await newScene();
  const receiver = await openReceiver();
  await page.goto(`${home}/webhooks`);
  await page.fill('#url', receiver.url);
  await page.selectOption('#event_types', ['booking.confirmed', 'booking.cancelled']);
  await page.click('button:text("Register")');
  const secret = (await page.locator('#secret').textContent())!;
  t.regex(secret, /^whsec_/);
  const { body: endpoint } = await workspace.api.get('/v1/webhook-endpoint');
  t.deepEqual(endpoint.event_types.toSorted(), ['booking.cancelled', 'booking.confirmed']);
  await page.click('a:text("I’ve saved it")');
  await page.click('button:text("Send test event")');
  await page.locator('td .status:text("delivered")').waitFor();
  t.is(receiver.received.length, 1);
  await picture(page, 'dashboard-webhooks');
  await page.click('summary:text("Replace signing secret")');
  await page.click('button:text("Replace secret")');
  t.not(await page.locator('#secret').textContent(), secret);
  await page.click('a:text("I’ve saved it")');
  await page.fill('#url', 'nonsense://');
  await page.click('button:text("Save and enable")');
  t.is(await page.locator('[role=alert]').textContent(), 'The URL must be an https URL.');
  t.is(await page.locator('#url').inputValue(), 'nonsense://');
  await page.goto(`${home}/webhooks`);
  await page.click('summary:text("Remove")');
  await page.click('button:text("Remove")');
  await page.waitForURL(`${home}/webhooks`);
  t.is((await workspace.api.get('/v1/webhook-endpoint')).status, 404);
  receiver.close();
  await page.context().close();
});
