import type { Section } from '../shared/section.js';
import { showPayment } from './payment.js';
import { paymentsQuery, showPayments } from './payments.js';
import { refundFields, refundForm } from './refund-form.js';

export const payments: Section = [
  { path: '/payments', capability: 'read_billing', query: paymentsQuery, show: showPayments },
  {
    path: '/payments/:id',
    capability: 'read_billing',
    show: showPayment,
    forms: [['/refund', refundFields, refundForm, 'write_billing']],
  },
];
