import { findChargeableCard, listRefusedCharges } from '../../db/queries/invoices/collection.js';
import { findBooker, findReplacement, listInvoiceMoney } from '../../db/queries/invoices/money.js';
import { findInvoiceById } from '../../db/queries/invoices/invoice.js';
import { namedLines } from '../../db/queries/invoices/named-lines.js';
import { findPayer } from '../../db/queries/invoices/payer.js';
import { listRefunds } from '../../db/queries/payments/refund.js';
import { findPayerBooking } from '../../db/queries/bookings/payer-booking.js';
import { findWorkspace } from '../../db/queries/workspaces/workspace.js';
import { ApiError } from '../../domain/errors.js';
import { whyNotCharge, whyNotTakePayments } from '../../domain/processor/refusals.js';
import { isPayable } from '../../domain/invoices/invoice.js';
import { outstandingMinor } from '../../domain/invoices/invoice-presenter.js';
import type { ApiDependencies } from '../../api/dependencies.js';
import type { ApiContext, Handler } from '../../api/http/context.js';
import { openCheckout } from '../../api/resources/invoices/checkout.js';
import { listDocuments } from '../../db/queries/invoices/document.js';
import { drawDocument } from '../../commands/invoices/pdf/drawing.js';
import { invoiceFile, refundFile } from '../../commands/invoices/pdf/files.js';
import { sendPdf } from '../../api/http/files.js';
import { nameOfInvoice } from '../../domain/invoices/document-number.js';
import { AmountDue, InvoiceFacts, type OpenedInvoice } from './invoice-facts.js';
import { linkLimiter, type LinkUse } from './link-limits.js';
import type { WordKey, Words } from '../../domain/words/words.js';
import { assertNotFromOtherSite } from '../ui/browser.js';
import { showAs, wordsIn } from '../ui/language.js';
import { showPage } from '../ui/layout.js';
import { keepToken, leaveToken, readGivenToken } from '../ui/link-session.js';

/** Counts the request and finds the invoice of its link. Null if a page or a redirect was already sent. */
async function invoiceOfLink(
  ctx: ApiContext,
  deps: ApiDependencies,
  use: LinkUse = {},
): Promise<OpenedInvoice | null> {
  const { manager } = deps.db;
  ctx.set('Referrer-Policy', 'no-referrer');
  const given = readGivenToken(ctx, deps);
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
    showAs(ctx, workspace, (await findPayer(manager, invoice.id)).locale);
    const outstanding = outstandingMinor(invoice);
    const card = outstanding > 0 ? await findChargeableCard(manager, invoice, outstanding) : null;
    const wasRefused = card && (await listRefusedCharges(manager, [invoice.id])).length > 0;
    return {
      invoice: { ...invoice, lines: await namedLines(manager, invoice) },
      workspace,
      path,
      money: await listInvoiceMoney(manager, invoice.id),
      refunds: await listRefunds(manager, { invoice_id: invoice.id }),
      bookedBy: invoice.booking_id && (await findBooker(manager, invoice.booking_id)),
      autopay: card && !wasRefused ? card.last4 : null,
      isCharged: card !== null,
    };
  }
  const words = wordsIn(ctx);
  showPage(ctx, 404, {
    title: words.say(given ? 'payer.invoice_unknown' : 'payer.invoice_by_link'),
    mark: 'bad',
    children: <p>{words.say(given ? 'payer.invoice_unknown_help' : 'payer.no_cookie')}</p>,
  });
  return null;
}

const ENDED = {
  paid: { title: 'payer.invoice_paid', mark: 'good' },
  refunded: { title: 'payer.invoice_refunded', mark: 'good' },
  void: { title: 'payer.invoice_not_due', mark: 'bad' },
  cancelled: { title: 'payer.invoice_not_due', mark: 'bad' },
} as const;

/** What happens or has happened to the payer's card; null if it is not charged. */
function describeCardCharge(
  words: Words,
  { invoice, workspace, autopay, isCharged }: OpenedInvoice,
  amount: string,
): string | null {
  const { collection, due_at } = invoice;
  const { currency } = invoice;
  const day = (at: Date): string => words.day(at, { currency, time_zone: workspace.time_zone });
  if (collection?.status === 'charging') return words.say('payer.card_charging', { amount });
  if (collection?.status === 'action_required') return words.say('payer.card_needs_you');
  if (collection?.status === 'retrying' && collection.next_at && isCharged)
    return words.say('payer.card_retrying', { day: day(new Date(collection.next_at)) });
  if (!autopay) return null;
  const charged = { amount, last4: autopay };
  if (due_at <= new Date()) return words.say('payer.card_charged_soon', charged);
  return words.say('payer.card_charged_on', { ...charged, day: day(due_at) });
}

/** Why an amount cannot be paid by card. */
const BOUNDS = {
  minimum: 'payer.below_minimum',
  maximum: 'payer.above_maximum',
  step: 'payer.not_in_steps',
} as const satisfies Record<NonNullable<ReturnType<typeof whyNotCharge>>['bound'], WordKey>;

/** The page of an invoice that can be paid, with the problem of the last attempt. */
async function showPayable(ctx: ApiContext, deps: ApiDependencies, opened: OpenedInvoice): Promise<void> {
  const { invoice, workspace, path, autopay } = opened;
  const booking = invoice.booking_id && (await findPayerBooking(deps.db.manager, invoice.booking_id));
  const isHeld = booking && booking.status === 'pending_payment';
  const { currency } = invoice;
  const outstanding = outstandingMinor(invoice);
  const unfit = whyNotCharge({ amount_minor: outstanding, currency });
  const canPayOnline = !whyNotTakePayments(workspace) && !unfit;
  const words = wordsIn(ctx);
  const { name } = workspace;
  const amount = words.amount(outstanding, currency);
  const notice = describeCardCharge(words, opened, amount);
  showPage(ctx, 200, {
    title: words.say('payer.invoice_from', { name }),
    children: (
      <>
        <AmountDue {...opened} />
        {notice && !isHeld && <p>{notice}</p>}
        {isHeld && booking.checkout_url && (
          <a class="button" href={booking.checkout_url}>
            {words.say('payer.continue_to_payment')}
          </a>
        )}
        {!isHeld && canPayOnline && (
          <form method="post" action={path}>
            <button type="submit">{words.say(autopay ? 'payer.pay_now' : 'payer.pay', { amount })}</button>
          </form>
        )}
        {!isHeld && !canPayOnline && (
          <>
            <p>
              {unfit
                ? words.say(BOUNDS[unfit.bound], { amount, bound: words.amount(unfit.minor, currency) })
                : words.say('payer.not_online')}{' '}
              {!workspace.payment_instructions && words.say('payer.contact_to_pay', { name })}
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
 * `GET /pay/:token` shows an invoice to its payer (docs/rules/billing.md#payment-links). It starts nothing at
 * the processor, because mail clients open links too.
 */
export function showInvoice(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const opened = await invoiceOfLink(ctx, deps);
    if (!opened) return;
    const { status } = opened.invoice;
    if (isPayable(opened.invoice)) return showPayable(ctx, deps, opened);
    const words = wordsIn(ctx);
    const { title, mark } = ENDED[status as keyof typeof ENDED];
    const { manager } = deps.db;
    const { id, booking_id } = opened.invoice;
    const replacement = status === 'void' ? await findReplacement(manager, id) : null;
    const booking = status === 'void' && booking_id ? await findPayerBooking(manager, booking_id) : null;
    showPage(ctx, 200, {
      title: words.say(title),
      mark,
      children: (
        <>
          {booking?.status === 'expired' && <p>{words.say('payer.expired_why')}</p>}
          {booking?.status === 'cancelled' && <p>{words.say('payer.cancelled')}.</p>}
          {replacement && <p>{words.say('payer.takes_its_place', { number: nameOfInvoice(replacement) })}</p>}
          <InvoiceFacts {...opened} />
        </>
      ),
    });
  };
}

/** `GET /pay/:token/pdf`, or the page if the invoice was not issued. */
export function showPdf(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const opened = await invoiceOfLink(ctx, deps, { document: true });
    if (!opened) return;
    const file = await invoiceFile(deps.db.manager, opened.invoice);
    if (!file) return ctx.redirect(opened.path);
    sendPdf(ctx, file.name, file.content);
  };
}

/**
 * `GET /pay/:token/refunds/:refund.pdf`: a credit note, or the confirmation of a
 * refund that was never billed.
 */
export function showRefundPdf(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const opened = await invoiceOfLink(ctx, deps, { document: true });
    if (!opened) return;
    const file = await refundFile(deps.db.manager, opened.invoice, ctx.params.refund!);
    if (!file) return ctx.redirect(opened.path);
    sendPdf(ctx, file.name, file.content);
  };
}

/** `GET /pay/:token/documents/:number.pdf`: an invoice, supplement or credit note. */
export function showDocument(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const opened = await invoiceOfLink(ctx, deps, { document: true });
    if (!opened) return;
    const documents = await listDocuments(deps.db.manager, opened.invoice.id);
    const document = documents.find(({ number }) => number === ctx.params.number);
    if (!document) return ctx.redirect(opened.path);
    sendPdf(ctx, document.number, await drawDocument(document));
  };
}

/** `POST /pay/:token` redirects the payer to the hosted page: the one that is already open, or a new one. */
export function openPayment(deps: ApiDependencies): Handler {
  return async (ctx) => {
    const opened = await invoiceOfLink(ctx, deps, { changes: true });
    if (!opened) return;
    const words = wordsIn(ctx);
    try {
      const { checkout_url } = await openCheckout(deps, opened.invoice.id, null);
      // A page instead of a redirect: browsers follow a form's redirect only to origins in the page's policy.
      showPage(ctx, 200, {
        title: words.say('payer.continue_to_payment'),
        mark: 'waiting',
        goTo: checkout_url,
        children: (
          <a class="button" href={checkout_url}>
            {words.say('payer.continue_to_payment')}
          </a>
        ),
      });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // The invoice can no longer be paid, for example because it was paid or voided meanwhile. The page says
      // why.
      if (error.status === 409) {
        ctx.status = 303;
        ctx.redirect(opened.path);
        return;
      }
      showPage(ctx, error.status, {
        title: words.say('payer.not_started'),
        mark: 'bad',
        children: (
          <>
            <p>{words.say('payer.not_started_help', { name: opened.workspace.name })}</p>
            <a class="button" href={opened.path}>
              {words.say('payer.back_to_invoice')}
            </a>
            <InvoiceFacts {...opened} />
          </>
        ),
      });
    }
  };
}
