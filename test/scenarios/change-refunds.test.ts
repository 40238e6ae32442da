import test from 'ava';
import type { Message } from '../../dev/mailbox/messages.js';
import { confirmedBooking, hoursLater, pay, pendingBooking, untilStatus } from '../support/bookings.js';
import { sweep } from '../support/invariants.js';
import { mailTo, processorLedger, simulator, withRefundMode } from '../support/simulators.js';
import { findRefund } from '../../db/queries/payments/refund.js';
import { enqueueRefundMail } from '../../commands/mail/refund-mails.js';
import { recordRefund } from '../../commands/payments/record-refund.js';
import { transaction } from '../../db/transaction.js';
import { db } from '../support/stack.js';
import { until } from '../support/until.js';
import { newWorkspace, type TestWorkspace } from '../support/workspaces.js';
import { message } from '../support/message.js';
import { book, newScene } from './on-account-calls.js';

/** A booking's mails about changes and refunds, oldest first. */
const listNotices = (bookingId: string): Promise<{ id: string; kind: string; status: string }[]> =>
  db.query(
    `SELECT id, kind, status FROM mails
      WHERE booking_id = $1 AND kind IN ('booking_changed', 'payment_refunded', 'payment_refund_ended')
      ORDER BY created_at`,
    [bookingId],
  );

const mailKinds = async (bookingId: string) => (await listNotices(bookingId)).map(({ kind }) => kind);

const changedMail = (email: string, ...said: string[]): Promise<Message> =>
  until(async () =>
    (await mailTo(email)).find(
      ({ subject, text }) => /has changed/.test(subject) && said.every((each) => text.includes(each)),
    ),
  );

const changedTo = (price: string, refund: string): string =>
  message('mail.price_refunded', { price, refund });

const hasCreditNote = ({ attachments }: Message): boolean =>
  attachments.some(({ filename }) => /-C\d+\.pdf$/.test(filename));

/**
 * A two-hour booking that is made an hour shorter while refunds stay pending, with its refund at the
 * processor.
 */
async function slowlyShortened(workspace: TestWorkspace) {
  const { booking, email } = await confirmedBooking(workspace.api, { hours: 2 });
  await withRefundMode(workspace, 'pending', () =>
    workspace.api.patch(`/v1/bookings/${booking.id}`, { end_at: hoursLater(booking.end_at, -1) }),
  );
  const { refunds } = await processorLedger(workspace);
  const { id } = refunds.find(({ status }) => status === 'pending')!;
  const settle = (status: 'succeeded' | 'failed') =>
    simulator('POST', `/_sim/refunds/${id}/settle`, { status });
  return { booking, email, settle };
}

test('a change and its refund are one mail, with the credit note', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const { booking, email } = await confirmedBooking(api, { hours: 2 });
  await api.patch(`/v1/bookings/${booking.id}`, { end_at: hoursLater(booking.end_at, -1) });
  const mail = await changedMail(email, changedTo('£30.00', message('terms.refunded', { amount: '£30.00' })));
  t.true(hasCreditNote(mail));
  t.deepEqual(await mailKinds(booking.id), ['booking_changed']);
  await sweep(t, workspace);
});

test('the mail about a change waits up to half a minute for all parts of its refund', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const { booking, email } = await confirmedBooking(api);
  const path = `/v1/bookings/${booking.id}` as const;
  for (const more of [1, 2]) await api.patch(path, { end_at: hoursLater(booking.end_at, more) });
  await withRefundMode(workspace, 'pending', () => api.patch(path, { end_at: booking.end_at }));
  const { refunds } = await processorLedger(workspace);
  const [one, other] = refunds.filter(({ status }) => status === 'pending');
  await simulator('POST', `/_sim/refunds/${one!.id}/settle`, { status: 'succeeded' });
  await until(async () => {
    const { body } = await api.get(`/v1/payments?booking_id=${booking.id}&kind=refund`);
    return body.data.some(({ status }) => status === 'succeeded');
  });
  const waiting = (await listNotices(booking.id)).at(-1)!;
  t.like(waiting, { kind: 'booking_changed', status: 'pending' });
  await db.query(`UPDATE mails SET next_attempt_at = now(), notify_at = now() WHERE id = $1`, [waiting.id]);
  const [done, coming] = [
    message('terms.refunded', { amount: '£30.00' }),
    message('terms.refunding', { amount: '£30.00' }),
  ];
  t.truthy(await changedMail(email, changedTo('£30.00', `${done} ${coming}`)));
  await simulator('POST', `/_sim/refunds/${other!.id}/settle`, { status: 'succeeded' });
  await until(async () => {
    const { body } = await api.get(`/v1/payments?booking_id=${booking.id}&kind=refund`);
    return body.data.every(({ status }) => status === 'succeeded');
  });
  const kinds = ['booking_changed', 'booking_changed', 'booking_changed', 'payment_refund_ended'];
  t.deepEqual(await mailKinds(booking.id), kinds, 'the second part alone has mail of its own');
  await sweep(t, workspace);
});

test('the mail about a change that follows another one states what the first cost, and today’s price', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const { booking, email } = await confirmedBooking(api);
  const path = `/v1/bookings/${booking.id}` as const;
  await api.patch(path, { end_at: hoursLater(booking.end_at, 1) });
  await api.patch(path, { end_at: booking.end_at });
  const [first] = await until(async () => {
    const notices = await listNotices(booking.id);
    return notices.length === 2 && notices.every(({ status }) => status === 'sent') && notices;
  });
  await db.query(
    `UPDATE mails SET status = 'pending', sent_at = NULL, next_attempt_at = now(), notify_at = now()
      WHERE id = $1`,
    [first!.id],
  );
  t.truthy(
    await changedMail(
      email,
      message('mail.charged_before', { amount: '£30.00' }),
      message('mail.changed_again', { price: '£30.00' }),
    ),
  );
  t.truthy(await changedMail(email, changedTo('£30.00', message('terms.refunded', { amount: '£30.00' }))));
  await sweep(t, workspace);
});

test('the mail about a change says that its refund has failed', async (t) => {
  const workspace = await newWorkspace();
  const { booking, email, settle } = await slowlyShortened(workspace);
  t.like((await listNotices(booking.id)).at(-1), { kind: 'booking_changed', status: 'pending' });
  await settle('failed');
  await changedMail(
    email,
    changedTo('£30.00', message('terms.refund_failed', { amount: '£30.00', payee: 'Test house' })),
  );
  t.deepEqual(await mailKinds(booking.id), ['booking_changed']);
  await sweep(t, workspace);
});

test('the refund of a change whose mail was skipped has its own mail', async (t) => {
  const workspace = await newWorkspace();
  const { booking, email, settle } = await slowlyShortened(workspace);
  await db.query(
    `UPDATE mails SET status = 'skipped', notify_at = NULL
      WHERE booking_id = $1 AND kind = 'booking_changed'`,
    [booking.id],
  );
  await settle('succeeded');
  const about = message('mail.refund_subject', { room: 'Blue room' });
  const mail = await until(async () => (await mailTo(email)).find(({ subject }) => subject === about));
  t.true(mail.text.includes(message('terms.part_refunded', { amount: '£30.00' })));
  t.true(hasCreditNote(mail));
  await sweep(t, workspace);
});

test('the mail about a change does not wait for a refund that is returned by hand', async (t) => {
  const { workspace, booking } = await pendingBooking();
  const { api } = workspace;
  const path = `/v1/bookings/${booking.id}` as const;
  t.is((await api.post(`${path}/payments`, { method: 'cash', amount_minor: 3_000 })).status, 201);
  await untilStatus(api, booking.id, 'confirmed');
  await api.patch(path, { end_at: new Date(Date.parse(booking.start_at) + 1_800_000).toISOString() });
  const byHand = message('terms.returned_by_hand', { payee: 'Test house', amount: '£15.00' });
  const mail = await changedMail(booking.booked_by.guest.email, changedTo('£15.00', byHand));
  t.true(hasCreditNote(mail));
  // As if the refund is recorded after that mail.
  const [[{ id }]]: [[{ id: string }]] = await db.query(
    `UPDATE payments SET status = 'pending', settled_at = NULL, succeeded_at = NULL
     WHERE booking_id = $1 AND kind = 'refund' RETURNING id`,
    [booking.id],
  );
  await transaction(db, async (tx) => {
    await recordRefund(tx, id, { refund_id: null, status: 'succeeded' });
    await enqueueRefundMail(tx, (await findRefund(tx, id))!);
  });
  t.deepEqual(await mailKinds(booking.id), ['booking_changed'], 'which has reported it');
  await sweep(t, workspace);
});

test('a company is mailed the refund of its payment, and the booker is mailed the change', async (t) => {
  const { workspace, company, member, room } = await newScene(null);
  const { api } = workspace;
  const { body: booking } = await book(member, room);
  const { body: opened } = await api.post(`/v1/invoices/${booking.invoice_id!}/checkout`);
  await pay(opened);
  await until(async () => (await api.get(`/v1/invoices/${booking.invoice_id!}`)).body.status === 'paid');
  const half = new Date(Date.parse(booking.start_at) + 1_800_000).toISOString();
  await api.patch(`/v1/bookings/${booking.id}`, { end_at: half });
  const toMember = await changedMail(member.email, message('terms.refunded', { amount: '£15.00' }));
  t.false(hasCreditNote(toMember));
  const toCompany = await until(async () =>
    (await mailTo(company.billing_email!)).find(({ subject }) => subject.startsWith('Refund for')),
  );
  t.true(hasCreditNote(toCompany));
  t.deepEqual(await mailKinds(booking.id), ['booking_changed']);
  await sweep(t, workspace);
});
