import type { DataSource } from 'typeorm';
import { NOW } from '../../db/database-time.js';
import { Invoice } from '../../db/entities/invoices.js';
import { transaction } from '../../db/transaction.js';
import { audit } from '../audit-log/audit.js';
import { enqueueAccountingUpdate } from './pending-updates.js';
import type { OtherReference } from '../../db/queries/accounting/reference.js';

/** Gives an invoice its reference in the fixed format, and enqueues an update of the accounting system. */
export const repairReference = (
  db: DataSource,
  { invoice_id, workspace_id, from, to }: OtherReference,
  operator?: string,
): Promise<void> =>
  transaction(db, async (tx) => {
    await tx.update(Invoice, { id: invoice_id }, { accounting_reference: to, updated_at: NOW });
    await enqueueAccountingUpdate(tx, invoice_id);
    const entry = { action: 'invoice.reference_repaired', object: invoice_id, details: { from, to } };
    await audit(tx, { workspace_id, system: 'accounting', operator }, entry);
  });
