import type { InvoiceAttempt } from '../../../domain/payments/money-facts.js';
import { isId } from '../../ids.js';
import { column, many, maybeOne } from '../../query.js';
import { StoredChange } from '../../entities/bookings.js';
import { Checkout, type AccountRead } from '../../entities/payments.js';
import type { Tx } from '../../transaction.js';

const BY_OWNER_ID = {
  name: 'checkout_by_owner_id',
  text: `SELECT c.* FROM checkouts c WHERE c.owner_id = $1 LIMIT 1`,
};
const BY_ID = {
  name: 'checkout_by_id',
  text: `SELECT c.* FROM checkouts c WHERE c.id = $1 LIMIT 1`,
};
const BY_SESSION_ID = {
  name: 'checkout_by_session_id',
  text: `SELECT c.* FROM checkouts c WHERE c.session_id = $1 LIMIT 1`,
};
const BY_CHANGE_ID = {
  name: 'checkout_by_change_id',
  text: `SELECT c.* FROM checkouts c WHERE c.change_id = $1 LIMIT 1`,
};
const BY_CHARGED_CHANGE_ID = {
  name: 'checkout_by_charged_change_id',
  text: `SELECT c.* FROM checkouts c WHERE c.charged_change_id = $1 LIMIT 1`,
};

/**
 * Returns the checkout of an owner: of a booking, or the invoice checkout with this id. Null if there was
 * nothing to pay.
 */
export const findCheckout = (tx: Tx, value: string): Promise<Checkout | null> =>
  maybeOne<Checkout>(tx, BY_OWNER_ID, [value]);

/** Returns the sessions of those checkouts that have one. */
export const findSessions = (
  tx: Tx,
  ids: string[],
): Promise<(Pick<Checkout, 'id' | 'account_id' | 'created_at'> & { session_id: string })[]> =>
  many(
    tx,
    `SELECT id, account_id, session_id, created_at FROM checkouts WHERE id = ANY ($1)
      AND session_id IS NOT NULL`,
    [ids],
  );

/** Returns a checkout of a booking or an invoice by its own id. */
export const findCheckoutById = (tx: Tx, value: string): Promise<Checkout | null> =>
  maybeOne<Checkout>(tx, BY_ID, [value]);

type AccountColumns = Pick<AccountRead, 'recovering_since'> & { read_until: Date | null };

/** A checkout with its payer's address, and how far its account has been read, if it is read at all. */
type CheckoutOfAccount = Checkout & {
  payer_email: string | null;
  account?: Pick<AccountRead, 'recovering_since' | 'read_until'>;
};

const FIND_BOOKING_CHECKOUT = {
  name: 'find_booking_checkout',
  text: `SELECT c.*, coalesce(r.recovering_since, lost_since()) AS recovering_since, r.read_until,
    b.published_at IS NOT NULL AS is_published, b.manage_link_version,
            coalesce(b.guest_email, m.email) AS payer_email
     FROM bookings b LEFT JOIN members m ON m.id = b.member_id LEFT JOIN checkouts c ON c.owner_id = b.id
       LEFT JOIN account_reads r ON r.account_id = c.account_id
     WHERE b.id = $1`,
};

/**
 * Returns what a booking's run opens: the checkout, or null if there is nothing to pay, whether the booking
 * is published, and the version of its manage link. Null if there is no booking.
 */
export async function findBookingCheckout(
  tx: Tx,
  bookingId: string,
): Promise<{
  checkout: CheckoutOfAccount | null;
  isPublished: boolean;
  manageLinkVersion: number | null;
} | null> {
  type Row = Checkout &
    AccountColumns & {
      payer_email: string | null;
      is_published: boolean;
      manage_link_version: number | null;
    };
  const row = await maybeOne<Row>(tx, FIND_BOOKING_CHECKOUT, [bookingId]);
  if (!row) return null;
  const { is_published: isPublished, manage_link_version: manageLinkVersion, ...found } = row;
  const { recovering_since, read_until, ...checkout } = found;
  const account = read_until ? { recovering_since, read_until } : undefined;
  return { checkout: checkout.id ? { ...checkout, account } : null, isPublished, manageLinkVersion };
}

/** Returns the checkout with which an invoice can currently be paid, or null. */
export async function findInvoiceCheckout(tx: Tx, invoiceId: string): Promise<Checkout | null> {
  const [checkout] = await listInvoiceCheckouts(tx, [invoiceId]);
  return checkout ?? null;
}

/** Returns the checkouts with which invoices can currently be paid, at most one for each. */
export function listInvoiceCheckouts(tx: Tx, invoiceIds: string[]): Promise<Checkout[]> {
  return many<Checkout>(
    tx,
    `SELECT * FROM checkouts WHERE invoice_id = ANY ($1) AND state IN ('opening', 'open', 'processing')`,
    [invoiceIds],
  );
}

/** The purpose of a payment according to its metadata. */
export interface NamedPayment {
  /** A booking, or the checkout of an invoice. */
  owner_id: string | null;
  change_id: string | null;
  attempt: InvoiceAttempt | null;
}

/**
 * Returns the checkout that a payment is for: of the change, booking or invoice. A booking without a price
 * has none.
 */
export async function findPaidCheckout(
  tx: Tx,
  { owner_id, change_id, attempt }: NamedPayment,
): Promise<Checkout | null> {
  const ofChange = change_id && isId('chg', change_id) ? await findChangeCheckout(tx, change_id) : null;
  const own = ofChange ?? (owner_id ? await findCheckout(tx, owner_id) : null);
  return own ?? (attempt && findInvoiceAttempt(tx, attempt));
}

/**
 * Returns the row of an attempt to pay an invoice, or null. Its id differs from the one in the metadata if
 * that row was lost.
 */
export function findInvoiceAttempt(
  tx: Tx,
  { invoice_id, kind, ordinal }: InvoiceAttempt,
): Promise<Checkout | null> {
  return maybeOne<Checkout>(
    tx,
    `SELECT * FROM checkouts WHERE invoice_id = $1 AND ordinal = $2 AND (payment_method_id IS NOT NULL) = $3`,
    [invoice_id, ordinal, kind === 'charge'],
  );
}

/** Returns the checkout with this session id at the processor, or null. */
export const findCheckoutBySession = (tx: Tx, value: string): Promise<Checkout | null> =>
  maybeOne<Checkout>(tx, BY_SESSION_ID, [value]);

/** Returns the checkout with which the payer pays the difference of a change, or null. */
export const findChangeCheckout = (tx: Tx, value: string): Promise<Checkout | null> =>
  maybeOne<Checkout>(tx, BY_CHANGE_ID, [value]);

/** Returns the charge of a change, or null if its row was lost in a failover. */
export const findChangeCharge = (tx: Tx, value: string): Promise<Checkout | null> =>
  maybeOne<Checkout>(tx, BY_CHARGED_CHANGE_ID, [value]);

/** Lists the checkouts of a booking's changes: those that can be paid first, then the newest. */
export function listChangeCheckouts(tx: Tx, bookingId: string): Promise<Checkout[]> {
  return many<Checkout>(
    tx,
    `SELECT k.* FROM checkouts k JOIN booking_changes c ON c.id = k.change_id
     WHERE c.booking_id = $1 ORDER BY c.state IN ('opening', 'pending') DESC, k.created_at DESC`,
    [bookingId],
  );
}

/**
 * Returns the id of what the run that settles a checkout's payment is about: a booking, or the checkout of an
 * invoice.
 */
export async function findCheckoutRun(tx: Tx, { change_id, owner_id }: Checkout): Promise<string> {
  if (!change_id) return owner_id;
  return (await tx.findOneByOrFail(StoredChange, { id: change_id })).booking_id;
}

/**
 * Returns the connected accounts on which an unknown payment could have been made, even by a checkout that is
 * lost.
 */
export function findAccountsWithUnresolvedCheckouts(tx: Tx): Promise<string[]> {
  return column<string>(
    tx,
    `SELECT account_id FROM checkouts WHERE state NOT IN ('paid', 'closed')
     UNION SELECT account_id FROM account_reads WHERE lost_until IS NOT NULL AND account_id <> workspace_id`,
  );
}
