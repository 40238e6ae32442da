import { one } from '../../query.js';
import type { Tx } from '../../transaction.js';

/**
 * SQL of the reason that a person gave for an audited action, or null. All arguments are SQL; `at` is
 * when the action took effect. An entry is stored in the same transaction, and found by its time, since
 * the log has no index by object.
 */
export const auditedReason = (entry: {
  action: `'${'booking.cancelled' | 'invoice.voided'}'`;
  workspace_id: string;
  object: string;
  at: string;
}): string =>
  `(SELECT nullif(a.details ->> 'reason', '') FROM audit_log a
    WHERE a.workspace_id = ${entry.workspace_id} AND a.action = ${entry.action} AND a.object = ${entry.object}
      AND a.at BETWEEN ${entry.at} - interval '5 minutes' AND ${entry.at} + interval '5 minutes'
    ORDER BY a.at, a.id LIMIT 1)`;

const ENDED = { workspace_id: 'i.workspace_id', at: 'i.voided_at' };

/** SQL of why an invoice `i` was voided, or its booking cancelled, which voided it. */
export const VOID_REASON = `coalesce(
  ${auditedReason({ ...ENDED, action: `'invoice.voided'`, object: 'i.id' })},
  ${auditedReason({ ...ENDED, action: `'booking.cancelled'`, object: 'i.booking_id' })})`;

/** Why a void invoice was voided, as far as a person said. */
export async function findVoidReason(tx: Tx, invoiceId: string): Promise<string | null> {
  const { reason } = await one<{ reason: string | null }>(
    tx,
    `SELECT ${VOID_REASON} AS reason FROM invoices i WHERE i.id = $1`,
    [invoiceId],
  );
  return reason;
}
