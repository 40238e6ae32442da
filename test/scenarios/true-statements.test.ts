import test from 'ava';
import { enqueueMail } from '../../commands/mail/mails.js';
import { transaction } from '../../db/transaction.js';
import {
  bookingBody,
  confirmedBooking,
  hoursLater,
  pay,
  pendingBooking,
  checkoutSessionId,
  untilStatus,
} from '../support/bookings.js';
import { mailTo, processorLedger, simulator, withFaults, withRefundMode } from '../support/simulators.js';
import { db, dev } from '../support/stack.js';
import { until } from '../support/until.js';
import {
  newRoom,
  newWorkspace,
  findOwnerEmail,
  uniqueEmail,
  type TestWorkspace,
} from '../support/workspaces.js';
import { WebSession } from '../support/web-session.js';
import type { Booking } from '../support/api-bodies.js';
import { message } from '../support/message.js';

/** The text of a payer's page, without its markup. */
async function pageText(path: string): Promise<string> {
  const html = await (await fetch(dev.baseUrl + path)).text();
  return html.replace(/<style>.*?<\/style>/s, '').replaceAll(/<[^>]+>/g, ' ');
}

async function payerPages(booking: Booking): Promise<string[]> {
  const [{ id }] = await db.query(`SELECT id FROM checkouts WHERE booking_id = $1`, [booking.id]);
  const pages = [
    `/checkout/success?session_id=${checkoutSessionId(booking)}`,
    `/checkout/left?checkout_id=${id}`,
  ];
  return Promise.all(pages.map(pageText));
}

/** The text of the newest mail to an address whose subject matches. */
const mailText = (email: string, subject: RegExp): Promise<string> =>
  until(async () => (await mailTo(email)).filter((mail) => subject.test(mail.subject)).at(-1)?.text);

const PAID = message('terms.paid', { amount: '£30.00' });
const NONE = message('terms.none_refunded');
const refunded = (amount: string): string => message('terms.refunded', { amount });

/** A booking of £30 that was paid and then cancelled. */
async function cancelled(
  workspace: TestWorkspace,
  refund_policy: string,
  room: Record<string, unknown> = {},
) {
  const { id } = await newRoom(workspace.api, room);
  const email = uniqueEmail();
  const body = bookingBody(id, { booked_by: { guest: { email, name: 'Gil' } } });
  const { body: booking } = await workspace.api.post('/v1/bookings', body);
  await pay(booking);
  await untilStatus(workspace.api, booking.id, 'confirmed');
  await workspace.api.post(`/v1/bookings/${booking.id}/cancel`, { refund_policy });
  return { booking, email };
}

test("the payer's pages and mail say what was paid and its outcome, and nothing else", async (t) => {
  const workspace = await newWorkspace();
  const cases: [policy: string, room: Record<string, unknown>, said: string, unsaid: RegExp][] = [
    ['none', {}, `${PAID} ${NONE}`, /refunded in full|has been refunded|not arrive/],
    [
      'standard',
      { refund_steps: [{ hours_before: 0, percent: 50 }] },
      `${PAID} ${refunded('£15.00')} ${message('terms.rest_kept', { amount: '£15.00' })}`,
      /in full|not arrive/,
    ],
    ['full', {}, `${PAID} ${refunded('£30.00')}`, /is not refunded|not arrive|still arrives/],
  ];
  await Promise.all(
    cases.map(async ([policy, room, said, unsaid]) => {
      const { booking, email } = await cancelled(workspace, policy, room);
      await until(async () => (await payerPages(booking)).every((text) => text.includes(said)));
      for (const text of await payerPages(booking)) t.notRegex(text, unsaid, policy);
      const mail = await mailText(email, /is cancelled/);
      t.true(mail.includes(`${message('mail.cancelled')} ${PAID}`), mail);
      t.regex(mail, policy === 'none' ? new RegExp(NONE) : /£(15|30)\.00 (is being|has been) refunded/);
      t.notRegex(mail, unsaid, policy);
    }),
  );
  const { booking } = await pendingBooking(1_800, workspace);
  await workspace.api.post(`/v1/bookings/${booking.id}/cancel`, {});
  for (const text of await payerPages(booking)) t.true(text.includes(message('terms.not_paid')));
});

test('a pending or failed refund is not called refunded, and a repeated one no longer failed', async (t) => {
  const workspace = await newWorkspace();
  const { booking } = await withRefundMode(workspace, 'pending', () => cancelled(workspace, 'full'));
  for (const text of await payerPages(booking)) {
    t.true(text.includes(message('terms.refunding', { amount: '£30.00' })));
    t.notRegex(text, /has been refunded/);
  }
  const { refunds } = await processorLedger(workspace);
  await simulator('POST', `/_sim/refunds/${refunds[0]!.id}/settle`, { status: 'failed' });
  const failed = message('terms.refund_failed', { amount: '£30.00', payee: 'Test house' });
  await until(async () => (await payerPages(booking))[0]!.includes(failed));
  t.true((await payerPages(booking))[1]!.includes(failed));
  const { body } = await workspace.api.get(`/v1/payments?booking_id=${booking.id}&kind=charge`);
  await workspace.api.post(`/v1/payments/${body.data[0]!.id}/refund`, {});
  await until(async () => (await payerPages(booking)).every((text) => text.includes(refunded('£30.00'))));
  for (const text of await payerPages(booking)) t.notRegex(text, /has failed/);
});

test("a change's mail states what was charged or refunded", async (t) => {
  const { api } = await newWorkspace();
  const { booking, email } = await confirmedBooking(api);
  const path = `/v1/bookings/${booking.id}` as const;
  await api.patch(path, { end_at: hoursLater(booking.end_at, 1) });
  const charged = { price: '£60.00', amount: '£30.00', paid: '£60.00' };
  t.true((await mailText(email, /has changed/)).includes(message('mail.price_charged', charged)));
  await api.patch(path, { end_at: booking.end_at });
  await until(
    async () => (await mailTo(email)).filter(({ subject }) => /has changed/.test(subject)).length === 2,
  );
  const back = { price: '£30.00', refund: refunded('£30.00') };
  t.true((await mailText(email, /has changed/)).includes(message('mail.price_refunded', back)));
});

test('a notice of a change that is sent after the cancellation says so, and has no invitation', async (t) => {
  const { api, id: workspace_id } = await newWorkspace();
  const { booking, email } = await confirmedBooking(api);
  await api.post(`/v1/bookings/${booking.id}/cancel`, { refund_policy: 'full' });
  await mailText(email, /is cancelled/);
  await transaction(db, (tx) =>
    enqueueMail(tx, {
      workspace_id,
      kind: 'booking_changed',
      booking_id: booking.id,
      about: `${booking.id}:late`,
    }),
  );
  const text = await mailText(email, /has changed/);
  t.true(text.includes(`${message('mail.cancelled')} ${PAID} ${refunded('£30.00')}`), text);
  t.notRegex(text, /The price is|calendars move the booking/);
  const mail = (await mailTo(email)).find(({ subject }) => /has changed/.test(subject))!;
  t.false(mail.attachments.some(({ filename }) => filename === 'booking.ics'));
});

test('a refund says who requested it: the member who booked, or somebody else', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const awaitReason = (id: string): Promise<string> =>
    until(async () => (await api.get(`/v1/payments?booking_id=${id}&kind=refund`)).body.data[0]?.reason);
  const { booking: ofGuest, email } = await confirmedBooking(api);
  const session = await WebSession.start(await findOwnerEmail(workspace.id));
  await session.enrol();
  const home = `/dashboard/${workspace.id}`;
  const { status } = await session.post(
    `${home}/bookings/${ofGuest.id}/cancel`,
    { refund_policy: 'full', notify_attendees: 'on', confirmed: 'yes' },
    home,
  );
  t.is(status, 302);
  t.is(await awaitReason(ofGuest.id), 'other');
  const said = message('mail.cancelled_by_workspace', { name: 'Test house' });
  t.true((await mailText(email, /is cancelled/)).includes(said));
  const mine = { booked_by: { member_id: workspace.ownerId } };
  const { booking: ofOwner } = await confirmedBooking(api, { body: mine });
  await api.post(`/v1/bookings/${ofOwner.id}/cancel`, { refund_policy: 'full' });
  t.is(await awaitReason(ofOwner.id), 'requested_by_customer');
});

test('a cancellation that was withdrawn says that nothing was changed, and it never happens', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const { booking } = await confirmedBooking(api);
  const session = await WebSession.start(await findOwnerEmail(workspace.id));
  await session.enrol();
  const home = `/dashboard/${workspace.id}`;
  const down = { fail: [{ method: 'POST', path: '/v1/payment_intents', status: 500, times: 1_000 }] };
  await withFaults(workspace, down, async () => {
    const longer = api.patch(`/v1/bookings/${booking.id}`, { end_at: hoursLater(booking.end_at, 1) });
    await until(
      async () => (await db.query(`SELECT FROM booking_changes WHERE booking_id = $1`, [booking.id])).length,
    );
    const response = await session.post(
      `${home}/bookings/${booking.id}/cancel`,
      { refund_policy: 'full', confirmed: 'yes' },
      home,
    );
    t.is(response.status, 503);
    const text = await response.text();
    t.regex(text, /The request was not processed in time\. Nothing was changed\. Try again\./);
    t.notRegex(text, /notified|noted/);
    await longer;
  });
  await until(async () => (await api.get(`/v1/bookings/${booking.id}`)).body.sequence === 1);
  t.is((await api.get(`/v1/bookings/${booking.id}`)).body.status, 'confirmed');
});
