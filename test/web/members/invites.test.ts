import { randomBytes } from 'node:crypto';
import { DAY_MS } from '../../../domain/durations.js';
import test from 'ava';
import { launchBrowser } from '../../support/chromium.js';
import type { Browser } from 'playwright-core';
import { linksTo, newPage, picture, readHeading } from '../../support/browser.js';
import { openLink } from '../../support/links.js';
import { storeSignInLinks } from '../../support/rows.js';
import { openSignedIn } from '../../support/web-session.js';
import { readableRun } from '../../support/histories.js';
import { anonymous, type ApiClient } from '../../support/api-client.js';
import { mailbox, mailTo } from '../../support/simulators.js';
import { db, dev } from '../../support/stack.js';
import { until } from '../../support/until.js';
import { newWorkspace, uniqueEmail } from '../../support/workspaces.js';
import { temporal } from '../../support/temporal.js';
import { isError } from '../../support/booking-calls.js';
import { createMember, listEvents, eventTypes } from '../../support/member-calls.js';

let browser: Browser;
test.before(async () => {
  browser = await launchBrowser();
});

const invite = (api: ApiClient, overrides: Record<string, unknown> = {}) =>
  createMember(api, { send_invite: true, ...overrides });

/** Waits until an address has `count` mails and returns them. */
const mails = (email: string, count = 1) =>
  until(async () => {
    const messages = await mailTo(email);
    return messages.length >= count && messages;
  });

/** The link in the newest mail to an address. */
async function linkFor(email: string, count = 1): Promise<string> {
  const all = await mails(email, count);
  const links = all.map(({ text }) => /https?:\S+\/invite\/\S+/.exec(text)![0]);
  const [row] = await db.query(
    `SELECT i.id FROM member_invites i JOIN members m ON m.id = i.member_id
      JOIN profiles p ON p.id = m.profile_id
     WHERE lower(p.email) = lower($1)`,
    [email],
  );
  return links.find((link) => link.includes(row.id))!;
}

const urlPath = (link: string): string => new URL(link).pathname;

async function submit(link: string, name: string) {
  return anonymous('POST', urlPath(link), new URLSearchParams({ name }).toString(), {
    'content-type': 'application/x-www-form-urlencoded',
  });
}

test('an invited person gets a mail with text and HTML, and can accept in a browser once', async (t) => {
  const { api, id } = await newWorkspace({ name: 'Harbour <House>' });
  const plans = { plus: { name: 'Desk & more', monthly_hours: null } };
  await api.patch('/v1/workspace', { tier_prices: { plus: 4_900 }, plans });
  const member = await invite(api, { name: 'Ines & Co', tier: 'plus' });
  const [mail] = await mails(member.email);
  t.is(mail!.subject, 'Harbour <House> has invited you');
  t.true(mail!.text.includes('Hello Ines & Co,'));
  t.true(mail!.html.includes('Hello Ines &amp; Co,'), 'user input is escaped');
  t.false(mail!.html.includes('<House>'));
  t.regex(mail!.text, /Your plan: Desk & more, with 10 hours a month included\./);
  const link = await linkFor(member.email);
  t.true(link.startsWith(dev.baseUrl));
  t.true(mail!.html.includes(`href="${link}"`));
  t.true(mail!.links.includes(link));

  const page = await newPage(browser);
  await page.goto(link);
  await page.reload();
  t.is(new URL(page.url()).pathname, `/invite/${new URL(link).pathname.split(/[/.]/)[2]}`);
  t.is(new URL(page.url()).search, '', 'the address has nothing of the token');
  t.is(await readHeading(page), 'Join Harbour <House>');
  t.true((await page.locator('main').innerText()).includes(member.email));
  t.regex(
    await page.locator('main').innerText(),
    /It costs £58\.80 a month .*The first invoice, of £58\.80/s,
  );
  t.is(await page.inputValue('#name'), 'Ines & Co');
  await picture(page, 'invite');
  await page.fill('#name', '  ');
  await page.click('button');
  await page.getByRole('alert').waitFor();
  await page.fill('#name', '  Ines Invited ');
  await page.click('button');
  await page.locator('h1', { hasText: 'You have joined Harbour <House>' }).waitFor();
  t.true((await page.locator('main').innerText()).includes(`sent a sign-in link to ${member.email}`));
  await picture(page, 'invite-accepted');
  await page.goto(await until(async () => (await linksTo(member.email)).at(-1)));
  await page.click('button');
  await page.waitForURL(({ pathname }) => pathname.startsWith(`/dashboard/${id}`));

  const { body } = await api.get(`/v1/members/${member.id}`);
  t.like(body, { name: 'Ines Invited', status: 'active', tier: 'plus' });
  t.truthy(body.joined_at);
  const events = await listEvents(member.id);
  t.deepEqual(
    events.map(({ type }) => type),
    ['member.invited', 'member.activated'],
  );
  t.deepEqual(events[1]!.data.object, body);
  await page.goto(link);
  t.is(await readHeading(page), 'This invite is no longer valid');
  t.is((await submit(link, 'Somebody Else')).status, 410);
  t.is((await api.get(`/v1/members/${member.id}`)).body.name, 'Ines Invited');
  isError(t, await api.post(`/v1/members/${member.id}/resend-invite`), 409, 'member_not_invited');
  await page.close();
});

test('a signed-in person continues to the workspace that they join, and gets no link', async (t) => {
  const email = uniqueEmail();
  const [first, second] = await Promise.all([newWorkspace(), newWorkspace()]);
  await createMember(first.api, { email });
  await invite(second.api, { email });
  const link = await linkFor(email);
  const page = await openSignedIn(browser, email);
  await page.goto(link);
  await page.click('button');
  await page.waitForURL(({ pathname }) => pathname.startsWith(`/dashboard/${second.id}`));
  t.is((await linksTo(email)).length, 0);
  await page.close();
});

test('too many requested links do not undo the acceptance of an invite', async (t) => {
  const { api } = await newWorkspace();
  const member = await invite(api);
  const link = await linkFor(member.email);
  const [{ id: profile_id }] = await db.query(`SELECT id FROM profiles WHERE email = $1`, [member.email]);
  const email = member.email.toLowerCase();
  const hour = Array.from({ length: 500 }, () => ({ email, profile_id, token_hash: randomBytes(32) }));
  await storeSignInLinks(db, hour);
  const { status, body } = await submit(link, 'Ines');
  t.is(status, 200);
  t.regex(String(body), /You sign in with/);
  t.is((await api.get(`/v1/members/${member.id}`)).body.status, 'active');
});

test('only the newest link works, and ten concurrent uses activate one member', async (t) => {
  const { api } = await newWorkspace();
  const member = await invite(api);
  const first = await linkFor(member.email);
  const resent = await api.post(`/v1/members/${member.id}/resend-invite`);
  t.is(resent.status, 200);
  t.is(resent.body.status, 'invited');
  const second = await linkFor(member.email, 2);
  t.not(first, second);
  t.is((await anonymous('GET', urlPath(first))).status, 410);
  t.is((await submit(first, 'Stale')).status, 410);
  const responses = await Promise.all(Array.from({ length: 10 }, (_, i) => submit(second, `Name ${i}`)));
  t.deepEqual(responses.map(({ status }) => status).sort(), [200, ...Array(9).fill(410)]);
  t.deepEqual(await eventTypes(member.id), ['member.invited', 'member.invited', 'member.activated']);
});

test('a link with a bad signature, an expired link and a link of an archived member are refused', async (t) => {
  const { api } = await newWorkspace();
  const member = await invite(api);
  const link = await linkFor(member.email);
  const [id, signature] = urlPath(link).split('/').at(-1)!.split('.') as [string, string];
  const forged = [
    `${id}.${signature.slice(0, -2)}AA`,
    id,
    `${id}.`,
    `.${signature}`,
    `${id}.${signature}.x`,
    '%00',
    'x.y',
  ];
  for (const token of forged) t.is((await anonymous('GET', `/invite/${token}`)).status, 410, token);
  t.is((await openLink(link)).status, 200);

  const moved = uniqueEmail();
  await api.patch(`/v1/members/${member.id}`, { email: moved });
  t.is((await submit(link, 'Old address')).status, 410, 'a link sent to the previous address is invalid');
  const fresh = await linkFor(moved);
  t.is((await openLink(fresh)).status, 200);
  const minutesLater = (minutes: number) =>
    db.query(
      `UPDATE member_invites SET expires_at = expires_at - $2 * interval '1 minute' WHERE member_id = $1`,
      [member.id, minutes],
    );
  await minutesLater(7 * 24 * 60 - 5);
  t.is((await openLink(fresh)).status, 200, 'five minutes before seven days have passed');
  await minutesLater(5);
  t.is((await submit(fresh, 'Too late')).status, 410, 'after seven days');
  await api.post(`/v1/members/${member.id}/resend-invite`);
  const renewed = await linkFor(moved, 2);
  await api.post(`/v1/members/${member.id}/archive`);
  t.is((await submit(renewed, 'Archived')).status, 410);
  t.is((await api.get(`/v1/members/${member.id}`)).body.status, 'archived');

  const erased = await invite(api);
  const last = await linkFor(erased.email);
  await api.delete(`/v1/members/${erased.id}`);
  t.is((await submit(last, 'Erased')).status, 410);
});

test('a trial that was set with an invite starts when the member accepts', async (t) => {
  const { api } = await newWorkspace();
  const member = await invite(api, { trial_ends_at: new Date(Date.now() + DAY_MS).toISOString() });
  t.is((await submit(await linkFor(member.email), 'Tina Trial')).status, 200);
  t.like((await api.get(`/v1/members/${member.id}`)).body, { status: 'trialing', name: 'Tina Trial' });
});

test('a bulk create sends each member an invite, and the run of a refused one has no personal data', async (t) => {
  const { api, id } = await newWorkspace();
  const emails = Array.from({ length: 45 }, uniqueEmail);
  const operations = emails.map((email) => ({ op: 'create', email, tier: 'basic' }));
  const [refused, ...accepted] = emails as [string, ...string[]];
  await mailbox('POST', '/_sim/refuse', { to: refused, code: 550 });
  t.is((await api.post('/v1/members.bulk', { operations })).body.summary.ok, 45);
  await until(async () => {
    const [{ unsent }] = await db.query(
      `SELECT count(*)::int AS unsent FROM mails WHERE workspace_id = $1 AND status = 'pending'`,
      [id],
    );
    return unsent === 0;
  });
  for (const email of accepted) t.is((await mailTo(email)).length, 1);
  const run = await readableRun(temporal.workflow.getHandle(`mail-${id}`));
  t.true(run.includes(id));
  t.deepEqual(
    emails.filter((email) => run.includes(email)),
    [],
  );
});
