import joi from 'joi';
import {
  listAnsweredQuestions,
  listBookings,
  type BookingRow,
} from '../../../db/queries/bookings/booking.js';
import { findBookingPage } from '../../../db/queries/booking-page/booking-page.js';
import { findBookingMembers } from '../../../db/queries/workspaces/dashboard.js';
import {
  BOOKING_OUTCOMES,
  BOOKING_WORDS,
  bookingOutcome,
  withOutcome,
} from '../../../domain/bookings/state.js';
import { formatExtras } from '../../../domain/extras/extras.js';
import { can } from '../../../domain/policies.js';
import { extrasIn } from '../../../domain/rates/price-lines.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { Reply } from '../../../api/http/operation.js';
import type { PageRequest } from '../forms/page.js';
import { searchText, uuid } from '../../../api/http/fields.js';
import { toBooker } from '../shared/booking-table.js';
import { readStarts, VIEW_NAMES, type BookingQuery } from '../bookings/starts.js';
import { choiceFilter, listFields } from '../shared/list.js';
import { answerColumns } from './answers.js';
import { cellMetadata, cellTime, csvReply } from './stream.js';

export const bookingsCsvQuery = joi.object({
  q: searchText.allow(''),
  status: choiceFilter(BOOKING_OUTCOMES),
  company_id: uuid,
  view: joi.valid(...VIEW_NAMES),
  ...listFields,
});

/**
 * `GET /dashboard/:workspace/bookings.csv`: the bookings that match a filter, by start, with the answers to
 * the booking page's questions. Admins and owners get all bookings, others their own. By default of any date.
 */
export async function exportBookings({ ctx }: PageRequest, { db }: ApiDependencies): Promise<Reply> {
  const { workspace_id, time_zone, role, member_id } = ctx.state.membership!;
  const query: BookingQuery = { view: 'all', ...(ctx.state.query as BookingQuery) };
  const { q, status, company_id } = query;
  const { from, to, divided } = await readStarts(db.manager, query, { workspace_id, time_zone });
  const filter = {
    workspace_id,
    from,
    to,
    divided,
    q: q || undefined,
    ...withOutcome(status),
    company_id,
    only_of: can(role, 'export_bookings') ? undefined : member_id,
  };
  const page = await findBookingPage(db.manager, workspace_id);
  const answers = answerColumns(
    [
      'Room',
      "Start (room's time)",
      'End',
      'Time zone',
      'Status',
      'Booked by',
      'Email',
      'Attendees',
      'Currency',
      'Price',
      `Created (${time_zone})`,
      'Reference',
      'Booking',
      'Invoice',
      'Extras',
    ],
    page?.questions ?? [],
    await listAnsweredQuestions(db.manager, filter),
  );
  return csvReply<BookingRow>(ctx, 'bookings', {
    columns: [...answers.columns, 'Metadata'],
    read: (after, limit) =>
      listBookings(db.manager, {
        ...filter,
        after: after && { start_at: after.start_at.toISOString(), id: after.id },
        limit,
      }),
    async cells(bookings) {
      const members = await findBookingMembers(db.manager, workspace_id, bookings);
      return bookings.map((booking) => {
        const { currency, price_minor, time_zone: zone } = booking;
        const { name, email } = toBooker(booking, members);
        return [
          booking.room_name,
          cellTime(booking.start_at, zone),
          cellTime(booking.end_at, zone),
          zone,
          BOOKING_WORDS[bookingOutcome(booking)],
          name ?? 'erased',
          email ?? null,
          booking.attendees,
          currency,
          { amount_minor: price_minor, currency },
          cellTime(booking.created_at, time_zone),
          booking.reference,
          booking.id,
          booking.invoice_id,
          formatExtras(extrasIn(booking)),
          ...answers.cells(booking.answers),
          cellMetadata(booking.metadata),
        ];
      });
    },
  });
}
