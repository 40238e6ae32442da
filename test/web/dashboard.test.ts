import test from 'ava';
import { launchBrowser } from '../support/chromium.js';
import type { Browser } from 'playwright-core';
import { newPage, picture, signInAndEnrol, readHeading } from '../support/browser.js';
import { pay, untilStatus } from '../support/bookings.js';
import { processorLedger, simulator, withRefundMode } from '../support/simulators.js';
import { db, dev } from '../support/stack.js';
import { until } from '../support/until.js';
import { newWorkspace, uniqueEmail } from '../support/workspaces.js';
import { openDashboard, openWhen, readMainText, guest, newBooking } from '../support/dashboard.js';
import { openSignedIn } from '../support/web-session.js';
import { newMember } from '../support/people.js';
import { message } from '../support/message.js';

let browser: Browser;

test.before(async () => {
  browser = await launchBrowser();
});

const newScene = () => openDashboard(browser);

test('the first page lists what needs attention, with the reason and the remedy', async (t) => {
  const { workspace, page, home } = await newScene();
  t.true((await readMainText(page)).includes('Nothing needs attention'));
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
  const second = await newBooking(workspace);
  for (const { id } of [overdue, second])
    await db.query(`UPDATE bookings SET expires_at = now() - interval '5 minutes' WHERE id = $1`, [id]);
  await page.reload();
  t.true((await readMainText(page)).includes('The hold has expired, but the slot has not been released'));
  t.is(await page.locator('article.trouble').count(), 2, 'one card for each kind of problem');
  t.is(await page.locator('article.trouble li').count(), 2);
  t.is(await page.locator(`main a[href$="${overdue.id}"]`).count(), 1, 'nothing is listed twice');
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
  t.is(await readHeading(page), 'Your workspaces');
  await picture(page, 'dashboard-workspaces');
  t.true((await readMainText(page)).includes('Second house'));
  await page.click('main >> text=Test house');
  await page.waitForURL(scene.home);
  const workspaces = '#menu a[href="/dashboard"]';
  t.is(await page.locator(workspaces).count(), 1);
  t.is(await scene.page.locator(workspaces).count(), 0, 'its owner has no other');
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
    [`${scene.home}/bookings?status=odd`, message('payer.failed')],
    [`${scene.home}/bookings?cursor=odd`, message('payer.failed')],
  ]) {
    await page.goto(path!);
    t.is(await readHeading(page), title!, path);
  }
  t.is((await page.goto(`${scene.home}/bookings?from=2026-02-31&to=nothing&q=%20`))!.status(), 200);
  await page.context().close();
  await scene.page.context().close();
});

test('only pages with times name their zone, and lists explain their statuses', async (t) => {
  const { workspace, page, home } = await newScene();
  await newBooking(workspace, guest('Ada Lovelace'));
  await page.goto(`${home}/bookings`);
  t.regex(await page.locator('body > footer').innerText(), /^Times are in Europe\/London/);
  const legend = page.locator('#statuses');
  t.false(await legend.isVisible());
  await page.click('button:text("What statuses mean")');
  t.regex(await legend.innerText(), /No-show\s+Nobody showed up\./);
  await page.goto(`${home}/members`);
  t.is(await page.locator('body > footer').count(), 0);
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
  t.is(await readHeading(page), 'You don’t have access to this page');
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
