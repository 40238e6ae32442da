import type { Section } from '../shared/section.js';
import { cancelFields, cancelFromPage, markNoShowFromPage } from './booking-actions.js';
import { showBooking } from './booking.js';
import { bookingsQuery, showBookings } from './bookings.js';

export const bookings: Section = [
  { path: '/bookings', query: bookingsQuery, show: showBookings },
  {
    path: '/bookings/:id',
    capability: 'own_bookings',
    show: showBooking,
    forms: [
      ['/cancel', cancelFields, cancelFromPage],
      ['/no-show', {}, markNoShowFromPage, 'all_bookings'],
    ],
  },
];
