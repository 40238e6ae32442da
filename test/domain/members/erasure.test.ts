import test from 'ava';
import { DEFAULT_DETAILS } from '../../../domain/bookings/details.js';
import {
  eraseAuditDetails,
  eraseChangePlan,
  eraseChangeRequest,
  eraseEvent,
} from '../../../domain/members/erasure.js';
import type { EventBody } from '../../../domain/events/types.js';

/** The kept columns of the tables of objects. */
const COLUMNS = {
  booking: { id: true, status: true, member_id: true, attendees: true, metadata: 'emptied' },
  invoice: {},
  member: { id: true, tier: true, role: true, metadata: 'emptied' },
  payment: {},
} as const;

const event = (type: EventBody['type'], object: object, previous?: object): EventBody => ({
  id: 'evt_1',
  type,
  api_version: 'v1',
  created_at: '2026-03-29T00:00:00.000Z',
  workspace_id: 'ws_1',
  sequence: 1,
  data: { object, ...(previous && { previous }) },
});

const booking = {
  id: 'bk_1',
  status: 'confirmed',
  room: { id: 'r', name: 'Blue room' },
  member_id: 'mem_1',
  booked_by: { member_id: 'mem_1' },
  attendees: 1,
};

test('an event keeps the kept columns and the listed fields, so any other field is erased', (t) => {
  const object = {
    ...booking,
    notes: 'For Zelda',
    booked_by: { guest: { email: 'zelda@example.com', name: 'Zelda', phone: '+44' } },
    arrival: { by: 'Zelda', at: '10:00' },
    metadata: { nick: 'Zelda' },
  };
  const erased = eraseEvent(
    event('booking.updated', object, { notes: 'Zelda', attendees: 1, badge: 'Z' }),
    COLUMNS,
  );
  t.deepEqual(erased.data.object, {
    ...object,
    notes: null,
    booked_by: { guest: { email: null, name: null, phone: null } },
    arrival: null,
    metadata: {},
  });
  t.deepEqual(erased.data.previous, { notes: null, attendees: 1, badge: null });
  const { data: _, ...envelope } = erased;
  const { data: __, ...before } = event('booking.updated', object);
  t.deepEqual(envelope, before);
});

test('a booking of a member keeps the member’s id', (t) => {
  t.deepEqual(eraseEvent(event('booking.created', booking), COLUMNS).data, { object: booking });
});

test('a member loses name and address, and a company loses nothing', (t) => {
  const company = { id: 'c', name: 'Acme' };
  const erased = eraseEvent(
    event('member.updated', { id: 'mem_1', name: 'Z', email: 'z@z', company, tier: 'pro' }),
    COLUMNS,
  );
  t.deepEqual(erased.data.object, { id: 'mem_1', name: null, email: null, company, tier: 'pro' });
});

test('an audit entry keeps the details listed for its action, and none for an unknown action', (t) => {
  t.deepEqual(
    eraseAuditDetails(
      'booking.cancelled',
      {
        reason: 'Zelda is ill',
        refund_policy: 'full',
        refund_minor: 1,
      },
      COLUMNS,
    ),
    { reason: null, refund_policy: 'full', refund_minor: 1 },
  );
  t.deepEqual(
    eraseAuditDetails(
      'member.updated',
      { before: { name: 'Z', role: 'member', metadata: { nick: 'Z' } }, after: { name: 'Y' } },
      COLUMNS,
    ),
    {
      before: { name: null, role: 'member', metadata: null },
      after: { name: null },
    },
  );
  t.deepEqual(eraseAuditDetails('member.waved_at', { by: 'Zelda' }, COLUMNS), { by: null });
});

test('a change in progress keeps its slot and price but not its notes', (t) => {
  t.deepEqual(eraseChangeRequest({ notes: 'Zelda', attendees: 2, start_at: 1 }), {
    notes: null,
    attendees: 2,
    start_at: 1,
  });
  const move = { room_id: 'r' } as never;
  t.deepEqual(eraseChangePlan({ ...DEFAULT_DETAILS, notes: 'Zelda', move }), { ...DEFAULT_DETAILS, move });
});
