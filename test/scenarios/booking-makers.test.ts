import test from 'ava';
import { newMember } from '../support/people.js';
import { bookingBody, createBooking, freeHour } from '../support/bookings.js';
import { pageText } from '../support/dashboard.js';
import { sweep } from '../support/invariants.js';
import { withFaults } from '../support/simulators.js';
import { db } from '../support/stack.js';
import { WebSession } from '../support/web-session.js';
import { newRoom, newWorkspace, uniqueEmail } from '../support/workspaces.js';

/** The front desk of a new workspace, and the form with which it books a free hour for a guest. */
async function frontDesk() {
  const workspace = await newWorkspace();
  const desk = await newMember(workspace, { name: 'Dana Desk', role: 'front_desk' });
  const session = await WebSession.start(desk.email);
  const room = await newRoom(workspace.api);
  const { start_at, end_at } = freeHour();
  const home = `/dashboard/${workspace.id}`;
  const asked = await session.submit(`${home}/book`, `${home}/book`, {
    room_id: room.id,
    start_at: start_at.slice(0, 16),
    end_at: end_at.slice(0, 16),
    email: uniqueEmail(),
    name: 'Grace Guest',
    attendees: '1',
  });
  const html = await asked.text();
  return { workspace, desk, session, room, home, book: () => session.confirmForm(new Response(html)) };
}

const listEntries = (workspaceId: string) =>
  db.query(
    `SELECT action, object, actor, details FROM audit_log
     WHERE workspace_id = $1 AND action LIKE 'booking.%' ORDER BY id`,
    [workspaceId],
  );

const idIn = (response: Response): string => response.headers.get('location')!.split('/').at(-1)!;

/** The timeline on a booking's page. */
const timelineIn = (html: string): string => pageText(html).split('Timeline').at(-1)!;

test('a booking that staff make in the dashboard has one audit entry, and its timeline says who made it', async (t) => {
  const { workspace, desk, session, home, book } = await frontDesk();
  const id = idIn(await book());
  t.is(idIn(await book()), id, 'the form is sent again');
  const actor = { member_id: desk.id, key_id: null };
  t.deepEqual(await listEntries(workspace.id), [
    { action: 'booking.created', object: id, actor, details: {} },
  ]);
  t.regex(timelineIn(await session.getText(`${home}/bookings/${id}`)), /Booked by Dana Desk: held until/);
  await sweep(t, workspace);
});

test('a booking that a program makes with the key of staff has no audit entry', async (t) => {
  const { workspace, desk, session, room, home } = await frontDesk();
  const { id } = await createBooking(desk.api, bookingBody(room.id));
  t.deepEqual(await listEntries(workspace.id), []);
  const timeline = timelineIn(await session.getText(`${home}/bookings/${id}`));
  t.regex(timeline, /Held until/);
  t.notRegex(timeline, /Booked by/);
});

test('a booking that was not made has no audit entry, and gets one once it is made', async (t) => {
  const { workspace, book } = await frontDesk();
  const refuse = { fail: [{ method: 'POST', path: '/v1/checkout/sessions', status: 400, times: 100 }] };
  const refused = await withFaults(workspace, refuse, book);
  t.is(refused.headers.get('location'), null);
  t.deepEqual(await listEntries(workspace.id), []);
  const id = idIn(await book());
  const entries = await listEntries(workspace.id);
  t.deepEqual(
    entries.map(({ object }: { object: string }) => object),
    [id],
  );
  await sweep(t, workspace);
});
