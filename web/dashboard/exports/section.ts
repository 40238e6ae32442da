import joi from 'joi';
import { CSV_DECIMALS, CSV_SEPARATORS } from '../../../domain/csv-format.js';
import { auditLogQuery } from '../audit-log/audit-log.js';
import { invoicesQuery } from '../invoices/invoices.js';
import { paymentsQuery } from '../payments/payments.js';
import type { Section } from '../shared/section.js';
import { bookingsCsvQuery, exportBookings } from './bookings.js';
import { exportAuditLog } from './audit-log.js';
import { exportDocuments } from './documents.js';
import { exportInvoices } from './invoices.js';
import { exportPayments } from './payments.js';

/** A list's filter, and how the file is to be written if not as the workspace says. */
const asFile = (query: joi.ObjectSchema): joi.ObjectSchema =>
  query.keys({ separator: joi.valid(...CSV_SEPARATORS), decimal: joi.valid(...CSV_DECIMALS) });

export const exportsSection: Section = [
  {
    path: '/invoices.csv',
    capability: 'read_billing',
    query: asFile(invoicesQuery),
    show: exportInvoices,
    isDocument: true,
  },
  {
    path: '/documents.csv',
    capability: 'read_billing',
    query: asFile(invoicesQuery),
    show: exportDocuments,
    isDocument: true,
  },
  {
    path: '/payments.csv',
    capability: 'read_billing',
    query: asFile(paymentsQuery),
    show: exportPayments,
    isDocument: true,
  },
  {
    path: '/audit-log.csv',
    capability: 'read_audit_log',
    query: asFile(auditLogQuery),
    show: exportAuditLog,
    isDocument: true,
  },
  {
    path: '/bookings.csv',
    capability: 'own_bookings',
    query: asFile(bookingsCsvQuery),
    show: exportBookings,
    isDocument: true,
  },
];
