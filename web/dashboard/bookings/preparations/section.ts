import { asFile } from '../../exports/stream.js';
import type { Section } from '../../shared/section.js';
import { exportPreparations, preparationsQuery, showPreparations } from './preparations.js';

export const preparations: Section = [
  { path: '/preparations', capability: 'all_bookings', query: preparationsQuery, show: showPreparations },
  {
    path: '/preparations.csv',
    capability: 'all_bookings',
    query: asFile(preparationsQuery),
    show: exportPreparations,
    isDocument: true,
  },
];
