import { findChargeableCard, findRefusedCharges } from '../../db/queries/billing/collection.js';
import { findBooker, findReplacement, listInvoiceMoney } from '../../db/queries/billing/invoice-money.js';
import { findInvoiceById } from '../../db/queries/billing/invoice.js';
import { listRefunds } from '../../db/queries/billing/refund.js';
import { findPayerBooking } from '../../db/queries/bookings/payer-booking.js';
import { findWorkspace } from '../../db/queries/workspaces/workspace.js';
import { ApiError } from '../../domain/errors.js';
import { whyNotCharge, whyNotTakePayments } from '../../domain/processor-refusals.js';
import { isPayable } from '../../domain/invoice.js';
import { outstandingOf } from '../../domain/presenters/invoice.js';
import type { ApiDependencies } from '../../api/dependencies.js';
import type { ApiContext, Handler } from '../../api/http/context.js';
import { openCheckout } from '../../api/resources/invoices/checkout.js';
import { documentsOf } from '../../commands/billing/invoice-documents.js';
import { drawDocument } from '../../commands/paper/drawing.js';
import { refundFile } from '../../api/resources/payments/pdf.js';
import { sendPdf } from '../../api/http/files.js';
import { documentNumberOf } from '../../domain/invoice-document.js';
import { pdfOf } from '../../api/resources/invoices/send.js';
import { InvoiceFacts, type OpenedInvoice } from './invoice-facts.js';
import { linkLimiter, type LinkUse } from './link-limits.js';
import { formatsIn } from '../ui/formats.js';
import { assertNotFromOtherSite } from '../ui/browser.js';
import { showPage } from '../ui/layout.js';
import { keepToken, leaveToken, NO_COOKIE, tokenOf } from '../ui/link-session.js';
import { amountOf } from '../ui/parts.js';

/**
 * The invoice of a link, after the request was counted; null after a page that says that there is none, or the redirect to
 * the page without the token.
 */
async function invoiceOfLink(
  ctx: ApiContext,
  deps: ApiDependencies,
  use: LinkUse = {},
): Promise<OpenedInvoice | null> {
  const { manager } = deps.db;
  ctx.set('Referrer-Policy', 'no-referrer');
  const given = tokenOf(ctx, deps);
  const id = given && deps.payLinks.idIn(given.token);
  const found = id ? await findInvoiceById(manager, id) : null;
  const isOpened = found && found.status !== 'draft' && deps.payLinks.isValid(given!.token, found);
  const invoice = isOpened ? found : null;
  await linkLimiter(deps)(ctx, invoice && invoice.id, use);
  if (given && invoice) {
    const path = `/pay/${invoice.id}`;
    if (given.isInAddress) keepToken(ctx, deps, path, given.token);
    else if (use.changes) assertNotFromOtherSite(ctx, deps);
    if (given.isInAddress && !use.document && !use.changes) {
      leaveToken(ctx, deps, path, given.token);
      return null;
    }
    const workspace = (await findWorkspace(manager, invoice.workspace_id))!;
    ctx.state.house = workspace;
    const outstanding = outstandingOf(invoice);
    const card = outstanding > 0 ? await findChargeableCard(manager, invoice, outstanding) : null;
    const wasRefused = card && (await findRefusedCharges(manager, invoice.id)).length > 0;
    return {
      invoice,
      workspace,
      path,
      money: await listInvoiceMoney(manager, invoice.id),
      refunds: await listRefunds(manager, { invoice_id: invoice.id }),
      bookedBy: invoice.booking_id && (await findBooker(manager, invoice.booking_id)),
      autopay: card && !wasRefused ? card.last4 : null,
      isCharged: card !== null,
    };
  }
  showPage(ctx, 404, {
    title: given ? 'Unknown invoice' : 'Open your invoice by its link',
    mark: 'bad',
    children: (
      <p>
        {given ? 'Open the link from your email again, or contact the sender of the invoice.' : NO_COOKIE}
      </p>
    ),
  });
  return null;
}

const ENDED = {
  paid: { title: 'This invoice has been paid', mark: 'good' },
  refunded: { title: 'This invoice has been refunded', mark: 'good' },
  void: { title: 'This invoice is no longer due', mark: 'bad' },
  cancelled: { title: 'This invoice is no longer due', mark: 'bad' },
} as const;

/** What happens or has happened to the payer's card; null if it is not charged. */
function noticeOf({ invoice, workspace, autopay, isCharged }: OpenedInvoice, amount: string): string | null {
  const { collection, due_at } = invoice;
  const { day } = formatsIn({ currency: invoice.currency, time_zone: workspace.time_zone });
  if (collection?.status === 'charging')
    return `${amount} is being charged to your card. No action is needed.`;
  if (collection?.status === 'action_required')
    return 'Your card was not charged: your bank asks you to confirm the payment. You can pay and confirm it here.';
  if (collection?.status === 'retrying' && collection.next_at && isCharged)
    return `Your card was declined. It will be charged again on ${day(new Date(collection.next_at))} unless the invoice has been paid by then.`;
  if (!autopay) return null;
  const when = due_at <= new Date() ? 'shortly' : `on ${day(due_at)}`;
  return `${amount} will be charged to your card ending in ${autopay} ${when}. No action is needed.`;
}

/** Why an amount cannot be paid by card. */
const BOUNDS: Record<NonNullable<ReturnType<typeof whyNotCharge>>['bound'], (bound: string) => string> = {
  minimum: (bound) => `the smallest card payment is ${bound}`,
  maximum: (bound) => `the largest card payment is ${bound}`,
  step: (bound) => `card payments are in steps of ${bound}`,
};

/** The page of an invoice that can be paid, with a problem that the last attempt had. */
async function showPayable(ctx: ApiContext, deps: ApiDependencies, opened: OpenedInvoice): Promise<void> {
  const { invoice, workspace, path, autopay } = opened;
  const booking = invoice.booking_id && (await findPayerBooking(deps.db.manager, invoice.booking_id));
  const isHeld = booking && booking.status === 'pending_payment';
  const { currency } = invoice;
  const outstanding = outstandingOf(invoice);
  const unfit = whyNotCharge({ amount_minor: outstanding, currency });
  const canPayOnline = !whyNotTakePayments(workspace) && !unfit;
  const amount = amountOf(outstanding, currency);
  const notice = noticeOf(opened, amount);
  showPage(ctx, 200, {
    title: `Invoice from ${workspace.name}`,
    children: (
      <>
        {notice && !isHeld && <p>{notice}</p>}
        {isHeld && booking.checkout_url && (
          <a class="button" href={booking.checkout_url}>
            Continue to payment
          </a>
        )}
        {!isHeld && canPayOnline && (
          <form method="post" action={path}>
            <button type="submit">
              Pay {amount}
              {autopay && ' now'}
            </button>
          </form>
        )}
        {!isHeld && !canPayOnline && (
          <>
            <p>
              {unfit
                ? `${amount} cannot be paid by card: ${BOUNDS[unfit.bound](amountOf(unfit.minor, currency))}.`
                : 'This invoice cannot be paid online at the moment.'}{' '}
              {!workspace.payment_instructions && `Contact ${workspace.name} to pay it.`}
            </p>
            {workspace.payment_instructions && <p class="lines">{workspace.payment_instructions}</p>}
          </>
        )}
        <InvoiceFacts {...opened} />
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
    if (isPayable(opened.invoice)) return showPayable(ctx, deps, opened);
    const replacement = status === 'void' ? await findReplacement(deps.db.manager, opened.invoice.id) : null;
    showPage(ctx, 200, {
      ...ENDED[status as keyof typeof ENDED],
      children: (
        <>
          {replacement && <p>Invoice {documentNumberOf(replacement)} takes its place.</p>}
          <InvoiceFacts {...opened} />
        </>
      ),
    });
  };
}

/** `GET /pay/:token/pdf` */
export function showPdf(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const opened = await invoiceOfLink(ctx, deps, { document: true });
    if (!opened) return;
    sendPdf(ctx, documentNumberOf(opened.invoice), await pdfOf(deps, opened.invoice));
  };
}

/** `GET /pay/:token/refunds/:refund.pdf`: a credit note, or the confirmation of a refund that was never billed. */
export function showRefundPdf(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const opened = await invoiceOfLink(ctx, deps, { document: true });
    if (!opened) return;
    const file = await refundFile(deps, opened.invoice, ctx.params.refund!);
    if (!file) return ctx.redirect(opened.path);
    sendPdf(ctx, file.name, file.content);
  };
}

/** `GET /pay/:token/documents/:number.pdf`: an invoice, supplement or credit note. */
export function showDocument(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const opened = await invoiceOfLink(ctx, deps, { document: true });
    if (!opened) return;
    const documents = await documentsOf(deps.db, opened.invoice.id);
    const document = documents.find(({ number }) => number === ctx.params.number);
    if (!document) return ctx.redirect(opened.path);
    sendPdf(ctx, document.number, await drawDocument(deps.db.manager, document));
  };
}

/** `POST /pay/:token` opens the hosted page, or returns to the one that is open, and takes the payer there. */
export function openPayment(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const opened = await invoiceOfLink(ctx, deps, { changes: true });
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
            <InvoiceFacts {...opened} />
          </>
        ),
      });
    }
  };
}
