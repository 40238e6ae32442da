import type { Section } from '../shared/section.js';
import { reconciliationQuery, showReconciliation } from './reconciliation.js';

export const reconciliation: Section = [
  {
    path: '/reconciliation',
    capability: 'read_billing',
    query: reconciliationQuery,
    show: showReconciliation,
  },
];
