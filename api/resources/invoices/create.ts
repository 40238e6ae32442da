import { newId } from '../../../db/ids.js';
import { insertInvoice, type NewInvoice } from '../../../commands/invoices/invoices.js';
import { findInvoice } from '../../../db/queries/invoices/invoice.js';
import { findCompany } from '../../../db/queries/companies/company.js';
import { memberExists } from '../../../db/queries/members/member.js';
import { audit } from '../../../commands/audit-log/audit.js';
import { findWorkspace } from '../../../db/queries/workspaces/workspace.js';
import { formatAmount } from '../../../domain/display.js';
import { ApiError } from '../../../domain/errors.js';
import {
  MAX_INVOICE_MINOR,
  priceLines,
  totalsOf,
  type InvoiceLine,
} from '../../../domain/invoices/invoice.js';
import type { ApiDependencies } from '../../dependencies.js';
import type { Handler } from '../../http/context.js';
import { createOnce } from '../../http/idempotency.js';
import { presentWithLink } from './read.js';
import type { CreateBody } from './shape.js';

type Deps = Pick<ApiDependencies, 'db' | 'payLinks' | 'publicUrl'>;

/**
 * `POST /v1/invoices` (docs/rules/billing.md#invoices). Amounts in minor units. Errors: 404
 * `company_not_found`, `member_not_found`; 409 `idempotency_conflict`; 422.
 */
export function create(deps: Deps): Handler<CreateBody> {
  return async (ctx) => {
    const { company_id = null, member_id = null, ...body } = ctx.state.body;
    const { workspace_id } = ctx.state.principal;
    const workspace = (await findWorkspace(deps.db.manager, workspace_id))!;
    const lines = priceLines(body.lines, workspace.tax_codes, body.currency);
    assertTotal(lines, body.currency);
    await assertPayer(deps, { workspace_id, company_id, member_id });
    const id = newId('inv');
    const invoice: NewInvoice = {
      id,
      workspace_id,
      kind: 'ad_hoc',
      currency: body.currency,
      due_at: body.due_at,
      company_id,
      member_id,
      reference: body.reference ?? null,
      created_at: new Date(),
      lines,
    };
    await createOnce(ctx, deps.db, id, {
      create: async (tx) => {
        await insertInvoice(tx, invoice);
        const { total_minor } = totalsOf(lines);
        const details = { total_minor, currency: body.currency, company_id, member_id };
        await audit(tx, ctx.state.principal, { action: 'invoice.created', object: id, details });
      },
      find: async (tx, id) =>
        presentWithLink(deps, ctx.state.principal, (await findInvoice(tx, workspace_id, id))!),
    });
  };
}

function assertTotal(lines: InvoiceLine[], currency: string): void {
  const { total_minor } = totalsOf(lines);
  if (total_minor > 0 && total_minor <= MAX_INVOICE_MINOR) return;
  const message =
    total_minor > 0
      ? 'The total of the lines exceeds the maximum amount of an invoice, ' +
        `${formatAmount({ amount_minor: MAX_INVOICE_MINOR, currency })}.`
      : 'The total of the lines must be greater than zero.';
  throw new ApiError('validation_failed', message, { param: 'lines' });
}

async function assertPayer(
  { db }: Deps,
  payer: { workspace_id: string; company_id: string | null; member_id: string | null },
): Promise<void> {
  const { workspace_id, company_id, member_id } = payer;
  if (company_id && !(await findCompany(db.manager, workspace_id, company_id)))
    throw new ApiError('company_not_found', 'No such company.', { param: 'company_id' });
  if (member_id && !(await memberExists(db.manager, workspace_id, member_id)))
    throw new ApiError('member_not_found', 'No such member.', { param: 'member_id' });
}
