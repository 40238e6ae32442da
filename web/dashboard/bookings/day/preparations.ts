import { findBookingPage } from '../../../../db/queries/booking-page/booking-page.js';
import type { BookingRow } from '../../../../db/queries/bookings/booking.js';
import { presentExtras } from '../../../../domain/bookings/booking-presenter.js';
import type { ApiDependencies } from '../../../../api/dependencies.js';
import type { Reply } from '../../../../api/http/operation.js';
import { readPreparations } from '../../../../api/resources/bookings/preparations/operations.js';
import { answerColumns } from '../../exports/answers.js';
import { asFile, cellTime, csvReply } from '../../exports/stream.js';
import type { FilePage, PageRequest } from '../../forms/page.js';
import { chosenDay, dayQuery } from './read-day.js';

/**
 * `GET /dashboard/:workspace/preparations.csv`: what to prepare on a day
 * (docs/rules/extras.md#preparations), with a row for each extra, and what guests have answered.
 */
async function exportPreparations(request: PageRequest, deps: ApiDependencies): Promise<Reply> {
  const { workspace_id } = request.caller;
  const { day, ...filter } = chosenDay(request);
  const rows = await readPreparations(deps, { workspace_id, ...filter });
  const bookingPage = await findBookingPage(deps.db.manager, workspace_id);
  const given = new Map(rows.flatMap(({ answers }) => answers ?? []).map((answer) => [answer.id, answer]));
  const answers = answerColumns(
    [
      'Room',
      "Start (room's time)",
      'End',
      'Time zone',
      'Reference',
      'Attendees',
      'Extra',
      'Quantity',
      'Notes',
    ],
    bookingPage?.questions ?? [],
    [...given.values()],
  );
  return csvReply<BookingRow>(request.ctx, `preparations-${day}`, {
    columns: answers.columns,
    read: async (after) => (after ? [] : rows),
    async cells(bookings) {
      return bookings.flatMap((booking) => {
        const { room_name, time_zone: zone, reference, attendees, notes } = booking;
        const shared = [room_name, cellTime(booking.start_at, zone), cellTime(booking.end_at, zone), zone];
        const extras = presentExtras(booking);
        const cells = extras.length > 0 ? extras : [{ name: null, quantity: null }];
        return cells.map(({ name, quantity }) => [
          ...shared,
          reference,
          attendees,
          name,
          quantity,
          notes,
          ...answers.cells(booking.answers),
        ]);
      });
    },
  });
}

export const preparationsFile: FilePage = {
  path: '/preparations.csv',
  capability: 'all_bookings',
  query: asFile(dayQuery),
  file: exportPreparations,
};
