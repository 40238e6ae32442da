import test from 'ava';
import { confirmedBooking } from '../../support/bookings.js';
import { openOffice } from '../../support/dashboard.js';
import { storeCopies } from '../../support/rows.js';
import { db } from '../../support/stack.js';
import { newRoom } from '../../support/workspaces.js';

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
