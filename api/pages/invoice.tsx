import { findInvoiceById, type InvoiceRow } from '../../db/repositories/billing/invoice-queries.js';
import { findWorkspace } from '../../db/repositories/workspaces/workspace-queries.js';
import type { Checkout } from '../../db/rows.js';
import { formatMoney } from '../../domain/money.js';
import type { ApiDependencies } from '../app.js';
import type { ApiContext } from '../http/context.js';
import { verifyPayment } from '../payments/verify.js';
import { showPage } from './layout.js';

const CONFIRM_WITHIN_MS = 6_000;
const LOOK_AGAIN_SECONDS = 3;

function Facts({ invoice, payee }: { invoice: InvoiceRow; payee: string }) {
  const facts = [
    ['Invoice', invoice.accounting_reference],
    ['From', payee],
    ['Total', formatMoney({ amount_minor: invoice.total_minor, currency: invoice.currency })],
  ];
  return (
    <dl>
      {facts.map(([term, value]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** What the payer of an invoice comes back to from the checkout: layer 1 for invoices (spec.md, rule 5). */
export async function showPaidInvoice(
  ctx: ApiContext,
  deps: ApiDependencies,
  checkout: Checkout,
): Promise<void> {
  const { manager } = deps.db;
  const sessionId = checkout.session_id!;
  if (checkout.state !== 'paid') {
    // A failure here is no answer about the money: the page says "still confirming" and the other layers go on.
    await verifyPayment(deps, { sessionId, source: 'success_page' }, CONFIRM_WITHIN_MS).catch((error) =>
      deps.log.warn({ err: error, checkout: checkout.id }, 'success page could not verify'),
    );
  }
  const invoice = (await findInvoiceById(manager, checkout.invoice_id!))!;
  const payee = (await findWorkspace(manager, checkout.workspace_id))!.name;
  const facts = <Facts invoice={invoice} payee={payee} />;
  if (invoice.status === 'paid' || invoice.status === 'refunded')
    return showPage(ctx, 200, { title: 'Your payment has arrived', mark: 'good', children: facts });
  if (invoice.status === 'void' || invoice.status === 'cancelled') {
    return showPage(ctx, 200, {
      title: 'This invoice is not due any more',
      mark: 'bad',
      children: (
        <>
          <p>Should money still arrive for it, it goes back in full to where it came from.</p>
          {facts}
        </>
      ),
    });
  }
  showPage(ctx, 200, {
    title: 'We are still confirming your payment',
    mark: 'waiting',
    refresh: LOOK_AGAIN_SECONDS,
    children: (
      <>
        <p>The payment is being confirmed. This page looks again by itself; you may also leave it.</p>
        {facts}
      </>
    ),
  });
}

/** What a payer sees who left the checkout of an invoice. */
export async function showLeftInvoice(
  ctx: ApiContext,
  { db }: ApiDependencies,
  checkout: Checkout,
): Promise<void> {
  const invoice = (await findInvoiceById(db.manager, checkout.invoice_id!))!;
  const payee = (await findWorkspace(db.manager, checkout.workspace_id))!.name;
  const facts = <Facts invoice={invoice} payee={payee} />;
  if (checkout.state !== 'open' || !checkout.url)
    return showPage(ctx, 200, { title: 'This checkout is closed', mark: 'bad', children: facts });
  showPage(ctx, 200, {
    title: 'You left the checkout',
    mark: 'waiting',
    children: (
      <>
        <p>The invoice is still to be paid.</p>
        <a class="button" href={checkout.url}>
          Go on to the payment
        </a>
        {facts}
      </>
    ),
  });
}
