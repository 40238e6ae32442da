import { formatAmount } from '../../../domain/display.js';
import { proratedToday } from '../../support/prorated.js';
import test from 'ava';
import { confirmedBooking, hoursLater } from '../../support/bookings.js';
import { createMember } from '../../support/member-calls.js';
import { DAY_MS } from '../../../domain/durations.js';
import { launchBrowser } from '../../support/chromium.js';
import { once } from '../../support/once.js';
import { newMember } from '../../support/people.js';
import { until } from '../../support/until.js';
import { readNotice } from '../../support/web-session.js';
import { alertText, openDashboard, openOffice, pageText } from '../../support/dashboard.js';
import { uniqueEmail } from '../../support/workspaces.js';

const browser = once(launchBrowser);

test('the form for adding staff proposes no plan to pay for', async (t) => {
  const { page, home } = await openDashboard(await browser());
  await page.goto(`${home}/members/new`);
  const proposed = async () => [await page.inputValue('#billed'), await page.inputValue('#tier')];
  t.deepEqual(await proposed(), ['true', '']);
  await page.selectOption('#role', 'front_desk');
  t.deepEqual(await proposed(), ['false', 'basic']);
  await page.selectOption('#tier', 'pro');
  await page.selectOption('#role', 'member');
  t.deepEqual(await proposed(), ['true', 'pro'], 'a plan that was chosen stays');
  await page.context().close();
});

test('saving one part of the settings shows its notice, and keeps what was entered in another part', async (t) => {
  const { workspace, page, home } = await openDashboard(await browser());
  await page.goto(`${home}/settings/bookings`);
  let warned = 0;
  page.on('dialog', (dialog) => {
    warned++;
    void dialog.dismiss();
  });
  await page.fill('#hold_minutes', '25');
  await page.selectOption('[name="notify_staff.changed"]', 'daily');
  await page.click('form[action$="/settings/bookings"] button');
  await page.locator('[role=status]:text("Booking settings saved.")').waitFor();
  t.is(await page.inputValue('#hold_minutes'), '25');
  t.is(await page.inputValue('[name="notify_staff.changed"]'), 'daily');
  t.is((await workspace.api.get('/v1/workspace')).body.notify_staff.changed, 'off');
  t.is(warned, 0);
  await page.click('a:text("Rooms")', { noWaitAfter: true });
  await until(async () => warned === 1);
  t.is(await page.inputValue('[name="notify_staff.changed"]'), 'daily', 'nothing that was entered is lost');
  await page.context().close();
});

test('a change of plan says what becomes of the hour credits of the month', async (t) => {
  const { workspace, session, home } = await openOffice();
  const { api } = workspace;
  const tomorrow = new Date(Date.now() + DAY_MS).toISOString();
  const change = async (of: object, tier: string) => {
    const { id } = await createMember(api, { name: 'Grace Hopper', ...of });
    await api.patch('/v1/workspace', { plans: { pro: { monthly_hours: 35 } } });
    const at = `${home}/members/${id}`;
    const asked = await session.submit(at, `${at}/tier`, { tier, tier_change_reason: '' });
    await api.patch('/v1/workspace', { plans: { pro: { monthly_hours: 25 } } });
    return pageText(await asked.text());
  };
  t.regex(
    await change({ tier: 'pro' }, 'enterprise'),
    /Takes effect immediately\. 35 hour credits are added\./,
  );
  const trial = { tier: 'pro', trial_ends_at: tomorrow };
  t.regex(await change(trial, 'basic'), /Takes effect immediately\. 25 hour credits are removed\./);
  const invited = await change({ tier: 'basic', send_invite: true }, 'pro');
  t.regex(invited, /Takes effect immediately\./);
  t.notRegex(invited, /hour credits? (is|are)/, 'they are granted none before they join');
});

test('members are invited one by one and in bulk, and change tier with the price shown', async (t) => {
  const { workspace, session, home } = await openOffice();
  const { api } = workspace;
  await api.patch('/v1/workspace', { tier_prices: { basic: 2_000, plus: 5_000 } });
  const company = await session.submit(`${home}/companies`, `${home}/companies`, {
    name: 'Northwind',
    billing_email: 'bills@northwind.example',
  });
  t.is(readNotice(company), 'Northwind has been added.');
  const page = `${home}/members/new`;
  const one = {
    email: 'grace@example.com',
    name: 'Grace Hopper',
    tier: 'basic',
    company_id: '',
    trial_ends_at: '',
  };
  t.regex(pageText(await session.getText(page)), /Plus: £50\.00 a month excluding tax, 10 hours included/);
  const clerk = { ...one, email: 'bea@example.com', name: 'Bea Clerk', role: 'front_desk' };
  const hired = await session.submit(page, page, clerk);
  t.is(readNotice(hired), 'Bea Clerk is now a member.');
  const [found] = (await api.get('/v1/members?q=bea')).body.data;
  t.like(found, { role: 'front_desk' });
  const made = await session.submit(page, page, one);
  t.is(readNotice(made), 'Grace Hopper is now a member.');
  const member = made.headers.get('location')!;

  const tier = await session.submit(member, `${member}/tier`, { tier: 'plus', tier_change_reason: '' });
  t.regex(
    pageText(await tier.clone().text()),
    new RegExp(
      'From Basic, £20\\.00 a month, to Plus, £50\\.00 a month, excluding tax\\. Takes effect ' +
        'immediately\\. 10 hour credits are added\\. ' +
        `${formatAmount({ amount_minor: proratedToday(3_000) * 1.2, currency: 'GBP' })}, tax included, is ` +
        'invoiced to Grace Hopper',
    ),
  );
  t.is(readNotice(await session.confirmForm(tier)), 'The plan has been changed.');
  t.is(readNotice(await session.submit(member, `${member}/pause`)), 'Grace Hopper is now paused.');
  const details = { name: 'Grace Hopper', email: 'grace@example.com', company_id: '' };
  const same = await session.submit(member, `${member}/details`, details);
  t.is(alertText(await same.text()), 'No changes.');

  const csv = [
    'Email;Name;Tier;Company',
    'one@example.com;"One, the first";plus;northwind',
    'GRACE@example.com;Grace;basic;',
    'broken;X;basic;',
    'one@example.com;Again;basic;',
    'two@example.com;Two;gold;',
    'three@example.com;Three;;Unknown',
  ].join('\r\n');
  const bulk = `${home}/members/import`;
  const preview = await session.submit(bulk, bulk, { csv });
  const words = pageText(await preview.clone().text());
  for (const problem of [
    'Invite 1 of 6',
    '1 × Plus, £50.00 a month each, excluding tax',
    '3 GRACE@example.com Basic This workspace already has a member',
    '4 broken Basic The email must be an email address',
    '5 one@example.com Basic Duplicate of line 2',
    '6 two@example.com Gold The tier must be one of',
    '7 three@example.com Basic There is no company “Unknown”',
  ])
    t.true(words.includes(problem), `${problem} in ${words}`);
  t.is((await api.get('/v1/members?q=one')).body.data.length, 0, 'a preview changes nothing');
  const back = await session.submit(bulk, bulk, { csv, confirmed: 'no' });
  t.true(pageText(await back.text()).includes('GRACE@example.com'), 'going back keeps the rows');
  t.regex(await (await session.confirmForm(preview)).text(), /One person has been invited/);
  const [invited] = (await api.get('/v1/members?q=one')).body.data;
  t.like(invited, { name: 'One, the first', tier: 'plus', status: 'invited' });
  t.is(invited!.company!.name, 'Northwind');

  const erased = await session.submit(member, `${member}/erase`);
  t.is(readNotice(erased), 'Member erased.');
  t.is((await session.get(member)).status, 404);
});

test('a form that was opened before somebody else changed its object leaves their change', async (t) => {
  const { workspace, session, home } = await openOffice();
  const { api } = workspace;
  const member = await newMember(workspace, { name: 'Grace' });
  const moved = uniqueEmail();
  const page = `${home}/members/${member.id}`;
  const opened = await session.getText(page);
  t.is((await api.patch(`/v1/members/${member.id}`, { email: moved })).status, 200);
  const as = { name: 'Grace', email: member.email, company_id: '', locale: 'fr', billed: 'true' };
  const edit = (html: string, fields: object) =>
    session.submitFormByAction(html, `${page}/details`, { ...as, ...fields });
  const rejected = await edit(opened, { name: '' });
  t.is(rejected.status, 422);
  const saved = await edit(await rejected.text(), {});
  t.is(readNotice(saved), 'Grace has been saved.', alertText(await saved.text()));
  t.like((await api.get(`/v1/members/${member.id}`)).body, { name: 'Grace', email: moved, locale: 'fr' });
  t.is(alertText(await (await edit(opened, { locale: '' })).text()), 'No changes.');

  const { booking, email } = await confirmedBooking(api, { room: { time_zone: 'UTC' } });
  const at = `/v1/bookings/${booking.id}`;
  const itsPage = `${home}/bookings/${booking.id}`;
  const guest = await session.getText(itsPage);
  const change = await session.getText(`${itsPage}/change`);
  const end_at = hoursLater(booking.end_at, 1);
  t.is((await api.patch(at, { end_at, booked_by: { guest: { email: moved } } })).status, 200);
  await session.submitFormByAction(guest, `${itsPage}/guest`, {
    'booked_by.guest.email': email,
    'booked_by.guest.name': 'Ada Lovelace',
  });
  const review = await session.submitFormByAction(change, `${itsPage}/change`, {
    room_id: booking.room_id,
    start_at: booking.start_at.slice(0, 16),
    end_at: booking.end_at.slice(0, 16),
    attendees: '1',
    notes: 'By the window',
  });
  await session.confirmForm(review);
  t.like((await api.get(at)).body, {
    end_at,
    notes: 'By the window',
    booked_by: { guest: { email: moved, name: 'Ada Lovelace' } },
  });
});
