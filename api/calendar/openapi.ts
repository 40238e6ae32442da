import type { Operations } from '../openapi/operation.js';

export const calendarOperations: Operations = {
  'GET /v1/calendar.ics': {
    summary: 'Get the calendar feed',
    description:
      'RFC 5545. Bookings that start from 30 days ago on, unless told otherwise; cancelled and expired ones stay for 30 days. A member sees their own. Answers 304 to an `If-None-Match` that still holds.',
    answers: { 200: { mediaType: 'text/calendar' }, 304: null },
  },
};
