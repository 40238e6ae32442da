import type { KeptColumns } from '../../domain/members/erasure.js';
import { Booking } from '../entities/bookings.js';
import { Invoice } from '../entities/invoices.js';
import { Member } from '../entities/members.js';
import { Payment } from '../entities/payments.js';
import { columnErasures } from './declarations.js';

/** Returns the columns of an entity that an erasure keeps. */
const keptColumns = (entity: object): string[] =>
  Object.entries(columnErasures(entity))
    .filter(([, erasure]) => erasure === 'kept' || (typeof erasure === 'object' && 'by' in erasure))
    .map(([name]) => name);

/** The columns that an erasure keeps of the objects in events and audit entries. */
export const KEPT_COLUMNS: KeptColumns = {
  booking: keptColumns(Booking),
  invoice: keptColumns(Invoice),
  member: keptColumns(Member),
  payment: keptColumns(Payment),
};
