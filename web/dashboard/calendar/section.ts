import type { Section } from '../shared/section.js';
import { bookFields, bookForm } from './book.js';
import { bookQuery, showBook } from './book-form.js';
import { calendarBlackoutFields, calendarBlackoutForm, calendarQuery, showCalendar } from './calendar.js';

export const calendar: Section = [
  {
    path: '/calendar',
    capability: 'all_bookings',
    query: calendarQuery,
    show: showCalendar,
    forms: [['/blackout', calendarBlackoutFields, calendarBlackoutForm, 'write_blackouts']],
  },
  {
    path: '/book',
    capability: 'own_bookings',
    query: bookQuery,
    show: showBook,
    forms: [['', bookFields, bookForm]],
  },
];
