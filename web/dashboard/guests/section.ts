import type { Section } from '../shared/section.js';
import { eraseFields, eraseForm, guestsQuery, showGuests } from './guests.js';

export const guests: Section = [
  {
    path: '/guests',
    capability: 'all_bookings',
    query: guestsQuery,
    show: showGuests,
    forms: [['/erase', eraseFields, eraseForm, 'hard_delete']],
  },
];
