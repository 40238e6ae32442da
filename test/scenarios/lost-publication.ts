import type { Booking } from '../support/api-bodies.js';
import { db } from '../support/stack.js';

/** Loses the record that a booking was published. */
export async function losePublication({ id, invoice_id }: Pick<Booking, 'id' | 'invoice_id'>): Promise<void> {
  for (const table of ['invoice_lines', 'accounting_due'])
    await db.query(`DELETE FROM ${table} WHERE invoice_id = $1`, [invoice_id]);
  await db.query(
    `UPDATE bookings SET published_at = NULL, invoice_id = NULL, checkout_url = NULL, expires_at = NULL
      WHERE id = $1`,
    [id],
  );
  for (const statement of [
    `DELETE FROM mails WHERE booking_id = $1`,
    `DELETE FROM events WHERE object_id = $1`,
    `UPDATE invoice_counters SET last_number = 0, last_document_number = 0
      WHERE workspace_id = (SELECT workspace_id FROM bookings WHERE id = $1)`,
    `DELETE FROM invoices WHERE booking_id = $1`,
    `UPDATE checkouts SET state = 'opening', session_id = NULL WHERE booking_id = $1`,
    `UPDATE booking_requests SET state = 'in_flight', finished_at = NULL WHERE booking_id = $1`,
  ])
    await db.query(statement, [id]);
}
