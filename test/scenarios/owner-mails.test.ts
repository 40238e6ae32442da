import test from 'ava';
import { updateMember } from '../../commands/members/update-member.js';
import type { Principal } from '../../domain/policies.js';
import { newKey, newMember } from '../support/people.js';
import { confirmedBooking } from '../support/bookings.js';
import { mailTo, withFaults } from '../support/simulators.js';
import { db } from '../support/stack.js';
import { until } from '../support/until.js';
import { newWorkspace, findOwnerEmail, uniqueEmail } from '../support/workspaces.js';
import { newObjectId, newSubscriber, storeEvents, untilAttempts } from '../support/events.js';

/** The mail to an address with such a subject, once it exists. */
const untilMail = (address: string, subject: RegExp) =>
  until(async () => {
    const mails = (await mailTo(address)).filter((mail) => subject.test(mail.subject));
    return mails.length > 0 && mails;
  });
const DISABLED = /webhook endpoint has been disabled/;

test('a receiver that returns 410 is disabled, the owner gets mail, and missed events can be listed but are not sent', async (t) => {
  const { workspace, api, receiver } = await newSubscriber(() => 410);
  t.teardown(() => receiver.close());
  await storeEvents(workspace.id, [newObjectId(), newObjectId()]);
  const endpoint = () => api.get('/v1/webhook-endpoint').then(({ body }) => body);
  await until(async () => (await endpoint()).status === 'disabled');
  t.is((await endpoint()).disabled_reason, 'receiver_gone');
  const [mail] = await untilMail(await findOwnerEmail(workspace.id), DISABLED);
  for (const part of [mail!.text, mail!.html]) t.true(part.includes(receiver.url) && /410/.test(part));

  receiver.reply = () => 200;
  const sent = receiver.received.length;
  const [missed] = await storeEvents(workspace.id, [newObjectId()]);
  const listed = await until(async () => {
    const { body } = await api.get('/v1/events');
    return body.data.some(({ id }) => id === missed) && body.data;
  });
  t.is(listed.length, 3);
  const enabled = await api.put('/v1/webhook-endpoint', { url: receiver.url });
  t.like(enabled.body, { status: 'enabled', disabled_reason: null });
  const [next] = await storeEvents(workspace.id, [newObjectId()]);
  await untilAttempts(api, next!, 1);
  const after = receiver.received.slice(sent).map(({ event }) => event.id);
  t.deepEqual(after, [next]);
  const { body } = await api.post(`/v1/events/${missed}/redeliver`);
  t.is(body.deliveries.at(-1)!.status_code, 200);

  receiver.reply = () => 410;
  await storeEvents(workspace.id, [newObjectId()]);
  await until(async () => (await untilMail(await findOwnerEmail(workspace.id), DISABLED)).length === 2);
  t.is((await endpoint()).status, 'disabled', 'the owner gets mail each time');
});

test('a receiver that has failed for five days is disabled even without a new event', async (t) => {
  const { workspace, api, receiver } = await newSubscriber(() => 500);
  t.teardown(() => receiver.close());
  const [id] = await storeEvents(workspace.id, [newObjectId()]);
  await untilAttempts(api, id!, 1);
  // As if five days had passed since its last attempt.
  await db.query(`DELETE FROM webhook_retries WHERE event_id = $1`, [id]);
  await db.query(
    `UPDATE webhook_endpoints SET failing_since = now() - interval '5 days', notify_at = now()
      WHERE workspace_id = $1`,
    [workspace.id],
  );
  await until(
    async () => (await api.get('/v1/webhook-endpoint')).body.disabled_reason === 'receiver_failing',
  );
  const [mail] = await untilMail(await findOwnerEmail(workspace.id), DISABLED);
  t.regex(mail!.text, /five days/);
  const { body: log } = await api.get('/v1/audit-log?action=webhook_endpoint.disabled');
  t.like(log.data, [{ actor: { system: 'webhooks' }, details: { reason: 'receiver_failing' } }]);
});

test('a refund that the processor permanently refuses is mailed to the owner once', async (t) => {
  const owner_email = uniqueEmail();
  const workspace = await newWorkspace({ owner_email });
  const { api } = workspace;
  const { booking } = await confirmedBooking(api);
  const { data } = (await api.get(`/v1/payments?booking_id=${booking.id}`)).body;
  await withFaults(
    workspace,
    { fail: [{ method: 'POST', path: '/v1/refunds', status: 400, times: 1 }] },
    async () => {
      const { body } = await api.post(`/v1/payments/${data[0]!.id}/refund`);
      await until(async () => (await api.get(`/v1/payments/${body.refund.id}`)).body.status === 'failed');
    },
  );
  const mails = await untilMail(owner_email, /refund has failed/);
  t.is(mails.length, 1);
  t.true(mails[0]!.text.includes('30.00') && mails[0]!.text.includes(data[0]!.id));
});

test('the owner gets mail about a new admin, unless the owner made them one in the dashboard', async (t) => {
  const workspace = await newWorkspace();
  const admin = await newMember(workspace, { role: 'admin' });
  const key = await newKey(workspace, admin.id, { resources: ['members'], actions: ['write'] });
  const { id } = await newMember(workspace, { name: 'Mallory' });
  const promote = () => key.patch(`/v1/members/${id}`, { role: 'admin' });
  t.is((await promote()).body.role, 'admin');
  t.is((await promote()).status, 200);
  const owner = await findOwnerEmail(workspace.id);
  const [mail] = await untilMail(owner, /^Mallory is now an admin/);
  for (const part of [mail!.text, mail!.html])
    t.true(part.includes(`/${workspace.id}/audit-log?action=member.updated`), part);
  const enqueued = `SELECT FROM mails WHERE workspace_id = $1 AND kind = 'admin_added'`;
  t.is((await db.query(enqueued, [workspace.id])).length, 1);
  const hired = { name: 'Trent', email: uniqueEmail(), role: 'admin' };
  t.is((await key.post('/v1/members', hired)).body.role, 'admin');
  const [added] = await untilMail(owner, /^Trent is now an admin/);
  t.true(added!.text.includes('/audit-log?action=member.invited'), added!.text);
  t.is((await key.post('/v1/members', { ...hired, email: uniqueEmail(), role: 'front_desk' })).status, 201);
  t.is((await db.query(enqueued, [workspace.id])).length, 2);
  const { rows } = await db.transaction(async (tx) => {
    const atDashboard = {
      workspace_id: workspace.id,
      member_id: workspace.ownerId,
      role: 'owner',
      key_id: null,
    };
    const other = await newMember(workspace);
    await updateMember(tx, atDashboard as Principal, other.id, { role: 'admin' });
    return { rows: await tx.query(enqueued, [workspace.id]) };
  });
  t.is(rows.length, 2);
});
