import type { Operations } from '../../shared/operation.js';

export const operations: Operations = {
  'GET /v1/calendar.ics': {
    summary: 'Get the calendar feed',
    description:
      'Returns an iCalendar document (RFC 5545) with the bookings that start in `[from, to)`. `from` ' +
      'defaults to 30 days ago; without `to`, the range has no end. Cancelled and expired bookings are ' +
      'included for 30 days. The front desk, admins and owners see all bookings, other roles only ' +
      'their own, as in the list. A range with more than 10,000 bookings, or of which the document ' +
      'would take more than 10 MiB, is 422 `validation_failed` on `to`. Returns 304 if `If-None-Match` ' +
      'contains the current ETag.',
    responses: { 200: { mediaType: 'text/calendar' }, 304: null },
  },
};
