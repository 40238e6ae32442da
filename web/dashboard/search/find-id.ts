import { findBooking } from '../../../db/queries/bookings/booking.js';
import {
  findById,
  findIdStartingWith,
  findInvoiceByNumber,
  type Found,
} from '../../../db/queries/workspaces/search.js';
import { can, type Role } from '../../../domain/policies.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext } from '../../../api/http/context.js';

/** An id of ours or of the processor. */
export const ID = /^[a-z]{2,4}_\w{6,}$/i;

const INVOICE_NUMBER = /^#?(\d{1,9})$/;

/** The page that something found is shown on; a payment of a booking is on the booking's. */
function pageOf({ booking_id, invoice_id, payment_id }: Found, role: Role): string | null {
  if (booking_id) return `/bookings/${booking_id}`;
  if (!can(role, 'read_billing')) return null;
  if (payment_id) return `/payments/${payment_id}`;
  return invoice_id && `/invoices/${invoice_id}`;
}

export async function pageOfId(
  { db }: ApiDependencies,
  ctx: ApiContext,
  typed: string,
): Promise<string | null> {
  const { workspace_id, role, member_id } = ctx.state.membership!;
  const q = (await findIdStartingWith(db.manager, workspace_id, typed.toLowerCase())) ?? typed;
  if (q.startsWith('mem_') && can(role, 'read_others')) return `/members/${q}`;
  if (q.startsWith('evt_') && can(role, 'manage_webhooks')) return `/events/${q}`;
  const number = INVOICE_NUMBER.exec(q)?.[1];
  if (number && can(role, 'read_billing')) {
    const invoice = await findInvoiceByNumber(db.manager, workspace_id, Number(number));
    return invoice && `/invoices/${invoice}`;
  }
  if (!ID.test(q)) return null;
  const found = await findById(db.manager, workspace_id, q);
  if (found?.booking_id && !can(role, 'all_bookings')) {
    const booking = await findBooking(db.manager, workspace_id, found.booking_id);
    if (booking?.member_id !== member_id) return null;
  }
  return found && pageOf(found, role);
}
