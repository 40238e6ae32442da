import { ApiError } from '../errors.js';
import { can, type Principal } from '../policies.js';

type Caller = Pick<Principal, 'role' | 'member_id'>;

/** The payer of an invoice: a member, a company, or neither. */
interface Payer {
  member_id: string | null;
  company_id: string | null;
}

/** Returns the error for an invoice that the workspace does not have, or that the caller may not see. */
export const noSuchInvoice = (message = 'No such invoice.'): ApiError =>
  new ApiError('invoice_not_found', message);

const paysAlone = ({ member_id }: Caller, payer: Payer): boolean =>
  payer.member_id === member_id && !payer.company_id;

/**
 * Returns which invoices a caller may see (docs/rules/members.md#roles): those that the member pays, and with
 * `bookings` also those of bookings. Undefined: all invoices.
 */
export const visibleTo = ({
  role,
  member_id,
}: Caller): { member_id: string; bookings: boolean } | undefined =>
  can(role, 'read_billing') ? undefined : { member_id, bookings: can(role, 'read_booking_invoices') };

/** True if a caller of the same workspace may see the invoice of a booking. */
export const seesInvoiceOfBooking = (caller: Caller, payer: Payer): boolean =>
  can(caller.role, 'read_booking_invoices') || paysAlone(caller, payer);

/**
 * True if a caller may see the statements of a payer. They list everything that the payer was invoiced and
 * paid, so the right to see invoices of bookings is not enough.
 */
export const seesStatements = (caller: Caller, payer: Payer): boolean =>
  can(caller.role, 'read_billing') || paysAlone(caller, payer);
