import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import test from 'ava';
import { listAttentionItems } from '../../db/queries/workspaces/attention.js';
import { enqueueMail } from '../../commands/mail/mails.js';
import { transaction } from '../../db/transaction.js';
import { searchAttributes } from '../../contract/search-attributes.js';
import { createMember } from '../support/member-calls.js';
import type { ApiClient } from '../support/api-client.js';
import { bookingBody } from '../support/bookings.js';
import { mailbox, mailTo } from '../support/simulators.js';
import { db, dev } from '../support/stack.js';
import { until } from '../support/until.js';
import { newRoom, newWorkspace, uniqueEmail } from '../support/workspaces.js';
import { temporal } from '../support/temporal.js';

const refuse = (to: string, code?: number, delay_ms?: number): Promise<unknown> =>
  mailbox('POST', '/_sim/refuse', { to, code, delay_ms });

const invite = (api: ApiClient, email: string) => createMember(api, { send_invite: true, email });

/** The mail with a member's newest invite. */
async function inviteMail(memberId: string) {
  const [mail] = await db.query(
    `SELECT mail.* FROM mails mail JOIN member_invites i ON i.id = mail.about WHERE i.member_id = $1`,
    [memberId],
  );
  return mail;
}

const untilStatus = (memberId: string, status: string) =>
  until(async () => {
    const mail = await inviteMail(memberId);
    return mail.status === status && mail;
  });

const refusedIn = async (workspace_id: string) =>
  (await listAttentionItems(db.manager, { workspace_id, limit: 10 })).filter(
    ({ kind }) => kind === 'mail_refused',
  );

test('a permanently refused mail is shown as failed and does not affect others', async (t) => {
  const { api, id } = await newWorkspace();
  const [dead, alive] = [uniqueEmail(), uniqueEmail()];
  await refuse(dead, 550);
  const refused = await invite(api, dead);
  const other = await invite(api, alive);
  await untilStatus(other.id, 'sent');
  t.is((await mailTo(alive)).length, 1);

  const mail = await untilStatus(refused.id, 'failed');
  t.like(mail, { attempts: 1, failure_code: 'smtp_550', sent_at: null });
  t.false(JSON.stringify(mail).includes(dead), 'the row has no address');
  const [item] = await refusedIn(id);
  t.like(item, { object_id: refused.id, mail_kind: 'member_invite', reason: 'smtp_550' });

  const run = temporal.workflow.getHandle(`mail-${id}`);
  await until(async () => {
    const { typedSearchAttributes } = await run.describe();
    return typedSearchAttributes.get(searchAttributes.attentionNeeded);
  });
  const { currentDetails } = await run.query<{ currentDetails: string }, []>('__temporal_workflow_metadata');
  t.regex(currentDetails, /\*\*Attention:\*\* mail was permanently rejected: one email/);

  const { events } = await run.fetchHistory();
  t.false(JSON.stringify(events).includes(dead), 'the history does not quote the mail server');
  const logs = join(dirname(process.env.HOLDFAST_DEV_JSON!), 'logs');
  // The SDK buffers its logs.
  const written = await until(async () => {
    const text = readdirSync(logs)
      .filter((name) => name.startsWith('worker'))
      .map((name) => readFileSync(join(logs, name), 'utf8'))
      .join('');
    return text.includes(mail.id) && text;
  });
  t.false(written.includes(dead), 'the log of the worker has the failure, without the address');

  const corrected = uniqueEmail();
  await api.patch(`/v1/members/${refused.id}`, { email: corrected });
  await untilStatus(refused.id, 'sent');
  t.is((await mailTo(corrected)).length, 1);
  t.deepEqual(await refusedIn(id), [], 'a corrected address needs no attention');
});

test('a sign-in link whose mail is permanently refused leaves no token behind', async (t) => {
  const { api } = await newWorkspace();
  const { email } = await createMember(api);
  await refuse(email, 550);
  const form = { 'content-type': 'application/x-www-form-urlencoded', origin: dev.baseUrl };
  const body = String(new URLSearchParams({ email }));
  t.is((await fetch(`${dev.baseUrl}/sign-in`, { method: 'POST', body, headers: form })).status, 200);
  const link = await until(async () => {
    const [row] = await db.query(
      `SELECT link.encrypted_token, mail.status FROM sign_in_links link
       JOIN mails mail ON mail.sign_in_link_id = link.id WHERE link.email = lower($1)`,
      [email],
    );
    return row.status !== 'pending' && row;
  });
  t.deepEqual(link, { encrypted_token: null, status: 'failed' });
});

test('a temporarily refused mail is retried and does not delay others', async (t) => {
  const { api } = await newWorkspace();
  const [busy, free] = [uniqueEmail(), uniqueEmail()];
  await refuse(busy, 450);
  const delayed = await invite(api, busy);
  const failed = await until(async () => {
    const mail = await inviteMail(delayed.id);
    return mail.attempts > 0 && mail;
  });
  t.like(failed, { status: 'pending', attempts: 1, failure_code: 'smtp_450' });
  const other = await invite(api, free);
  await untilStatus(other.id, 'sent');
  const waiting = await inviteMail(delayed.id);
  t.like(waiting, { status: 'pending', failure_code: 'smtp_450' });
  t.deepEqual(await mailTo(busy), []);

  await refuse(busy);
  const sent = await untilStatus(delayed.id, 'sent');
  t.true(sent.sent_at >= waiting.next_attempt_at);
  t.is((await mailTo(busy)).length, 1);
});

test('an address that the mail server defers slowly, with many mails, delays no other mail', async (t) => {
  const { api, id: workspace_id } = await newWorkspace();
  const room = await newRoom(api);
  const [busy, free] = [uniqueEmail(), uniqueEmail()];
  await refuse(busy, 450, 1_000);
  const [toBusy, toFree] = await Promise.all(
    [busy, free].map(async (email) => {
      const body = bookingBody(room.id, { booked_by: { guest: { email, name: 'Gil' } } });
      return (await api.post('/v1/bookings', body)).body.id as string;
    }),
  );
  const kind = 'booking_changed';
  await transaction(db, async (tx) => {
    for (let n = 0; n < 24; n++)
      await enqueueMail(tx, { workspace_id, kind, booking_id: toBusy!, about: `${toBusy}:${n}` });
    await enqueueMail(tx, { workspace_id, kind, booking_id: toFree! });
  });
  await until(async () => (await mailTo(free)).length > 0);
  const { count } = await mailbox<{ count: number }>('GET', `/_sim/refusals?to=${busy}`);
  t.true(count < 6, `${count} attempts for the deferred address came first`);
  const waiting = `SELECT FROM mails WHERE booking_id = $1 AND kind = 'booking_changed' AND status = 'pending'
    AND attempts = 0`;
  await until(async () => (await db.query(waiting, [toBusy])).length === 0);
  await refuse(busy);
  const changed = async () => (await mailTo(busy)).filter(({ subject }) => /has changed/.test(subject));
  await until(async () => (await changed()).length === 24);
});

test('an invite that was replaced before its mail was sent is not sent', async (t) => {
  const { api } = await newWorkspace();
  const email = uniqueEmail();
  await refuse(email, 450);
  const member = await invite(api, email);
  const first = await until(async () => {
    const mail = await inviteMail(member.id);
    return mail.attempts > 0 && mail;
  });
  await api.post(`/v1/members/${member.id}/resend-invite`);
  await refuse(email);
  const ended = await until(async () => {
    const [mail] = await db.query(`SELECT * FROM mails WHERE id = $1`, [first.id]);
    return mail.status !== 'pending' && mail;
  });
  t.is(ended.status, 'skipped');
  await untilStatus(member.id, 'sent');
  t.is((await mailTo(email)).length, 1, 'only the newest invite is mailed');
});

test('pending mails to an erased guest are not sent', async (t) => {
  const { api } = await newWorkspace();
  const room = await newRoom(api, { price_per_hour: { currency: 'GBP', amount_minor: 0 } });
  const email = uniqueEmail();
  await refuse(email, 450);
  const guest = { email, name: 'Grace Guest' };
  const { body: booking } = await api.post('/v1/bookings', bookingBody(room.id, { booked_by: { guest } }));
  const attempts = () => db.query(`SELECT attempts FROM mails WHERE booking_id = $1`, [booking.id]);
  await until(async () => (await attempts())[0]?.attempts > 0);
  await api.post('/v1/guests/erase', { email });
  t.deepEqual(await attempts(), []);
});

test('mail is sent without a run, and failed first attempts get one run, which waits for more', async (t) => {
  const { api, id } = await newWorkspace();
  const runs = new Set<string>();
  for (let sent = 0; sent < 2; sent++) {
    const member = await invite(api, uniqueEmail());
    await untilStatus(member.id, 'sent');
    if (sent === 0) await t.throwsAsync(temporal.workflow.getHandle(`mail-${id}`).describe());
    const email = uniqueEmail();
    await refuse(email, 550);
    await untilStatus((await invite(api, email)).id, 'failed');
    runs.add((await temporal.workflow.getHandle(`mail-${id}`).describe()).runId);
  }
  t.is(runs.size, 1);
  const timer = await until(async () => {
    const { events } = await temporal.workflow.getHandle(`mail-${id}`).fetchHistory();
    return events!.flatMap(({ timerStartedEventAttributes: started }) => started ?? []).at(-1);
  });
  t.is(Number(timer.startToFireTimeout!.seconds), 30, 'it waits and does not poll');
});

test('a lost run is started again and sends the remaining mail', async (t) => {
  const { api, id } = await newWorkspace();
  const email = uniqueEmail();
  await refuse(email, 450);
  const member = await invite(api, email);
  await until(async () => (await inviteMail(member.id)).attempts > 0);
  await temporal.workflow.getHandle(`mail-${id}`).terminate('lost by the test');
  await refuse(email);
  // As if the attempt had been due a minute ago.
  await db.query(`UPDATE mails SET notify_at = now() WHERE workspace_id = $1`, [id]);
  await untilStatus(member.id, 'sent');
  t.is((await mailTo(email)).length, 1);
});
