import { asFile } from '../exports/stream.js';
import type { Section } from '../shared/section.js';
import { exportPayouts, payoutPage, payoutsPage, payoutsQuery } from './payouts.js';
import { exportReceivables, receivablesPage } from './receivables.js';
import { exportTax, taxPage, taxQuery } from './tax.js';
import { exportUsage, usagePage, usageQuery } from './usage.js';
import joi from 'joi';

/** Reports (docs/rules/reports.md), each with its CSV file. */
export const reports: Section = [
  receivablesPage,
  taxPage,
  usagePage,
  payoutsPage,
  payoutPage,
  {
    path: '/reports/receivables.csv',
    capability: 'read_billing',
    query: asFile(joi.object({})),
    file: exportReceivables,
  },
  { path: '/reports/tax.csv', capability: 'read_billing', query: asFile(taxQuery), file: exportTax },
  {
    path: '/reports/payouts.csv',
    capability: 'read_billing',
    query: asFile(payoutsQuery),
    file: exportPayouts,
  },
  { path: '/reports/usage.csv', capability: 'read_billing', query: asFile(usageQuery), file: exportUsage },
];
