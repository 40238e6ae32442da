import type { Principal } from '../../domain/policies.js';
import { execute } from '../../db/query.js';
import type { Tx } from '../../db/transaction.js';
import { audit } from '../audit-log/audit.js';

/** Ends the pay link of an invoice and gives it another. */
export async function rotatePayLink(tx: Tx, by: Principal, id: string): Promise<void> {
  await execute(tx, `UPDATE invoices SET pay_link_version = pay_link_version + 1 WHERE id = $1`, [id]);
  await audit(tx, by, { action: 'invoice.pay_link_rotated', object: id, details: {} });
}
