import test from 'ava';
import type { MailDependencies } from '../../activities/mail/delivery.js';
import { MailSending } from '../../activities/mail/sending.js';
import { scaledMailQuotas } from '../../domain/api-keys/limits.js';
import type { Message } from '../../dev/mailbox/messages.js';
import { openInvoice } from '../support/accounting.js';
import { enqueueRefundMail } from '../../commands/mail/refund-mails.js';
import { newId } from '../../db/ids.js';
import { findRefund } from '../../db/queries/payments/refund.js';
import { transaction } from '../../db/transaction.js';
import { internal } from '../support/api-client.js';
import { bookingBody, confirmedBooking, hoursLater, pay, checkoutSessionId } from '../support/bookings.js';
import { sweep } from '../support/invariants.js';
import { storeMails, storePayments } from '../support/rows.js';
import { mailTo, processorLedger, simulator, withRefundMode } from '../support/simulators.js';
import { db } from '../support/stack.js';
import { until } from '../support/until.js';
import {
  newRoom,
  newWorkspace,
  findOwnerEmail,
  uniqueEmail,
  type TestWorkspace,
} from '../support/workspaces.js';
import { message } from '../support/message.js';

/** The kinds of the mails about a booking's outcome, oldest first. */
const mailKinds = async (bookingId: string): Promise<string[]> =>
  (
    await db.query(
      `SELECT kind FROM mails WHERE booking_id = $1 AND kind ~ 'cancelled|changed|refund'
        ORDER BY created_at, id`,
      [bookingId],
    )
  ).map(({ kind }: { kind: string }) => kind);

/** Makes the mail about a cancellation or change be sent, as after half a minute. */
const sendNotice = (bookingId: string, kind: 'booking_cancelled' | 'booking_changed') =>
  db.query(
    `UPDATE mails SET next_attempt_at = now(), notify_at = now() WHERE booking_id = $1 AND kind = $2`,
    [bookingId, kind],
  );

const mailAbout = (email: string, about: string): Promise<Message> =>
  until(async () => (await mailTo(email)).find(({ subject }) => subject === about));

const attachmentNames = ({ attachments }: Message): string[] =>
  attachments.map(({ filename }) => filename).filter((name) => /-C\d+\.pdf$/.test(name));

async function settlePending(workspace: TestWorkspace, status: 'succeeded' | 'failed'): Promise<string> {
  const { refunds } = await processorLedger(workspace);
  const { id } = refunds.find((refund) => refund.status === 'pending')!;
  await simulator('POST', `/_sim/refunds/${id}/settle`, { status });
  return id;
}

/** The bank returns a succeeded refund, once no mail of the workspace is being sent. */
async function returnRefund({ id }: TestWorkspace, refund: string): Promise<void> {
  await until(async () => {
    const pending = `SELECT 1 FROM mails WHERE workspace_id = $1 AND status = 'pending'
      AND next_attempt_at <= now()`;
    return (await db.query(pending, [id])).length === 0;
  });
  await simulator('POST', `/_sim/refunds/${refund}/settle`, { status: 'failed' });
}

const PRICE = { amount: '£30.00' };
const REFUNDING = message('terms.refunding', PRICE);
const REFUNDED = message('terms.refunded', PRICE);
const MADE = message('mail.refund_made_subject', PRICE);
const FAILED = message('mail.refund_failed_subject', PRICE);
const RETURNED = message('mail.refund_returned_subject', PRICE);
const CANCELLED = message('mail.cancelled_subject', { room: 'Blue room' });
const CHANGED = message('mail.changed_subject', { room: 'Blue room' });
/** The subject of a mail about an invoice. */
const fromHouse = (subject: string) => message('mail.with_sender', { subject, name: 'Test house' });

/** A booking that is cancelled with a refund that has not ended when the mail about it is sent. */
async function slowlyCancelled(workspace: TestWorkspace) {
  const { booking, email } = await confirmedBooking(workspace.api);
  await withRefundMode(workspace, 'pending', () =>
    workspace.api.post(`/v1/bookings/${booking.id}/cancel`, { refund_policy: 'full' }),
  );
  await sendNotice(booking.id, 'booking_cancelled');
  const notice = await mailAbout(email, CANCELLED);
  return { booking, email, notice };
}

test('a refund that succeeds after the mail about the cancellation has its own mail, with its credit note, once', async (t) => {
  const workspace = await newWorkspace();
  const { booking, email, notice } = await slowlyCancelled(workspace);
  t.true(notice.text.includes(REFUNDING));
  t.deepEqual(attachmentNames(notice), []);
  const id = await settlePending(workspace, 'succeeded');
  const mail = await mailAbout(email, MADE);
  t.true(mail.text.includes(message('terms.part_refunded', PRICE)));
  t.is(attachmentNames(mail).length, 1);
  t.deepEqual(await mailKinds(booking.id), ['booking_cancelled', 'payment_refund_ended']);
  await returnRefund(workspace, id);
  const returned = await mailAbout(email, RETURNED);
  t.regex(
    returned.text,
    /could not be credited to the\s+card or account you paid with\. Test house has been notified\./s,
  );
  t.regex(returned.text, /To get the money back another way,\s+contact Test house\./s);
  t.deepEqual(attachmentNames(returned), []);
  await mailAbout(await findOwnerEmail(workspace.id), 'A refund has failed (Test house)');
  t.deepEqual(await mailKinds(booking.id), [
    'booking_cancelled',
    'payment_refund_ended',
    'payment_refund_returned',
  ]);
  await sweep(t, workspace);
});

test('a refund that is returned after its payer was told that it was made has one more mail, once', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const cancelled = await confirmedBooking(api);
  await api.post(`/v1/bookings/${cancelled.booking.id}/cancel`, { refund_policy: 'full' });
  t.true((await mailAbout(cancelled.email, CANCELLED)).text.includes(REFUNDED));
  const refunded = await confirmedBooking(api);
  const { data: charges } = (await api.get(`/v1/payments?booking_id=${refunded.booking.id}`)).body;
  await api.post(`/v1/payments/${charges[0]!.id}/refund`, { amount_minor: 1_000 });
  await mailAbout(refunded.email, message('mail.refund_subject', { room: 'Blue room' }));
  const untold = await confirmedBooking(api);
  const { data: others } = (await api.get(`/v1/payments?booking_id=${untold.booking.id}`)).body;
  await api.post(`/v1/payments/${others[0]!.id}/refund`, { notify_payer: false });
  const { refunds } = await until(async () => {
    const ledger = await processorLedger(workspace);
    return ledger.refunds.filter(({ status }) => status === 'succeeded').length === 3 && ledger;
  });
  for (const { id } of refunds) await returnRefund(workspace, id);
  await mailAbout(cancelled.email, RETURNED);
  await mailAbout(refunded.email, message('mail.refund_returned_subject', { amount: '£10.00' }));
  const owner = await findOwnerEmail(workspace.id);
  await until(
    async () =>
      (await mailTo(owner)).filter(({ subject }) => subject.startsWith('A refund has failed')).length === 3,
  );
  // A repeated report.
  const path = `/v1/payments?booking_id=${cancelled.booking.id}&kind=refund` as const;
  const { id } = (await api.get(path)).body.data[0]!;
  await transaction(db, async (tx) => enqueueRefundMail(tx, (await findRefund(tx, id))!));
  t.deepEqual(await mailKinds(cancelled.booking.id), ['booking_cancelled', 'payment_refund_returned']);
  t.deepEqual(await mailKinds(refunded.booking.id), ['payment_refunded', 'payment_refund_returned']);
  t.deepEqual(
    await mailKinds(untold.booking.id),
    [],
    'no mail about the return without one about the refund',
  );
  await sweep(t, workspace);
});

test('a refund that is returned before its mail is sent has only that mail, which says that it failed', async (t) => {
  const workspace = await newWorkspace();
  const { booking, email } = await slowlyCancelled(workspace);
  const path = `/v1/payments?booking_id=${booking.id}&kind=refund` as const;
  const refundNow = async () => (await workspace.api.get(path)).body.data[0]!;
  const { id: refund } = await refundNow();
  // As when the mail server refuses it temporarily.
  await storeMails(db, [
    {
      workspace_id: workspace.id,
      kind: 'payment_refund_ended',
      about: refund,
      booking_id: booking.id,
      status: 'pending',
      next_attempt_at: new Date(Date.now() + 3_600_000),
      notify_at: new Date(Date.now() + 3_600_000),
    },
  ]);
  const id = await settlePending(workspace, 'succeeded');
  await until(async () => (await refundNow()).status === 'succeeded');
  await returnRefund(workspace, id);
  await mailAbout(await findOwnerEmail(workspace.id), 'A refund has failed (Test house)');
  t.deepEqual(await mailKinds(booking.id), ['booking_cancelled', 'payment_refund_ended']);
  await db.query(
    `UPDATE mails SET next_attempt_at = now(), notify_at = now()
      WHERE about = $1 AND kind = 'payment_refund_ended'`,
    [refund],
  );
  await mailAbout(email, FAILED);
  await sweep(t, workspace);
});

test('a refund that fails after the mail about the cancellation has mail that says so and whom to contact, in the payer’s language', async (t) => {
  const workspace = await newWorkspace();
  await workspace.api.patch('/v1/workspace', { contact_email: 'desk@house.example' });
  const { booking, email } = await slowlyCancelled(workspace);
  await db.query(`UPDATE bookings SET locale = 'de' WHERE id = $1`, [booking.id]);
  await settlePending(workspace, 'failed');
  const mail = await mailAbout(email, 'Ihre Erstattung von 30,00\u00a0£ ist fehlgeschlagen');
  t.regex(
    mail.text,
    /fehlgeschlagen\. Test house wurde benachrichtigt\.\s+Wie Sie .*klären Sie bitte mit\s+Test house\./s,
  );
  t.true(mail.text.includes('desk@house.example'));
  t.deepEqual(attachmentNames(mail), []);
  const owner = await findOwnerEmail(workspace.id);
  await mailAbout(owner, 'A refund has failed (Test house)');
  t.is((await mailTo(owner)).filter(({ subject }) => /refund/i.test(subject)).length, 1);
  await sweep(t, workspace);
});

test('a failed refund has mail although the mail about the cancellation could not be delivered, and was sent again', async (t) => {
  const workspace = await newWorkspace();
  const { booking, email } = await slowlyCancelled(workspace);
  await db.query(
    `UPDATE mails SET status = 'failed', sent_at = NULL, failed_at = now()
      WHERE kind = 'booking_cancelled' AND about = $1`,
    [booking.id],
  );
  t.is((await workspace.api.post(`/v1/bookings/${booking.id}/send`)).status, 200);
  await until(
    async () => (await mailTo(email)).filter(({ subject }) => /is cancelled/.test(subject)).length === 2,
  );
  await settlePending(workspace, 'failed');
  await mailAbout(email, FAILED);
  t.is((await mailKinds(booking.id)).filter((kind) => kind === 'payment_refund_ended').length, 1);
  await sweep(t, workspace);
});

test('a refund that lacked balance when the mail about the cancellation was sent has mail when it is made, or given up', async (t) => {
  const workspace = await newWorkspace();
  const [made, givenUp] = [await confirmedBooking(workspace.api), await confirmedBooking(workspace.api)];
  await withRefundMode(workspace, 'no_balance', async () => {
    for (const { booking, email } of [made, givenUp]) {
      await workspace.api.post(`/v1/bookings/${booking.id}/cancel`, { refund_policy: 'full' });
      await sendNotice(booking.id, 'booking_cancelled');
      t.true((await mailAbout(email, CANCELLED)).text.includes(REFUNDING));
    }
    await db.query(
      `UPDATE payments SET unfunded_since = now() - interval '31 days'
        WHERE booking_id = $1 AND kind = 'refund'`,
      [givenUp.booking.id],
    );
    await internal('run_job', { job: 'self_heal', workspace_id: workspace.id });
    await mailAbout(givenUp.email, FAILED);
  });
  const mail = await mailAbout(made.email, MADE);
  t.is(attachmentNames(mail).length, 1);
  for (const { booking } of [made, givenUp])
    t.deepEqual(await mailKinds(booking.id), ['booking_cancelled', 'payment_refund_ended']);
  await sweep(t, workspace);
});

test('a refund that succeeds after the mail about the change has its own mail', async (t) => {
  const workspace = await newWorkspace();
  const { booking, email } = await confirmedBooking(workspace.api, { hours: 2 });
  await withRefundMode(workspace, 'pending', () =>
    workspace.api.patch(`/v1/bookings/${booking.id}`, { end_at: hoursLater(booking.end_at, -1) }),
  );
  await sendNotice(booking.id, 'booking_changed');
  t.true((await mailAbout(email, CHANGED)).text.includes(REFUNDING));
  await settlePending(workspace, 'succeeded');
  t.is(attachmentNames(await mailAbout(email, MADE)).length, 1);
  t.deepEqual(await mailKinds(booking.id), ['booking_changed', 'payment_refund_ended']);
  await sweep(t, workspace);
});

/** A mail as claimed by a worker: no other sends it in the meantime. */
const CLAIMED = `next_attempt_at = now(), notify_at = now() + interval '1 hour'`;

const refundIs = (workspace: TestWorkspace, bookingId: string, status: string) =>
  until(async () => {
    const { body } = await workspace.api.get(`/v1/payments?booking_id=${bookingId}&kind=refund`);
    return body.data[0]!.status === status;
  });

test('a refund whose status changes while the mail that reports it is being sent has its own mail', async (t) => {
  const workspace = await newWorkspace();
  const cases = [
    {
      before: 'pending',
      told: REFUNDING,
      after: 'succeeded',
      subject: MADE,
      kind: 'payment_refund_ended',
    },
    {
      before: 'succeeded',
      told: REFUNDED,
      after: 'failed',
      subject: RETURNED,
      kind: 'payment_refund_returned',
    },
  ] as const;
  for (const { before, told, after, subject, kind } of cases) {
    const { booking, email } = await confirmedBooking(workspace.api);
    await withRefundMode(workspace, 'pending', () =>
      workspace.api.post(`/v1/bookings/${booking.id}/cancel`, { refund_policy: 'full' }),
    );
    const [[mail]] = await db.query(
      `UPDATE mails SET ${CLAIMED} WHERE booking_id = $1 AND kind = 'booking_cancelled'
        RETURNING id, kind, about`,
      [booking.id],
    );
    const refund = before === 'succeeded' ? await settlePending(workspace, before) : null;
    await refundIs(workspace, booking.id, before);
    const texts: string[] = [];
    const mailer = {
      async send({ text }: { text: string }): Promise<void> {
        texts.push(text);
        if (refund) await simulator('POST', `/_sim/refunds/${refund}/settle`, { status: after });
        else await settlePending(workspace, 'succeeded');
        await refundIs(workspace, booking.id, after);
      },
    };
    const deps = {
      db,
      mailer,
      mailQuotas: scaledMailQuotas(1),
      manageLinks: { linkTo: () => null },
      publicUrl: 'https://book.example',
      mailAddress: 'house@example.com',
    } as unknown as MailDependencies;
    const sending = new MailSending(
      deps,
      workspace.id,
      () => undefined,
      async () => 'retried',
    );
    await sending.send({ ...mail, sender: null }, () => true);
    t.is(texts.length, 1);
    t.true(texts[0]!.includes(told), texts[0]);
    await mailAbout(email, subject);
    t.deepEqual(await mailKinds(booking.id), ['booking_cancelled', kind]);
  }
  await sweep(t, workspace);
});

test('a late payment whose refund the bank returns has mail that says so, and no later mail calls it refunded', async (t) => {
  const workspace = await newWorkspace({ hold_seconds: 10 });
  const { api } = workspace;
  const room = await newRoom(api);
  /** A late payment whose refund is pending. */
  const paidLate = async () => {
    const body = bookingBody(room.id);
    const { body: booking } = await api.post('/v1/bookings', body);
    await pay(booking, { async: true });
    await until(async () => (await api.get(`/v1/bookings/${booking.id}`)).body.status === 'expired');
    await withRefundMode(workspace, 'pending', async () => {
      await simulator('POST', `/_sim/checkout/${checkoutSessionId(booking)}/settle`);
      await until(async () => {
        const [refund] = (await api.get(`/v1/payments?booking_id=${booking.id}&kind=refund`)).body.data;
        const { refunds } = await processorLedger(workspace);
        return refund && refunds.some(({ metadata }) => metadata?.refund_id === refund.id);
      });
    });
    return { id: booking.id, email: body.booked_by.guest.email };
  };

  const told = await paidLate();
  const first = await settlePending(workspace, 'succeeded');
  await mailAbout(told.email, message('mail.late_subject', { room: 'Blue room' }));
  await returnRefund(workspace, first);
  await mailAbout(told.email, RETURNED);

  const untold = await paidLate();
  const { id: about } = (await api.get(`/v1/payments?booking_id=${untold.id}&kind=refund`)).body.data[0]!;
  await storeMails(db, [
    {
      workspace_id: workspace.id,
      kind: 'late_payment_refunded',
      about,
      booking_id: untold.id,
      status: 'pending',
      next_attempt_at: new Date(),
      notify_at: new Date(Date.now() + 3_600_000),
    },
  ]);
  const second = await settlePending(workspace, 'succeeded');
  await refundIs(workspace, untold.id, 'succeeded');
  await simulator('POST', `/_sim/refunds/${second}/settle`, { status: 'failed' });
  await refundIs(workspace, untold.id, 'failed');
  await db.query(`UPDATE mails SET notify_at = now() WHERE about = $1 AND kind = 'late_payment_refunded'`, [
    about,
  ]);
  await until(async () => {
    const [mail] = await db.query(
      `SELECT status FROM mails WHERE about = $1 AND kind = 'late_payment_refunded'`,
      [about],
    );
    return mail.status === 'skipped';
  });
  t.false((await mailTo(untold.email)).some(({ subject }) => /refund/.test(subject)));
});

test('a partial credit of an invoice that ends after its mail has its own mail to its payer', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const billing_email = uniqueEmail();
  const { body: company } = await api.post('/v1/companies', { name: 'Acme', billing_email });
  const { id: invoice_id } = await openInvoice(workspace, { company_id: company.id });
  await pay((await api.post(`/v1/invoices/${invoice_id}/checkout`)).body);
  await until(async () => (await api.get(`/v1/invoices/${invoice_id}`)).body.status === 'paid');
  const line = { description: 'Heating', quantity: 1, unit_amount_minor: -1_000, tax_code: 'STANDARD' };
  const { body } = await withRefundMode(workspace, 'pending', () =>
    api.post(`/v1/invoices/${invoice_id}/adjustments`, { lines: [line], reason: 'It was cold' }),
  );
  // An earlier part, which has succeeded and was reported.
  const of = { workspace_id: workspace.id, invoice_id, account_id: workspace.accountId };
  const [charge, part] = [newId('pay'), newId('pay')];
  const created_at = new Date(Date.now() - 60_000);
  await storePayments(db, [
    {
      ...of,
      id: charge,
      kind: 'charge',
      status: 'refunded',
      amount_minor: 500,
      refunded_minor: 500,
      created_at,
    },
    {
      ...of,
      id: part,
      kind: 'refund',
      status: 'succeeded',
      amount_minor: 500,
      refunded_minor: 0,
      refund_of: charge,
      adjustment_id: body.adjustment.id,
      created_at,
      settled_at: created_at,
    },
  ]);
  await storeMails(db, [
    {
      workspace_id: workspace.id,
      kind: 'invoice_refunded',
      about: part,
      invoice_id,
      status: 'sent',
      sent_at: created_at,
    },
  ]);
  await settlePending(workspace, 'succeeded');
  const amount = '£12.00';
  const mail = await mailAbout(billing_email, fromHouse(message('mail.refund_made_subject', { amount })));
  t.true(mail.text.includes(message('terms.part_refunded', { amount })));
  t.deepEqual(attachmentNames(mail), [], 'that of the adjustment is not sent again');
  const { refunds } = await processorLedger(workspace);
  await returnRefund(workspace, refunds[0]!.id);
  await mailAbout(billing_email, fromHouse(message('mail.refund_returned_subject', { amount })));
});
