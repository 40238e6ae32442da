import type { Section } from '../shared/section.js';
import { showBookingPage } from './booking-page.js';
import { pageFields, savePage } from './page-form.js';

export const bookingPage: Section = [
  {
    path: '/booking-page',
    capability: 'write_workspace',
    show: showBookingPage,
    forms: [['', pageFields, savePage]],
  },
];
