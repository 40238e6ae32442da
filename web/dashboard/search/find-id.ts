import { findBooking } from '../../../db/queries/bookings/booking.js';
import { seesStatements, visibleTo } from '../../../domain/invoices/visibility.js';
import { findInvoice, listInvoices } from '../../../db/queries/invoices/invoice.js';
import { findStatementByNumber } from '../../../db/queries/invoices/issued-statement.js';
import { findById, findIdStartingWith, type Found } from '../../../db/queries/workspaces/search.js';
import { can, type Principal, type Role } from '../../../domain/policies.js';
import type { ApiDependencies } from '../../../api/dependencies.js';

/** An id of this service or of the processor. */
export const ID = /^[a-z]{2,4}_\w{6,}$/i;

const STATEMENT_NUMBER = /^[A-Z0-9]{1,8}-S\d{1,9}$/i;

/**
 * The page that something found is shown on, for a role that can open it; a payment of a
 * booking is on the booking's.
 */
function resultPath({ booking_id, invoice_id, payment_id }: Found, role: Role): string | null {
  if (booking_id) return `/bookings/${booking_id}`;
  if (payment_id) return can(role, 'read_billing') ? `/payments/${payment_id}` : null;
  return invoice_id && `/invoices/${invoice_id}`;
}

export async function pageOfId(
  { db }: ApiDependencies,
  caller: Principal,
  typed: string,
): Promise<string | null> {
  const { workspace_id, role, member_id } = caller;
  const q = (await findIdStartingWith(db.manager, workspace_id, typed.toLowerCase())) ?? typed;
  if (q.startsWith('mem_') && can(role, 'read_others')) return `/members/${q}`;
  if (q.startsWith('evt_') && can(role, 'manage_webhooks')) return `/events/${q}`;
  const visible_to = visibleTo({ role, member_id });
  const [invoice] = await listInvoices(db.manager, { workspace_id, number: q, visible_to, limit: 1 });
  if (invoice) return `/invoices/${invoice.id}`;
  if (STATEMENT_NUMBER.test(q)) {
    const statement = await findStatementByNumber(db.manager, workspace_id, q.toUpperCase());
    return statement && seesStatements(caller, statement) ? `/statements/${statement.id}/pdf` : null;
  }
  if (!ID.test(q)) return null;
  const found = await findById(db.manager, workspace_id, q);
  if (found?.booking_id && !can(role, 'all_bookings')) {
    const booking = await findBooking(db.manager, workspace_id, found.booking_id);
    if (booking?.member_id !== member_id) return null;
  }
  if (found?.invoice_id && !found.booking_id) {
    const invoice = await findInvoice(db.manager, workspace_id, found.invoice_id, visible_to);
    if (!invoice) return null;
  }
  return found && resultPath(found, role);
}
