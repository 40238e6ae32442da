import type { DataSource } from 'typeorm';
import { NOW } from '../../db/database-time.js';
import { Invoice } from '../../db/entities/invoices.js';
import { transaction } from '../../db/transaction.js';
import { mergeMetadata, sameMetadata, type MetadataChange } from '../../domain/metadata.js';
import type { Principal } from '../../domain/policies.js';
import { auditEdit } from '../audit-log/audit.js';
import { lockInvoice, recordInvoiceEvent, visibleInvoice } from './invoices.js';

/**
 * Changes the metadata of an invoice in any status (docs/rules/api.md#metadata). Stores nothing if nothing
 * changes. Errors: 404 `invoice_not_found`; 422.
 */
export const changeInvoice = (
  db: DataSource,
  caller: Principal,
  id: string,
  sent: { metadata: MetadataChange },
): Promise<void> =>
  transaction(db, async (tx) => {
    await visibleInvoice(tx, caller, id);
    const { metadata: before } = await lockInvoice(tx, id);
    const metadata = mergeMetadata(before, sent.metadata);
    if (sameMetadata(metadata, before)) return;
    await tx.update(Invoice, { id }, { metadata, updated_at: NOW });
    await recordInvoiceEvent(tx, 'invoice.updated', id, { metadata: before });
    const edit = { before: { metadata: before }, after: { metadata } };
    await auditEdit(tx, caller, { action: 'invoice.updated', object: id, ...edit });
  });
