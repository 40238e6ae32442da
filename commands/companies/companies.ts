import type { DataSource } from 'typeorm';
import { dayIn } from '../../domain/cycle.js';
import { assertAutopay, nextStatementAfter } from '../../domain/invoices/payer.js';
import type { Principal } from '../../domain/policies.js';
import {
  BILLING_ADDRESS,
  noSuchCompany,
  presentCompany,
  type CompanyChanges,
  type CompanyFacts,
  type NewCompany,
} from '../../domain/companies/presenter.js';
import { changedMetadata } from '../../domain/metadata.js';
import type { Quotas } from '../../domain/workspaces/quotas.js';
import { isUuid, newId, newUuid } from '../../db/ids.js';
import { execute } from '../../db/query.js';
import { insertReturning } from '../../db/insert.js';
import { Company } from '../../db/entities/members.js';
import { transaction, type Tx } from '../../db/transaction.js';
import { createOnce, type Created, type IdempotencyKey } from '../api-keys/idempotency.js';
import { notifyCollections } from '../invoices/notify-collections.js';
import { enqueueMail } from '../mail/mails.js';
import { audit, auditEdit } from '../audit-log/audit.js';
import { takePlace } from '../workspaces/quotas.js';
import { findCompany, type CompanyRow } from '../../db/queries/companies/company.js';
import { findWorkspace } from '../../db/queries/workspaces/workspace.js';

type Shown = ReturnType<typeof presentCompany>;

/** Returns the columns that a change sets. Errors: 422. */
async function toCompanyColumns(
  tx: Tx,
  workspaceId: string,
  { monthly_statement, metadata, ...changes }: CompanyChanges,
  company: Pick<CompanyFacts, 'payment_terms' | 'next_statement_on' | 'metadata'>,
) {
  const { time_zone } = (await findWorkspace(tx, workspaceId))!;
  const today = dayIn(time_zone, new Date());
  return {
    ...changes,
    ...changedMetadata(company, { metadata }),
    next_statement_on: nextStatementAfter({ monthly_statement, ...changes }, company, today),
  };
}

/**
 * Creates a company. Errors: 409 `limit_reached`, `idempotency_conflict`; 422 for a statement without payment
 * terms.
 */
export function createCompany(
  db: DataSource,
  quotas: Quotas,
  caller: Principal,
  sent: NewCompany,
  idempotency: IdempotencyKey | null,
): Promise<Created<Shown>> {
  const { workspace_id } = caller;
  const id = newUuid();
  return createOnce(
    db,
    { workspace_id, idempotency, id },
    {
      async create(tx) {
        const columns = await toCompanyColumns(tx, workspace_id, sent, {
          payment_terms: null,
          next_statement_on: null,
          metadata: {},
        });
        await takePlace(tx, quotas, workspace_id, 'companies');
        const after = presentCompany(
          await insertCompany(tx, { ...columns, name: sent.name, id, workspace_id }),
        );
        await audit(tx, caller, { action: 'company.created', object: id, details: { after } });
      },
      find: async (tx, id) => presentCompany((await findCompany(tx, workspace_id, id))!),
    },
  );
}

/**
 * Changes a company. The owner gets mail about a new billing address. Errors: 404 `company_not_found`; 422
 * for `autopay` without a card, and for a statement without payment terms.
 */
export const changeCompany = (
  db: DataSource,
  caller: Principal,
  id: string,
  sent: CompanyChanges,
): Promise<Shown> =>
  transaction(db, async (tx) => {
    const { workspace_id } = caller;
    const company = await lockCompany(tx, workspace_id, id);
    const columns = await toCompanyColumns(tx, workspace_id, sent, company);
    assertAutopay(sent, company);
    const before = presentCompany(company);
    const after = presentCompany(await updateCompany(tx, company, columns));
    if (BILLING_ADDRESS.some((field) => after[field] !== before[field]))
      await enqueueMail(tx, {
        kind: 'billing_address_changed',
        workspace_id,
        about: `${id}:${newId('mail')}`,
      });
    await auditEdit(tx, caller, { action: 'company.updated', object: id, before, after });
    return after;
  });

/** Stores a company and returns it. */
export async function insertCompany(
  tx: Tx,
  company: Pick<Company, 'workspace_id' | 'name'> & Partial<Company>,
): Promise<CompanyRow> {
  const row = await insertReturning(tx, Company, { ...company, id: company.id ?? newUuid() });
  return { ...row, card: null };
}

/**
 * Returns a company, locked until the transaction ends. Every edit of a company takes this lock first.
 * Errors: 404 `company_not_found`.
 */
export async function lockCompany(tx: Tx, workspaceId: string, id: string): Promise<CompanyRow> {
  if (isUuid(id))
    await execute(tx, `SELECT FROM companies WHERE id = $1 AND workspace_id = $2 FOR NO KEY UPDATE`, [
      id,
      workspaceId,
    ]);
  const company = await findCompany(tx, workspaceId, id);
  if (!company) throw noSuchCompany();
  return company;
}

/** Stores a change of a company and returns it. */
export async function updateCompany(
  tx: Tx,
  { id, workspace_id }: Pick<CompanyRow, 'id' | 'workspace_id'>,
  changes: Partial<Company>,
): Promise<CompanyRow> {
  const isChanged = Object.values(changes).some((value) => value !== undefined);
  if (isChanged) await tx.update(Company, { id }, changes);
  if (changes.autopay !== undefined) await notifyCollections(tx, { company_id: id, member_id: null });
  return (await findCompany(tx, workspace_id, id))!;
}

/** Throws 404 `company_not_found` if the workspace has no such company. */
export async function assertCompany(
  tx: Tx,
  workspaceId: string,
  id: string | null | undefined,
): Promise<void> {
  if (!id || (await findCompany(tx, workspaceId, id))) return;
  throw noSuchCompany('company_id');
}
