import type { Section } from '../shared/section.js';
import { runFields, runForm, showSubscriptions, subscriptionsQuery } from './subscriptions.js';

export const subscriptions: Section = [
  {
    path: '/subscriptions',
    capability: 'read_billing',
    query: subscriptionsQuery,
    show: showSubscriptions,
    forms: [['/run', runFields, runForm, 'write_billing']],
  },
];
