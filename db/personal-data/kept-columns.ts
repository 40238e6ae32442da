import { isDeepStrictEqual } from 'node:util';
import type { KeptColumns } from '../../domain/members/erasure.js';
import { Booking } from '../entities/bookings.js';
import { Invoice } from '../entities/invoices.js';
import { Member } from '../entities/members.js';
import { Payment } from '../entities/payments.js';
import { columnErasures } from './declarations.js';

/** Returns the columns of an entity that an erasure keeps, or replaces with an empty object. */
function keptColumns(entity: object): Record<string, true | 'emptied'> {
  const kept: Record<string, true | 'emptied'> = {};
  for (const [name, erasure] of Object.entries(columnErasures(entity))) {
    if (erasure === 'kept') kept[name] = true;
    else if (erasure === 'erased') continue;
    else if ('by' in erasure) kept[name] = true;
    else if ('value' in erasure && isDeepStrictEqual(erasure.value, {})) kept[name] = 'emptied';
  }
  return kept;
}

/** What an erasure keeps of the objects in events and audit entries. */
export const KEPT_COLUMNS: KeptColumns = {
  booking: keptColumns(Booking),
  invoice: keptColumns(Invoice),
  member: keptColumns(Member),
  payment: keptColumns(Payment),
};
