import { toRoomCalendar, findRoomFacts } from '../../../../db/queries/bookings/availability.js';
import { findWorkspace } from '../../../../db/queries/workspaces/workspace.js';
import { availabilityCost } from '../../../../domain/api-keys/limits.js';
import { UNAVAILABLE_REASONS } from '../../../../domain/bookings/slots.js';
import { DAY_MS } from '../../../../domain/durations.js';
import { TIERS } from '../../../../domain/rates/price.js';
import { noSuchRoom } from '../../../../domain/rooms/room.js';
import { timestamp, uuid } from '../../../http/fields.js';
import { operation } from '../../../http/operation.js';
import { array, object, oneOf, optional } from '../../../http/typed.js';
import { EXAMPLE_ROOM_ID } from '../../rooms/operations.js';
import { exampleInstant, exampleTime } from '../../shared/examples.js';
import type { Resource } from '../../shared/resource.js';
import * as s from '../../shared/shapes.js';
import { assertDays, assertRange, writeAvailability, writeRoom } from './read.js';

export const window = {
  start_at: s.instant.description('The start of the window, inclusive.'),
  end_at: s.instant.description('The end of the window, exclusive.'),
};

export const roomOfTime = {
  room: s.roomReference.description('The room.'),
  time_zone: s.anyText.description('The IANA time zone of the room.'),
  slot_minutes: s.count.description('The spacing of the slot grid, in minutes.'),
};

export const FREE =
  'The windows in which every booking on the grid with an allowed length can be created now.';

/** Free and busy time, as `presentAvailability` writes it for each room. */
export const freeAndBusy = s.shape({
  data: array(
    s.shape({
      ...roomOfTime,
      free: array(
        s.shape({
          ...window,
          from_price: optional(s.orNull(s.money)).description(
            'The price of the cheapest booking of the minimum length in the window, including tax. ' +
              'Null if no booking fits. Only present with `include=price`.',
          ),
        }),
      ).description(FREE),
      busy: array(
        s.shape({
          ...window,
          reason: oneOf(UNAVAILABLE_REASONS).description('Why the room is not free.'),
        }),
      ).description('The windows that are not free.'),
    }),
  ).description('One entry for each room.'),
});

/**
 * Free and busy time (docs/rules/rooms.md#availability). Rooms are sorted by creation time; an archived room
 * is included only if it is requested by id. Costs beyond one request are counted once the number of rooms is
 * known.
 */
const getAvailability = operation({
  route: 'GET /v1/availability',
  summary: 'Get free and busy time',
  id: 'getAvailability',
  description:
    'Returns the free and busy time of one room, or of all rooms that a tier can book, for a range ' +
    'of at most 31 days. Every booking on the slot grid within a `free` window can be created now. ' +
    'With `include=price`, each free window includes the lowest price of a booking in it: for a ' +
    'member of the tier if `tier` is sent, for a guest if `room_id` is sent. The response does not ' +
    'show who booked.',
  scope: 'calendar:read',
  capability: 'own_bookings',
  query: object(
    {
      room_id: uuid.description('The room.'),
      tier: oneOf(TIERS).description('A tier. Returns all rooms that it can book.'),
      from: timestamp.description('The start of the time range, inclusive.'),
      to: timestamp.description('The end of the time range, exclusive; at most 31 days after `from`.'),
      include: oneOf(['price']).description(
        'Set to `price` to include the lowest price in each free window.',
      ),
    },
    'from',
    'to',
  ).xor('room_id', 'tier'),
  responses: { 200: freeAndBusy },
  errors: ['room_not_found'],
  examples: {
    query: { tier: 'pro', from: exampleTime(30, 0), to: exampleTime(31, 0), include: 'price' },
    response: {
      data: [
        {
          room: { id: EXAMPLE_ROOM_ID, name: 'Blue room' },
          time_zone: 'Europe/London',
          slot_minutes: 30,
          free: [
            {
              start_at: exampleInstant(30, 8),
              end_at: exampleInstant(30, 20),
              from_price: { currency: 'GBP', amount_minor: 1500 },
            },
          ],
          busy: [
            { start_at: exampleInstant(30, 0), end_at: exampleInstant(30, 8), reason: 'closed' },
            { start_at: exampleInstant(30, 20), end_at: exampleInstant(31, 0), reason: 'closed' },
          ],
        },
      ],
    },
  },
  async run({ query: { room_id, tier, from, to, include }, spend }, { workspace_id }, deps) {
    const { manager } = deps.db;
    const range = { start: from.getTime(), end: to.getTime() };
    assertRange(range);
    const of = room_id ? { room_id } : { tier: tier! };
    const rooms = await findRoomFacts(manager, { workspace_id, of, from, to });
    assertDays(
      range,
      rooms.map(({ time_zone }) => time_zone),
    );
    if (room_id && rooms.length === 0) throw noSuchRoom('room_id');
    const cost = availabilityCost(rooms.length, (range.end - range.start) / DAY_MS);
    if (cost > 0) await spend(cost);
    const taxCodes = include && (await findWorkspace(manager, workspace_id))!.tax_codes;
    const now = Date.now();
    const key = `${range.start} ${range.end} ${tier}`;
    return writeAvailability(rooms, (room, turn) => {
      const write = (): Promise<Buffer> =>
        writeRoom(toRoomCalendar(room, tier ? { tier } : null), range, now, turn, taxCodes);
      if (taxCodes) return write();
      return deps.writtenAvailability.of(`${room.id} ${key}`, [room.facts], now, write);
    });
  },
  reply: (json) => ({ headers: { 'Content-Type': 'application/json; charset=utf-8' }, body: json }),
});

export const availability: Resource = { tag: 'Bookings', operations: [getAvailability] };
