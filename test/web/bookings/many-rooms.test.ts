import test from 'ava';
import { bookingBody, confirmedBooking, createBooking, pay, untilStatus } from '../../support/bookings.js';
import { openOffice } from '../../support/dashboard.js';
import { newMember } from '../../support/people.js';
import { storeCopies } from '../../support/rows.js';
import { db } from '../../support/stack.js';
import { WebSession } from '../../support/web-session.js';
import { newRoom, newWorkspace } from '../../support/workspaces.js';

test('every room can be booked, and bookings moved to it, however many there are', async (t) => {
  const { workspace, session, home } = await openOffice();
  const newest = await newRoom(workspace.api, { name: 'Newest room' });
  await storeCopies(db, 'rooms', newest.id, 499);
  const { booking } = await confirmedBooking(workspace.api, { room_id: newest.id });
  for (const path of ['/book', `/bookings/${booking.id}/change`]) {
    const html = await session.getText(`${home}${path}`);
    t.regex(html, new RegExp(`<option[^>]* value="${newest.id}"`), path);
    t.is(html.match(/<select id="room_id"[^]*?<\/select>/)![0].match(/>A \d+<\/option>/g)!.length, 499, path);
  }
});

test('members are offered the rooms that their tier can book, and bookings those of their booker', async (t) => {
  const workspace = await newWorkspace();
  const { api, id } = workspace;
  const limited = await newRoom(api, { name: 'Board room', tiers: ['pro'] });
  const open = await newRoom(api, { name: 'Den' });
  const member = await newMember(workspace, { tier: 'basic' });
  const session = await WebSession.start(member.email);
  const offered = async (path: string) => {
    const html = await session.getText(`/dashboard/${id}${path}`);
    const [rooms] = /<select id="room_id"[^]*?<\/select>/.exec(html)!;
    return { html, rooms: [...rooms.matchAll(/<option[^>]* value="([\w-]+)"/g)].map(([, each]) => each) };
  };
  const book = await offered('/book');
  t.deepEqual(book.rooms, [open.id]);
  t.regex(book.html, /Free times in Den/);

  const body = bookingBody(open.id, { booked_by: { member_id: member.id } });
  const held = await createBooking(api, body);
  await pay(held);
  await untilStatus(api, held.id, 'confirmed');
  const path = `/bookings/${held.id}/change`;
  t.deepEqual((await offered(path)).rooms, [open.id]);
  await api.patch(`/v1/rooms/${open.id}`, { tiers: ['pro'] });
  t.deepEqual((await offered(path)).rooms, [open.id], 'its own room stays');
  await api.patch(`/v1/members/${member.id}`, { tier: 'pro' });
  t.deepEqual((await offered(path)).rooms, [limited.id, open.id]);
});
