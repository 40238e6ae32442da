import test from 'ava';
import { anonymous } from '../../support/api-client.js';
import { confirmedBooking } from '../../support/bookings.js';
import { mailTo } from '../../support/simulators.js';
import { db, dev } from '../../support/stack.js';
import { until } from '../../support/until.js';
import { newWorkspace, findOwnerEmail } from '../../support/workspaces.js';
import { readNotice, WebSession } from '../../support/web-session.js';
import { newMember } from '../../support/people.js';

test("an operator mails a booking's payer again and replaces their link", async (t) => {
  const workspace = await newWorkspace();
  const { booking, email } = await confirmedBooking(workspace.api);
  const owner = await WebSession.start(await findOwnerEmail(workspace.id));
  await owner.enrol();
  const home = `/dashboard/${workspace.id}`;
  const page = `${home}/bookings/${booking.id}`;
  const confirmations = async () =>
    (await mailTo(email)).filter(({ subject }) => /is confirmed/.test(subject)).length;
  await until(async () => (await confirmations()) === 1);

  await db.query(
    `UPDATE mails SET status = 'failed', sent_at = NULL, failed_at = now(), failure_code = 'smtp_550'
     WHERE booking_id = $1 AND kind = 'booking_confirmed'`,
    [booking.id],
  );
  const overview = await owner.getText(home);
  t.regex(overview, /An email was rejected/);
  t.regex(overview, /Confirmation: the mail server rejected it \(550\)/);
  const sent = await owner.submitFormByAction(overview, `${page}/send`, {});
  t.is(readNotice(sent), `The email is being sent to ${email}.`);
  await until(async () => (await confirmations()) === 2);
  await until(async () => !(await owner.getText(home)).includes('An email was rejected'));

  const link = booking.manage_url!;
  t.true((await owner.getText(page)).includes(link));
  t.regex(readNotice(await owner.submit(page, `${page}/rotate-link`))!, /The previous link no longer works/);
  t.is((await anonymous('GET', link.slice(dev.baseUrl.length))).status, 404);
  const { manage_url } = (await workspace.api.get(`/v1/bookings/${booking.id}`)).body;
  t.true((await owner.getText(page)).includes(manage_url!));

  const member = await newMember(workspace);
  const theirs = await WebSession.start(member.email);
  for (const form of ['send', 'rotate-link']) t.is((await theirs.post(`${page}/${form}`)).status, 403, form);
  for (const path of [home, `${home}/bookings`])
    t.true((await theirs.getText(path)).includes(`href="${home}/book"`), 'members find where to book');
  await workspace.api.post('/v1/guests/erase', { email });
  t.is((await workspace.api.post(`/v1/bookings/${booking.id}/send`)).status, 422);
  t.false((await owner.getText(page)).includes('Resend email'));
});
