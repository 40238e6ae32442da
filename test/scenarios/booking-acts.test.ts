import test from 'ava';
import { newMember } from '../support/people.js';
import { confirmedBooking, hoursLater } from '../support/bookings.js';
import { openOffice, pageText } from '../support/dashboard.js';
import { sweep } from '../support/invariants.js';
import { db } from '../support/stack.js';

test('each action of staff on a booking is one entry of its timeline, with who did it and what changed', async (t) => {
  const { workspace, session, home } = await openOffice();
  const desk = await newMember(workspace, { name: 'Dana Desk', role: 'front_desk' });
  const admin = await newMember(workspace, { name: 'Alex Admin', role: 'admin' });
  const { booking, email } = await confirmedBooking(workspace.api);
  const path = `/v1/bookings/${booking.id}` as const;
  const done = async ({ status, body }: { status: number; body: unknown }) =>
    t.is(status, 200, JSON.stringify(body));

  await done(await desk.api.patch(path, { notes: 'Tea', attendees: 2 }));
  await done(await desk.api.patch(path, { notes: 'Tea' }));
  const [start_at, end_at] = [hoursLater(booking.start_at, 1), hoursLater(booking.end_at, 1)];
  await done(await desk.api.patch(path, { start_at, end_at, notes: 'Cake' }));
  const [payment] = (await workspace.api.get(`/v1/payments?booking_id=${booking.id}`)).body.data;
  await done(await admin.api.post(`/v1/payments/${payment!.id}/refund`, { amount_minor: 500 }));
  await done(await admin.api.post(`${path}/cancel`, { refund_policy: 'none', reason: 'Flooded' }));

  const entries = () =>
    db.query(
      `SELECT action, actor ->> 'member_id' AS by, details FROM audit_log WHERE object = $1 ORDER BY id`,
      [booking.id],
    );
  const [details, moved, cancelled, ...others] = await entries();
  t.deepEqual(others, []);
  t.deepEqual(details, {
    action: 'booking.details_changed',
    by: desk.id,
    details: { before: { attendees: 1, notes: null }, after: { attendees: 2, notes: 'Tea' } },
  });
  t.like(moved, { action: 'booking.moved', by: desk.id, details: { after: { start_at, notes: 'Cake' } } });
  t.like(cancelled, { action: 'booking.cancelled', by: admin.id });

  const page = pageText(await session.getText(`${home}/bookings/${booking.id}`));
  const timeline = page.slice(page.indexOf('Timeline'));
  const by = (name: string) => `by ${name} with an API key`;
  for (const words of [
    `Changed ${by('Dana Desk')} Attendees: 1 → 2 Notes: none → Tea`,
    `Refunded ${by('Alex Admin')}.`,
    `Cancelled ${by('Alex Admin')}, with no refund: the slot was released Reason: “Flooded”`,
  ])
    t.true(timeline.includes(words), `${words} in ${timeline}`);
  t.regex(timeline, /Changed by Dana Desk with an API key Time: .* → .* Notes: Tea → Cake/);
  t.is(timeline.match(/Changed/g)!.length, 2, timeline);
  t.is(timeline.match(/Cancelled/g)!.length, 1, timeline);
  await sweep(t, workspace);

  await workspace.api.post('/v1/guests/erase', { email });
  const [erased] = await entries();
  t.deepEqual(erased!.details, {
    before: { attendees: 1, notes: null },
    after: { attendees: 2, notes: null },
  });
});
