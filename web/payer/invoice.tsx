import { documentNumberOf } from '../../domain/invoice-document.js';
import { wasPaid } from '../../domain/invoice.js';
import { takeLook } from '../../commands/access/buckets.js';
import { findInvoiceById, type InvoiceRow } from '../../db/queries/billing/invoice.js';
import { findWorkspace } from '../../db/queries/workspaces/workspace.js';
import type { Checkout } from '../../db/entities/payments.js';
import type { ApiDependencies } from '../../api/dependencies.js';
import type { ApiContext } from '../../api/http/context.js';
import { lookAtOpenCheckout } from '../../api/resources/payments/verify.js';
import { showPage } from '../ui/layout.js';
import { amountOf, Facts } from '../ui/parts.js';

const CONFIRM_WITHIN_MS = 6_000;
const REFRESH_SECONDS = 3;

function InvoiceFacts({ invoice, payee }: { invoice: InvoiceRow; payee: string }) {
  const facts: [term: string, value: string][] = [
    ['Invoice', documentNumberOf(invoice)],
    ['From', payee],
    ['Total', amountOf(invoice.total_minor, invoice.currency)],
  ];
  return <Facts of={facts} />;
}

/** Where the payer of an invoice returns to after paying (docs/architecture.md#payment-confirmation). */
export async function showPaidInvoice(
  ctx: ApiContext,
  deps: ApiDependencies,
  checkout: Checkout,
): Promise<void> {
  const { manager } = deps.db;
  if (checkout.state !== 'paid' && (await takeLook(manager, checkout.id, deps.buckets))) {
    // A failure says nothing about the payment: the page keeps waiting and the other ways to confirm continue.
    await lookAtOpenCheckout(deps, checkout, CONFIRM_WITHIN_MS).catch((error) =>
      deps.log.warn({ err: error, checkout: checkout.id }, 'success page could not verify'),
    );
  }
  const invoice = (await findInvoiceById(manager, checkout.invoice_id!))!;
  const workspace = (await findWorkspace(manager, checkout.workspace_id))!;
  ctx.state.house = workspace;
  const facts = <InvoiceFacts invoice={invoice} payee={workspace.name} />;
  if (wasPaid(invoice))
    return showPage(ctx, 200, {
      title: 'Your payment has been received',
      mark: 'good',
      children: (
        <>
          {facts}
          <a class="button plain" href={deps.payLinks.linkTo(invoice)}>
            View invoice and receipt
          </a>
        </>
      ),
    });
  if (invoice.status === 'void' || invoice.status === 'cancelled') {
    return showPage(ctx, 200, {
      title: 'This invoice is no longer due',
      mark: 'bad',
      children: (
        <>
          <p>A payment that still arrives is refunded in full to the original payment method.</p>
          {facts}
        </>
      ),
    });
  }
  showPage(ctx, 200, {
    title: 'We are still confirming your payment',
    mark: 'waiting',
    refresh: REFRESH_SECONDS,
    children: (
      <>
        <p>This page updates automatically. You can also close it.</p>
        {facts}
      </>
    ),
  });
}

/** Where the payer of an invoice returns to without paying. */
export async function showInvoiceCheckout(
  ctx: ApiContext,
  { db }: ApiDependencies,
  checkout: Checkout,
): Promise<void> {
  const invoice = (await findInvoiceById(db.manager, checkout.invoice_id!))!;
  const workspace = (await findWorkspace(db.manager, checkout.workspace_id))!;
  ctx.state.house = workspace;
  const facts = <InvoiceFacts invoice={invoice} payee={workspace.name} />;
  if (checkout.state !== 'open' || !checkout.url)
    return showPage(ctx, 200, { title: 'This checkout is closed', mark: 'bad', children: facts });
  showPage(ctx, 200, {
    title: 'You left the checkout',
    mark: 'waiting',
    children: (
      <>
        <p>The invoice has not been paid yet.</p>
        <a class="button" href={checkout.url}>
          Continue to payment
        </a>
        {facts}
      </>
    ),
  });
}
