import test from 'ava';
import { confirmedBooking, pendingBooking } from '../support/bookings.js';
import { sweep } from '../support/invariants.js';
import { mailTo } from '../support/simulators.js';
import { until } from '../support/until.js';
import { newWorkspace } from '../support/workspaces.js';
import { newMember } from '../support/people.js';
import { STEPS } from './cancel-calls.js';

test('a cancellation refunds the chosen amount, and its mail says so', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const { booking, email } = await confirmedBooking(api, { room: STEPS });
  const path = `/v1/bookings/${booking.id}/cancel` as const;
  const tooMuch = await api.post(path, { refund_amount_minor: 3_001 });
  t.is(tooMuch.status, 422);
  t.like(tooMuch.body.error, {
    code: 'amount_exceeds_refundable',
    param: 'refund_amount_minor',
    details: { refundable_minor: 3_000 },
  });
  const both = await api.post(path, { refund_amount_minor: 1_234, refund_policy: 'full' });
  t.is(both.body.error?.code, 'validation_failed', JSON.stringify(both.body));
  t.is((await api.get(`/v1/bookings/${booking.id}`)).body.status, 'confirmed');

  const { body } = await api.post(path, { refund_amount_minor: 1_234 });
  t.like(body.refund, { amount_minor: 1_234, status: 'succeeded' });
  t.is(body.status, 'cancelled');
  const { data } = (await api.get('/v1/audit-log?action=booking.cancelled')).body;
  t.like(data[0]!.details, { refund_policy: 'amount', refund_minor: 1_234 });
  const mail = await until(async () =>
    (await mailTo(email)).find(({ subject }) => /cancelled/.test(subject)),
  );
  t.regex(mail.text, /£12\.34 (has been|is being) refunded/);
  t.notRegex(mail.text, /£30\.00 (has been|is being) refunded/);
  const about = (await mailTo(email)).filter(({ subject }) => /cancelled/.test(subject));
  t.is(about.length, 1);
  await sweep(t, workspace);
});

test('a cancellation can refund nothing or all that is left, and nothing for an unpaid booking', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const cancel = (id: string, refund_amount_minor: number) =>
    api.post(`/v1/bookings/${id}/cancel`, { refund_amount_minor });
  const { booking: none } = await confirmedBooking(api);
  t.is((await cancel(none.id, 0)).body.refund, null);
  const { booking: part } = await confirmedBooking(api);
  const { data } = (await api.get(`/v1/payments?booking_id=${part.id}`)).body;
  await api.post(`/v1/payments/${data[0]!.id}/refund`, { amount_minor: 1_000 });
  t.is((await cancel(part.id, 2_001)).body.error?.code, 'amount_exceeds_refundable');
  t.is((await cancel(part.id, 2_000)).body.refund!.amount_minor, 2_000);
  const { booking: unpaid } = await pendingBooking(1_800, workspace);
  t.is((await cancel(unpaid.id, 1)).body.error?.code, 'amount_exceeds_refundable');
  t.is((await cancel(unpaid.id, 0)).body.status, 'cancelled');
  await sweep(t, workspace);
});

test('a member cannot choose an amount', async (t) => {
  const workspace = await newWorkspace();
  const member = await newMember(workspace);
  const { booking } = await confirmedBooking(workspace.api, {
    body: { booked_by: { member_id: member.id } },
  });
  const refused = await member.api.post(`/v1/bookings/${booking.id}/cancel`, { refund_amount_minor: 1 });
  t.is(refused.status, 403);
  t.is(refused.body.error!.code, 'role_insufficient');
});
