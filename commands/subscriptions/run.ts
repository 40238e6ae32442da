import type { DataSource } from 'typeorm';
import { transaction } from '../../db/transaction.js';
import type { Principal } from '../../domain/policies.js';
import { audit } from '../audit-log/audit.js';

/** Records that staff have requested the creation of due subscription invoices. */
export const auditInvoiceRun = (db: DataSource, by: Principal): Promise<void> =>
  transaction(db, (tx) =>
    audit(tx, by, {
      action: 'job.run',
      object: by.workspace_id,
      details: { job: 'subscription_invoices', as_of: null },
    }),
  );
