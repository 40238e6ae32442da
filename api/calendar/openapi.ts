import type { Operations } from '../resource/operation.js';

export const operations: Operations = {
  'GET /v1/calendar.ics': {
    summary: 'Get the calendar feed',
    description:
      'Returns an iCalendar document (RFC 5545) with the bookings that start in `[from, to)`. `from` defaults to 30 days ago; without `to` there is no end. Cancelled and expired bookings stay for 30 days. The role `member` sees only its own bookings. Returns 304 if `If-None-Match` contains the current ETag.',
    responses: { 200: { mediaType: 'text/calendar' }, 304: null },
  },
};
