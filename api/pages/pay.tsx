import { findInvoiceById, type InvoiceRow } from '../../db/repositories/billing/invoice-queries.js';
import { listPayments } from '../../db/repositories/billing/payment-queries.js';
import { findBookingPage } from '../../db/repositories/bookings/booking-page-queries.js';
import { findWorkspace } from '../../db/repositories/workspaces/workspace-queries.js';
import type { Workspace } from '../../db/rows.js';
import { ApiError } from '../../domain/errors.js';
import { formatMoney } from '../../domain/display.js';
import { outstandingOf } from '../../domain/presenters/invoice.js';
import type { ApiDependencies } from '../dependencies.js';
import type { ApiContext, Handler } from '../http/context.js';
import { openCheckout } from '../invoices/checkout.js';
import { pdfOf } from '../invoices/send.js';
import { showPage } from './layout.js';

const MAX_PAYMENTS = 100;

/** An invoice as its payer sees it. */
interface Opened {
  invoice: InvoiceRow;
  workspace: Workspace;
  /** The path of the page. */
  path: string;
  /** What was refunded, or is on its way back; minor units. */
  refunded_minor: number;
}

/** The invoice of a link; null after a page that says that there is none. */
async function invoiceOfLink(ctx: ApiContext, deps: ApiDependencies): Promise<Opened | null> {
  const { manager } = deps.db;
  const id = deps.payLinks.read(ctx.params.token!);
  const invoice = id ? await findInvoiceById(manager, id) : null;
  if (invoice && invoice.status !== 'draft') {
    const workspace = (await findWorkspace(manager, invoice.workspace_id))!;
    const payments = await listPayments(manager, {
      workspace_id: workspace.id,
      invoice_id: invoice.id,
      limit: MAX_PAYMENTS,
    });
    const refunded_minor = payments.reduce((sum, payment) => sum + payment.refunded_minor, 0);
    return { invoice, workspace, path: `/pay/${ctx.params.token}`, refunded_minor };
  }
  showPage(ctx, 404, {
    title: 'Unknown invoice',
    mark: 'bad',
    children: <p>Open the link from your email again, or contact the sender of the invoice.</p>,
  });
  return null;
}

function Facts({ invoice, workspace, path, refunded_minor }: Opened) {
  const money = (amount_minor: number): string => formatMoney({ amount_minor, currency: invoice.currency });
  const outstanding = outstandingOf(invoice);
  const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: workspace.time_zone });
  const facts = [
    ['Invoice', invoice.accounting_reference],
    ['From', workspace.name],
    ...invoice.lines.map(({ description, net_minor }) => [description, money(net_minor)]),
    ...(invoice.tax_minor === 0 ? [] : [['Tax', money(invoice.tax_minor)]]),
    ['Total', money(invoice.total_minor)],
    ...(refunded_minor > 0 ? [['Refunded', money(refunded_minor)]] : []),
    ...(outstanding > 0 && outstanding < invoice.total_minor ? [['Amount due', money(outstanding)]] : []),
    ...(outstanding > 0 ? [['Due', day.format(invoice.due_at)]] : []),
  ];
  return (
    <>
      <dl>
        {facts.map(([term, value], index) => (
          <div key={index}>
            <dt>{term}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <p>
        <a href={`${path}/pdf`}>Download invoice (PDF)</a>
      </p>
    </>
  );
}

const ENDED = {
  paid: { title: 'This invoice has been paid', mark: 'good' },
  refunded: { title: 'This invoice has been refunded', mark: 'good' },
  void: { title: 'This invoice is no longer due', mark: 'bad' },
  cancelled: { title: 'This invoice is no longer due', mark: 'bad' },
} as const;

/** The page of an invoice that can be paid, with a problem that the last attempt had. */
async function showPayable(ctx: ApiContext, deps: ApiDependencies, opened: Opened): Promise<void> {
  const { invoice, workspace, path } = opened;
  const booking = invoice.booking_id && (await findBookingPage(deps.db.manager, invoice.booking_id));
  const isHeld = booking && booking.status === 'pending_payment';
  const canPayOnline = workspace.processor_status === 'active';
  const amount = formatMoney({ amount_minor: outstandingOf(invoice), currency: invoice.currency });
  showPage(ctx, 200, {
    title: `Invoice from ${workspace.name}`,
    children: (
      <>
        {isHeld && booking.checkout_url && (
          <a class="button" href={booking.checkout_url}>
            Continue to payment
          </a>
        )}
        {!isHeld && canPayOnline && (
          <form method="post" action={path}>
            <button type="submit">Pay {amount}</button>
          </form>
        )}
        {!isHeld && !canPayOnline && (
          <p>This invoice cannot be paid online at the moment. Contact {workspace.name} to pay it.</p>
        )}
        <Facts {...opened} />
      </>
    ),
  });
}

/**
 * `GET /pay/:token` shows an invoice to its payer (docs/rules/billing.md#pay-links). It starts nothing at the processor,
 * since mail programs open links too.
 */
export function showInvoice(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const opened = await invoiceOfLink(ctx, deps);
    if (!opened) return;
    const { status } = opened.invoice;
    if (status === 'open' || status === 'authorised') return showPayable(ctx, deps, opened);
    showPage(ctx, 200, { ...ENDED[status as keyof typeof ENDED], children: <Facts {...opened} /> });
  };
}

/** `GET /pay/:token/pdf` */
export function showPdf(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const opened = await invoiceOfLink(ctx, deps);
    if (!opened) return;
    ctx.type = 'application/pdf';
    ctx.set('Cache-Control', 'no-store');
    ctx.set('Content-Disposition', `inline; filename="${opened.invoice.id}.pdf"`);
    ctx.body = await pdfOf(deps, opened.invoice);
  };
}

/** `POST /pay/:token` opens the hosted page, or returns to the one that is open, and takes the payer there. */
export function payInvoice(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const opened = await invoiceOfLink(ctx, deps);
    if (!opened) return;
    try {
      const { checkout_url } = await openCheckout(deps, opened.invoice.id);
      // A page and not a redirect: browsers follow a form's redirect only to the origins that the policy names.
      showPage(ctx, 200, {
        title: 'Continue to payment',
        mark: 'waiting',
        goTo: checkout_url,
        children: (
          <a class="button" href={checkout_url}>
            Continue to payment
          </a>
        ),
      });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // Paid, voided or held meanwhile: the page says so.
      if (error.status === 409) {
        ctx.status = 303;
        ctx.redirect(opened.path);
        return;
      }
      showPage(ctx, error.status, {
        title: 'The payment could not be started',
        mark: 'bad',
        children: (
          <>
            <p>Nothing has been charged. Try again in a moment, or contact {opened.workspace.name}.</p>
            <a class="button" href={opened.path}>
              Back to invoice
            </a>
            <Facts {...opened} />
          </>
        ),
      });
    }
  };
}
