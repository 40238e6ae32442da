import type { DataSource } from 'typeorm';
import type { Principal } from '../../domain/policies.js';
import { execute } from '../../db/query.js';
import { transaction, type Tx } from '../../db/transaction.js';
import { audit } from '../audit-log/audit.js';
import { visibleInvoice } from './invoices.js';

/** Replaces the payment link of an invoice. */
export async function rotatePayLink(tx: Tx, by: Principal, id: string): Promise<void> {
  await execute(tx, `UPDATE invoices SET pay_link_version = pay_link_version + 1 WHERE id = $1`, [id]);
  await audit(tx, by, { action: 'invoice.pay_link_rotated', object: id, details: {} });
}

/**
 * Replaces the payment link of an invoice (docs/rules/billing.md#payment-links). Errors: 404
 * `invoice_not_found`.
 */
export const replacePayLink = (db: DataSource, caller: Principal, id: string): Promise<void> =>
  transaction(db, async (tx) => {
    await visibleInvoice(tx, caller, id);
    await rotatePayLink(tx, caller, id);
  });
