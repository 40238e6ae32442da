import test from 'ava';
import { confirmedBooking, hoursLater } from '../support/bookings.js';
import { mailTo, processorLedger, simulator, withFaults, withRefundMode } from '../support/simulators.js';
import { db } from '../support/stack.js';
import { until } from '../support/until.js';
import { newWorkspace } from '../support/workspaces.js';
import { sweep } from '../support/invariants.js';
import { STEPS, invoiceStatus } from './cancel-calls.js';
import { message } from '../support/message.js';

test('the refund policies full and none refund all or nothing and set the invoice status', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const full = await confirmedBooking(api, { room: STEPS });
  await api.patch(`/v1/bookings/${full.booking.id}`, { end_at: hoursLater(full.booking.end_at, 1) });
  const { body } = await api.post(`/v1/bookings/${full.booking.id}/cancel`, {
    refund_policy: 'full',
    notify_attendees: false,
  });
  // The charge of 3,000 and the top-up of 3,000, with a refund each.
  t.like(body.refund, { amount_minor: 6_000, status: 'succeeded' });
  t.deepEqual(
    body.refund!.refunds.map((refund) => refund.amount_minor),
    [3_000, 3_000],
  );
  t.is(await invoiceStatus(full.booking.invoice_id!), 'refunded');
  const refundMail = (email: string) =>
    until(async () => (await mailTo(email)).find(({ subject }) => subject.startsWith('Refund for')));
  const parts = message('terms.parts_refunded', { amount: '£60.00', parts: '£30.00 and £30.00' });
  t.true((await refundMail(full.email)).text.includes(parts));

  const slow = await confirmedBooking(api);
  await api.patch(`/v1/bookings/${slow.booking.id}`, { end_at: hoursLater(slow.booking.end_at, 1) });
  await withRefundMode(workspace, 'pending', () =>
    api.post(`/v1/bookings/${slow.booking.id}/cancel`, { refund_policy: 'full', notify_attendees: false }),
  );
  const { refunds } = await processorLedger(workspace);
  const [one, other] = refunds.filter(({ status }) => status === 'pending');
  const listMails = () =>
    db.query(`SELECT id, status FROM mails WHERE booking_id = $1 AND kind = 'payment_refunded'`, [
      slow.booking.id,
    ]);
  await simulator('POST', `/_sim/refunds/${one!.id}/settle`, { status: 'succeeded' });
  const [{ id }] = await until(async () => {
    const found = await listMails();
    return found.length > 0 && found;
  });
  // It waits half a minute for the other part.
  await db.query(`UPDATE mails SET next_attempt_at = now(), notify_at = now() WHERE id = $1`, [id]);
  const { text } = await refundMail(slow.email);
  t.true(text.includes(message('terms.parts_refunding', { amount: '£60.00' })), text);
  const half = { parts: '£30.00' };
  t.true(text.includes(`${message('terms.parts_done', half)} ${message('terms.parts_coming', half)}`), text);
  await simulator('POST', `/_sim/refunds/${other!.id}/settle`, { status: 'succeeded' });
  await until(async () => (await invoiceStatus(slow.booking.invoice_id!)) === 'refunded');
  await until(async () =>
    (await mailTo(slow.email)).find(
      ({ subject }) => subject === message('mail.refund_made_subject', { amount: '£30.00' }),
    ),
  );
  t.deepEqual(await listMails(), [{ id, status: 'sent' }]);

  const none = await confirmedBooking(api, { room: STEPS });
  const kept = await api.post(`/v1/bookings/${none.booking.id}/cancel`, { refund_policy: 'none' });
  t.is(kept.body.refund, null);
  t.is(await invoiceStatus(none.booking.invoice_id!), 'paid');
  const subjects = (await mailTo(full.email)).map((mail) => mail.subject);
  t.false(subjects.includes(message('mail.cancelled_subject', { room: 'Blue room' })));
  await sweep(t, workspace);
});

test('a cancellation and its refunds are one mail with the credit note, which waits for the refunds', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const subjectsTo = async (email: string) =>
    (await mailTo(email)).map(({ subject }) => subject).filter((subject) => !/is confirmed/.test(subject));
  const cancelledMail = (email: string) =>
    until(async () => (await mailTo(email)).find(({ subject }) => /is cancelled/.test(subject)));
  const mailKinds = (id: string) =>
    db.query(
      `SELECT kind, status FROM mails WHERE booking_id = $1 AND kind <> 'booking_held' ORDER BY created_at`,
      [id],
    );

  const quick = await confirmedBooking(api);
  await api.post(`/v1/bookings/${quick.booking.id}/cancel`, { refund_policy: 'full' });
  const mail = await cancelledMail(quick.email);
  const amount = '£30.00';
  const refunded = `${message('terms.paid', { amount })} ${message('terms.refunded', { amount })}`;
  t.true(mail.text.includes(refunded), mail.text);
  t.true(
    mail.attachments.some(({ filename }) => filename.endsWith('-C1.pdf')),
    'the credit note',
  );
  t.deepEqual(await subjectsTo(quick.email), [message('mail.cancelled_subject', { room: 'Blue room' })]);

  const slow = await confirmedBooking(api);
  await withRefundMode(workspace, 'pending', () =>
    api.post(`/v1/bookings/${slow.booking.id}/cancel`, { refund_policy: 'full' }),
  );
  t.deepEqual((await mailKinds(slow.booking.id)).at(-1), { kind: 'booking_cancelled', status: 'pending' });
  const { refunds } = await processorLedger(workspace);
  const made = refunds.find(({ status }) => status === 'pending')!;
  await simulator('POST', `/_sim/refunds/${made.id}/settle`, { status: 'failed' });
  const failed = message('terms.refund_failed', { amount, payee: 'Test house' });
  t.true((await cancelledMail(slow.email)).text.includes(failed));
  t.is(
    (await mailKinds(slow.booking.id)).filter((row: { kind: string }) => /refund/.test(row.kind)).length,
    0,
  );
  await sweep(t, workspace);
});

test('a refund whose response is lost is created once', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const { booking } = await confirmedBooking(api);
  const lost = { fail: [{ method: 'POST', path: '/v1/refunds', status: 500, times: 2, after_effect: true }] };
  await withFaults(workspace, lost, () =>
    api.post(`/v1/bookings/${booking.id}/cancel`, { refund_policy: 'full' }),
  );
  await until(async () => (await invoiceStatus(booking.invoice_id!)) === 'refunded');
  const { refunds } = await processorLedger(workspace);
  t.is(refunds.length, 1);
  await sweep(t, workspace);
});

test('a refund that ends before the response to its create is settled immediately', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const { booking } = await confirmedBooking(api);
  // Created and pending, but three responses are lost: its outcome is unknown for two seconds.
  const lost = { fail: [{ method: 'POST', path: '/v1/refunds', status: 502, times: 3, after_effect: true }] };
  await withRefundMode(workspace, 'pending', async () => {
    await withFaults(workspace, lost, async () => {
      const cancelled = api.post(`/v1/bookings/${booking.id}/cancel`, { refund_policy: 'full' });
      const refund = await until(async () => {
        const { refunds } = await processorLedger(workspace);
        return refunds[0];
      });
      await simulator('POST', `/_sim/refunds/${refund.id}/settle`, { status: 'succeeded' });
      t.is((await cancelled).body.refund!.status, 'pending', 'the status that the processor returned');
      await until(async () => (await invoiceStatus(booking.invoice_id!)) === 'refunded');
    });
  });
  await sweep(t, workspace);
});

test('a refund that is pending is shown as pending', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const { booking } = await confirmedBooking(api);
  await withRefundMode(workspace, 'pending', async () => {
    const { body } = await api.post(`/v1/bookings/${booking.id}/cancel`, { refund_policy: 'full' });
    t.is(body.refund!.status, 'pending');
    t.is(await invoiceStatus(booking.invoice_id!), 'paid');
    const { refunds } = await processorLedger(workspace);
    const made = refunds.find((refund) => refund.metadata!.refund_id === body.refund!.id)!;
    await simulator('POST', `/_sim/refunds/${made.id}/settle`, { status: 'succeeded' });
    await until(async () => (await invoiceStatus(booking.invoice_id!)) === 'refunded');
    const again = await api.post(`/v1/bookings/${booking.id}/cancel`);
    t.is(again.body.refund!.status, 'succeeded');
  });
  await sweep(t, workspace);
});
