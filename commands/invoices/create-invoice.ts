import type { DataSource } from 'typeorm';
import { newId } from '../../db/ids.js';
import { findInvoice, type InvoiceRow } from '../../db/queries/invoices/invoice.js';
import { memberExists } from '../../db/queries/members/member.js';
import { findWorkspace } from '../../db/queries/workspaces/workspace.js';
import type { Tx } from '../../db/transaction.js';
import { ApiError } from '../../domain/errors.js';
import {
  assertInvoiceTotal,
  priceLines,
  sumTotals,
  type LineRequest,
} from '../../domain/invoices/invoice.js';
import { mergeMetadata, type MetadataChange } from '../../domain/metadata.js';
import type { Principal } from '../../domain/policies.js';
import { createOnce, type Created, type IdempotencyKey } from '../api-keys/idempotency.js';
import { audit } from '../audit-log/audit.js';
import { assertCompany } from '../companies/companies.js';
import { insertInvoice } from './invoices.js';

/** A new invoice of a company or a member. Amounts in minor units of its currency. */
export interface SentInvoice {
  company_id?: string;
  member_id?: string;
  currency: string;
  due_at: Date;
  lines: LineRequest[];
  reference?: string | null;
  metadata?: MetadataChange;
}

/**
 * Creates an open invoice, once for each key (docs/rules/billing.md#invoices). Errors: 404
 * `company_not_found`, `member_not_found`; 409 `idempotency_conflict`; 422.
 */
export function createInvoice(
  db: DataSource,
  caller: Principal,
  { currency, due_at, reference = null, ...sent }: SentInvoice,
  idempotency: IdempotencyKey | null,
): Promise<Created<InvoiceRow>> {
  const { workspace_id } = caller;
  const id = newId('inv');
  const payer = { company_id: sent.company_id ?? null, member_id: sent.member_id ?? null };
  return createOnce(
    db,
    { workspace_id, idempotency, id },
    {
      async create(tx) {
        const { tax_codes } = (await findWorkspace(tx, workspace_id))!;
        const lines = priceLines(sent.lines, tax_codes, currency);
        const { total_minor } = sumTotals(lines);
        assertInvoiceTotal(total_minor, currency);
        await assertCompany(tx, workspace_id, payer.company_id);
        await assertMember(tx, workspace_id, payer.member_id);
        const terms = { kind: 'ad_hoc', currency, due_at, reference, created_at: new Date() } as const;
        const metadata = mergeMetadata({}, sent.metadata);
        await insertInvoice(tx, { id, workspace_id, ...terms, ...payer, lines, metadata });
        const details = { total_minor, currency, ...payer };
        await audit(tx, caller, { action: 'invoice.created', object: id, details });
      },
      find: (tx, id) => findInvoice(tx, workspace_id, id),
    },
  );
}

async function assertMember(tx: Tx, workspaceId: string, id: string | null): Promise<void> {
  if (!id || (await memberExists(tx, workspaceId, id))) return;
  throw new ApiError('member_not_found', 'No such member.', { param: 'member_id' });
}
