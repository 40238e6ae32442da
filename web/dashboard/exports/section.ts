import { auditLogQuery } from '../audit-log/audit-log.js';
import { invoicesQuery } from '../invoices/invoices.js';
import { paymentsQuery } from '../payments/payments.js';
import type { Section } from '../shared/section.js';
import { bookingsCsvQuery, exportBookings } from './bookings.js';
import { exportAuditLog } from './audit-log.js';
import { exportDocuments } from './documents.js';
import { exportInvoices } from './invoices.js';
import { exportPayments } from './payments.js';
import { asFile } from './stream.js';

export const exportsSection: Section = [
  {
    path: '/invoices.csv',
    capability: 'read_billing',
    query: asFile(invoicesQuery),
    file: exportInvoices,
  },
  {
    path: '/documents.csv',
    capability: 'read_billing',
    query: asFile(invoicesQuery),
    file: exportDocuments,
  },
  {
    path: '/payments.csv',
    capability: 'read_billing',
    query: asFile(paymentsQuery),
    file: exportPayments,
  },
  {
    path: '/audit-log.csv',
    capability: 'read_audit_log',
    query: asFile(auditLogQuery),
    file: exportAuditLog,
  },
  {
    path: '/bookings.csv',
    capability: 'own_bookings',
    query: asFile(bookingsCsvQuery),
    file: exportBookings,
  },
];
