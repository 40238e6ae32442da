import { findLiveBooking, listInvoices, type InvoiceRow } from '../../../../db/queries/invoices/invoice.js';
import type { PayerId } from '../../../../db/queries/payments/card.js';
import type { Tx } from '../../../../db/transaction.js';
import { isIssued, whyNotPay } from '../../../../domain/invoices/invoice.js';
import { whyNotCharge } from '../../../../domain/processor/refusals.js';
import { outstandingMoney } from '../../invoices/invoice-forms.js';
import { outstandingMinor } from '../../../../domain/invoices/invoice-presenter.js';
import type { ApiDependencies } from '../../../../api/dependencies.js';
import type { ApiContext } from '../../../../api/http/context.js';
import { InvoiceTable } from '../../invoices/invoice-table.js';
import { pathIn } from '../../shared/paths.js';

const SHOWN = 5;

/** Ids of the invoices that can be paid by link. */
async function findPayable(tx: Tx, invoices: InvoiceRow[]): Promise<Set<string>> {
  const payable = new Set<string>();
  for (const invoice of invoices)
    if (
      outstandingMinor(invoice) > 0 &&
      !whyNotCharge(outstandingMoney(invoice)) &&
      !whyNotPay(invoice, await findLiveBooking(tx, invoice))
    )
      payable.add(invoice.id);
  return payable;
}

/** The newest invoices of a payer, each to be paid and read as PDF. */
export async function ownInvoices(ctx: ApiContext, { db, payLinks }: ApiDependencies, payer: PayerId) {
  const { workspace_id } = ctx.state.membership!;
  const { company_id, member_id } = payer;
  const of = company_id ? { company_id } : { visible_to: { member_id: member_id!, bookings: false } };
  const invoices = await listInvoices(db.manager, { workspace_id, ...of, issued_only: true, limit: SHOWN });
  const payable = await findPayable(db.manager, invoices);
  return (
    <>
      <InvoiceTable
        ctx={ctx}
        invoices={invoices}
        actions={(invoice) => (
          <>
            {payable.has(invoice.id) && <a href={payLinks.linkTo(invoice)}>Pay</a>}{' '}
            {isIssued(invoice) && <a href={pathIn(ctx, `/invoices/${invoice.id}/pdf`)}>PDF</a>}
          </>
        )}
      />
      {invoices.length > 0 && (
        <p class="links">
          <a href={pathIn(ctx, company_id ? `/invoices?company_id=${company_id}` : '/invoices')}>
            All invoices
          </a>
        </p>
      )}
    </>
  );
}
