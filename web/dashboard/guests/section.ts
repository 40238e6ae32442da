import { proven, type Section } from '../shared/section.js';
import { eraseFields, eraseForm } from './guest.js';
import { guestsQuery, showGuests } from './guests.js';

export const guests: Section = [
  {
    path: '/guests',
    capability: 'all_bookings',
    query: guestsQuery,
    show: showGuests,
    forms: [['/erase', eraseFields, proven(eraseForm), 'hard_delete']],
  },
];
