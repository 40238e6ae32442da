import { nameOfInvoice } from '../../domain/invoices/document-number.js';
import { wasPaid } from '../../domain/invoices/invoice.js';
import { findPayer } from '../../db/queries/invoices/payer.js';
import { findInvoiceById, type InvoiceRow } from '../../db/queries/invoices/invoice.js';
import { findWorkspace } from '../../db/queries/workspaces/workspace.js';
import type { Checkout } from '../../db/entities/payments.js';
import type { ApiDependencies } from '../../api/dependencies.js';
import type { ApiContext } from '../../api/http/context.js';
import { lookAtOpenCheckout } from '../../api/resources/payments/verify.js';
import { payUrlFor } from './return-secret.js';
import { showAs, useWords } from '../ui/language.js';
import { showPage } from '../ui/layout.js';
import { FactList } from '../ui/parts.js';

const CONFIRM_WITHIN_MS = 6_000;
const REFRESH_SECONDS = 3;

function InvoiceFacts({ invoice, payee }: { invoice: InvoiceRow; payee: string }) {
  const words = useWords();
  const facts: [term: string, value: string][] = [
    [words.say('payer.invoice'), nameOfInvoice(invoice)],
    [words.say('payer.from'), payee],
    [words.say('terms.total'), words.amount(invoice.total_minor, invoice.currency)],
  ];
  return <FactList of={facts} />;
}

/**
 * The page to which the payer of an invoice returns after paying
 * (docs/internals/architecture.md#payment-confirmation). `secret`: as in the address. `mayLook`: whether the
 * processor may be queried.
 */
export async function showPaidInvoice(
  ctx: ApiContext,
  deps: ApiDependencies,
  checkout: Checkout,
  { secret, mayLook }: { secret: string; mayLook: boolean },
): Promise<void> {
  const { manager } = deps.db;
  if (mayLook) {
    // A failure says nothing about the payment. The page keeps waiting, and the other ways to confirm
    // continue.
    await lookAtOpenCheckout(deps, checkout, CONFIRM_WITHIN_MS).catch((error) =>
      deps.log.warn({ err: error, checkout: checkout.id }, 'success page could not verify'),
    );
  }
  const invoice = (await findInvoiceById(manager, checkout.invoice_id!))!;
  const workspace = (await findWorkspace(manager, checkout.workspace_id))!;
  const words = showAs(ctx, workspace, (await findPayer(manager, invoice.id)).locale);
  const facts = <InvoiceFacts invoice={invoice} payee={workspace.name} />;
  const payUrl = payUrlFor(deps, invoice, secret);
  if (wasPaid(invoice))
    return showPage(ctx, 200, {
      title: words.say('payer.payment_received'),
      mark: 'good',
      children: (
        <>
          {facts}
          {payUrl && (
            <a class="button plain" href={payUrl}>
              {words.say('payer.view_invoice')}
            </a>
          )}
        </>
      ),
    });
  if (invoice.status === 'void' || invoice.status === 'cancelled') {
    return showPage(ctx, 200, {
      title: words.say('payer.invoice_not_due'),
      mark: 'bad',
      children: (
        <>
          <p>{words.say('payer.late_payment_goes_back')}</p>
          {facts}
        </>
      ),
    });
  }
  showPage(ctx, 200, {
    title: words.say('payer.confirming'),
    mark: 'waiting',
    refresh: REFRESH_SECONDS,
    children: (
      <>
        <p>{words.say('payer.confirming_invoice')}</p>
        {facts}
      </>
    ),
  });
}

/** The page to which the payer of an invoice returns without paying. */
export async function showInvoiceCheckout(
  ctx: ApiContext,
  { db }: ApiDependencies,
  checkout: Checkout,
): Promise<void> {
  const invoice = (await findInvoiceById(db.manager, checkout.invoice_id!))!;
  const workspace = (await findWorkspace(db.manager, checkout.workspace_id))!;
  const words = showAs(ctx, workspace, (await findPayer(db.manager, invoice.id)).locale);
  const facts = <InvoiceFacts invoice={invoice} payee={workspace.name} />;
  if (checkout.state !== 'open' || !checkout.url)
    return showPage(ctx, 200, { title: words.say('payer.checkout_closed'), mark: 'bad', children: facts });
  showPage(ctx, 200, {
    title: words.say('payer.left_checkout'),
    mark: 'waiting',
    children: (
      <>
        <p>{words.say('payer.invoice_not_paid')}</p>
        <a class="button" href={checkout.url}>
          {words.say('payer.continue_to_payment')}
        </a>
        {facts}
      </>
    ),
  });
}
