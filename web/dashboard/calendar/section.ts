import type { Section } from '../shared/section.js';
import { bookPage } from './book-form.js';
import { calendarBlackoutFields, calendarBlackoutForm, calendarQuery, showCalendar } from './calendar.js';

export const calendar: Section = [
  {
    path: '/calendar',
    capability: 'all_bookings',
    query: calendarQuery,
    show: showCalendar,
    forms: [['/blackout', calendarBlackoutFields, calendarBlackoutForm, 'write_blackouts']],
  },
  bookPage,
];
