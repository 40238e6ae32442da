import test from 'ava';
import { createMember } from '../support/member-calls.js';
import { listTimeline } from '../../db/queries/bookings/timeline.js';
import { newMember } from '../support/people.js';
import { bookingBody, confirmedBooking, hoursLater } from '../support/bookings.js';
import { sweep } from '../support/invariants.js';
import { mailTo } from '../support/simulators.js';
import { db } from '../support/stack.js';
import { until } from '../support/until.js';
import { newRoom, newWorkspace, uniqueEmail } from '../support/workspaces.js';
import { message } from '../support/message.js';

const confirmations = async (address: string) =>
  (await mailTo(address)).filter(({ subject }) => /confirmed/i.test(subject));

test('a corrected address gets the confirmation, and the links sent to the previous one end', async (t) => {
  const workspace = await newWorkspace();
  const desk = await newMember(workspace, { name: 'Dana Desk', role: 'front_desk' });
  const { booking, email } = await confirmedBooking(workspace.api);
  const path = `/v1/bookings/${booking.id}` as const;
  await until(async () => (await confirmations(email)).length === 1);
  const { body: adjusted } = await workspace.api.post(`/v1/invoices/${booking.invoice_id}/adjustments`, {
    lines: [{ description: 'Cleaning', quantity: 1, unit_amount_minor: 500, tax_code: 'ZERO' }],
    reason: 'Spilled',
  });
  const payUrl = async (id: string) => (await workspace.api.get(`/v1/invoices/${id}`)).body.pay_url!;
  const links = [await payUrl(booking.invoice_id!), await payUrl(adjusted.adjustment.invoice_id!)];

  const corrected = uniqueEmail();
  const changed = await desk.api.patch(path, { booked_by: { guest: { email: corrected } } });
  t.is(changed.status, 200, JSON.stringify(changed.body));
  t.like(changed.body, {
    adjustment: null,
    booked_by: { guest: { email: corrected, name: booking.booked_by.guest!.name } },
  });
  const [mail] = await until(async () => {
    const found = await confirmations(corrected);
    return found.length > 0 && found;
  });
  const link = (text: string): string => /https?:\/\/\S+\/manage\/[^\s"<]+/.exec(text)![0];
  t.is((await fetch(link(mail!.text))).status, 200);
  t.is((await fetch(booking.manage_url!)).status, 404, 'the link of the previous address');
  for (const url of links) t.is((await fetch(url)).status, 404, 'a payment link of the previous address');
  t.is((await confirmations(email)).length, 1, 'the previous address gets nothing');

  const { data } = (await workspace.api.get('/v1/audit-log?action=booking.guest_corrected')).body;
  t.is(data.length, 1);
  t.deepEqual(data[0]!.details, { fields: ['email'] });
  // A second time: nothing to change.
  t.is((await desk.api.patch(path, { booked_by: { guest: { email: corrected } } })).status, 200);
  t.is((await confirmations(corrected)).length, 1);

  const named = await desk.api.patch(path, { notes: 'Tea', booked_by: { guest: { name: 'Grace Hopper' } } });
  t.like(named.body, { notes: 'Tea', booked_by: { guest: { email: corrected, name: 'Grace Hopper' } } });
  t.is((await confirmations(corrected)).length, 1, 'a name needs no mail');

  const admin = await newMember(workspace, { name: 'Alex Admin', role: 'admin' });
  const again = { booked_by: { guest: { name: 'Admiral Hopper' } } };
  t.is((await admin.api.patch(path, again)).status, 200);
  const timeline = await listTimeline(db.manager, workspace.id, booking.id);
  const who = timeline.flatMap((entry) =>
    entry.kind === 'event' && entry.facts.type === 'booking.updated' ? [entry.facts.act?.by] : [],
  );
  t.deepEqual(
    who,
    ['Dana Desk', 'Dana Desk', 'Dana Desk', 'Alex Admin'],
    'the change of the notes is an entry of its own',
  );

  t.deepEqual((await workspace.api.post('/v1/guests/erase', { email: corrected })).body, { bookings: 1 });
  const traces = await db.query(
    `SELECT e.id FROM events e WHERE e.workspace_id = $1 AND to_jsonb(e)::text LIKE '%' || $2 || '%'`,
    [workspace.id, email],
  );
  t.deepEqual(traces, [], 'an erasure removes the previous address');
  t.is(
    (await desk.api.patch(path, { booked_by: { guest: { email } } })).body.error?.code,
    'booking_not_editable',
  );
  await sweep(t, workspace);
});

test('a corrected address gets everything issued for the booking since it was confirmed', async (t) => {
  const workspace = await newWorkspace();
  const { booking } = await confirmedBooking(workspace.api);
  const path = `/v1/bookings/${booking.id}` as const;
  t.is((await workspace.api.patch(path, { end_at: hoursLater(booking.end_at, 1) })).status, 200);
  await until(
    async () => (await workspace.api.get(`/v1/invoices/${booking.invoice_id}`)).body.documents.length === 2,
  );
  const corrected = uniqueEmail();
  await workspace.api.patch(path, { booked_by: { guest: { email: corrected } } });
  const [mail] = await until(async () => {
    const found = await confirmations(corrected);
    return found.length > 0 && found;
  });
  t.true(mail!.text.includes(message('mail.confirmed_paid', { amount: '£60.00' })));
  const files = mail!.attachments.map(({ filename }: { filename: string }) => filename);
  t.deepEqual(files.filter((name: string) => name.endsWith('.pdf')).toSorted(), ['TH-1-T1.pdf', 'TH-1.pdf']);
});

test('waiting mail goes to the new address, once', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const room = await newRoom(api);
  const { body } = await api.post('/v1/bookings', bookingBody(room.id));
  const previous = body.booked_by.guest!.email!;
  const corrected = uniqueEmail();
  await api.patch(`/v1/bookings/${body.id}`, { booked_by: { guest: { email: corrected } } });
  const mails = await db.query(`SELECT kind FROM mails WHERE booking_id = $1 AND kind = 'booking_held'`, [
    body.id,
  ]);
  t.is(mails.length, 1, 'the mail about the hold waits for a minute');
  t.is((await api.post(`/v1/bookings/${body.id}/cancel`, {})).status, 200);
  await until(async () => (await mailTo(corrected)).some(({ subject }) => /cancelled/i.test(subject)));
  t.deepEqual(await mailTo(previous), []);
});

test('only guests can be corrected, by callers who see their booking, and a PATCH must change something', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const room = await newRoom(api, { price_per_hour: { currency: 'GBP', amount_minor: 0 } });
  const member = await createMember(api);
  const { body: ofMember } = await api.post(
    '/v1/bookings',
    bookingBody(room.id, { booked_by: { member_id: member.id } }),
  );
  const guest = { email: uniqueEmail() };
  const refused = await api.patch(`/v1/bookings/${ofMember.id}`, { booked_by: { guest } });
  t.like(refused.body.error, { code: 'booking_not_editable', details: { reason: 'member' } });
  const { body: ofGuest } = await api.post('/v1/bookings', bookingBody(room.id));
  const path = `/v1/bookings/${ofGuest.id}` as const;
  const other = await newMember(workspace);
  t.is((await other.api.patch(path, { booked_by: { guest } })).status, 404);
  for (const booked_by of [{}, { guest: {} }, { guest: { email: 'nobody' } }, { member_id: member.id }])
    t.is((await api.patch(path, { booked_by })).status, 422, JSON.stringify(booked_by));
});
