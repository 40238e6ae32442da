import { groupBy } from '../group-by.js';
import { negated, scaledTo, sumByTax, type TaxPart } from '../invoices/credited-tax.js';
import type { DocumentKind } from '../invoices/document.js';
import { taxKey } from '../invoices/tax.js';

/** Net and tax at one rate, in hundredths of a percent. Minor units. */
export interface RateTotals {
  tax_rate_bps: number;
  net_minor: number;
  tax_minor: number;
}

/** Net and tax by rate in one currency, highest rate first. Minor units. */
export interface TaxTotals {
  currency: string;
  net_minor: number;
  tax_minor: number;
  rates: RateTotals[];
}

/** Money that moved. Minor units; below zero if it was returned. */
export interface MovedMoney {
  at: Date;
  amount_minor: number;
}

/** A document with the money that settled it alone, as `money_of_document` returns it. */
export interface TaxedDocument {
  source_id: string;
  kind: DocumentKind;
  issued_at: Date;
  lines: TaxPart[];
  /** The source of the document that this one cancels. */
  cancels: string | null;
  /** It is of a credit adjustment, which can have several refunds. */
  is_adjustment: boolean;
  money: MovedMoney[];
}

/** The documents of an invoice, and its money. */
export interface TaxedInvoice {
  currency: string;
  documents: TaxedDocument[];
  /** What was refunded while the invoice was open, as `money_paid_again` returns it. */
  paid_again: MovedMoney[];
}

const signed = ({ kind, lines }: TaxedDocument): TaxPart[] =>
  kind === 'credit_note' ? negated(lines) : lines;
const gross = (parts: TaxPart[]): number =>
  parts.reduce((sum, { net_minor, tax_minor }) => sum + net_minor + tax_minor, 0);
const isIn = (at: Date, { from, to }: { from: Date; to: Date }): boolean => at >= from && at < to;

/** Adds up parts by rate, highest rate first. Rates whose net and tax are both zero are left out. */
export function totalsByRate(parts: Omit<RateTotals, 'account'>[]): RateTotals[] {
  return [...groupBy(parts, ({ tax_rate_bps }) => tax_rate_bps)]
    .map(([tax_rate_bps, of]) => ({
      tax_rate_bps,
      net_minor: of.reduce((sum, { net_minor }) => sum + net_minor, 0),
      tax_minor: of.reduce((sum, { tax_minor }) => sum + tax_minor, 0),
    }))
    .filter(({ net_minor, tax_minor }) => net_minor !== 0 || tax_minor !== 0)
    .sort((a, b) => b.tax_rate_bps - a.tax_rate_bps);
}

/** Returns the totals of each currency, in the order of their codes. */
export const taxTotals = (parts: (RateTotals & { currency: string })[]): TaxTotals[] =>
  [...groupBy(parts, ({ currency }) => currency)]
    .map(([currency, of]) => {
      const rates = totalsByRate(of);
      return {
        currency,
        net_minor: rates.reduce((sum, { net_minor }) => sum + net_minor, 0),
        tax_minor: rates.reduce((sum, { tax_minor }) => sum + tax_minor, 0),
        rates,
      };
    })
    .filter(({ rates }) => rates.length > 0)
    .sort((a, b) => (a.currency < b.currency ? -1 : 1));

/** Adds up parts by tax code, rate and account; a sum can be below zero. */
const sumSigned = (parts: TaxPart[]): TaxPart[] =>
  [...groupBy(parts, taxKey).values()].map((of) => ({
    ...of[0]!,
    net_minor: of.reduce((sum, { net_minor }) => sum + net_minor, 0),
    tax_minor: of.reduce((sum, { tax_minor }) => sum + tax_minor, 0),
  }));

/**
 * Returns the part of documents that money has paid: all of it, or a share of each tax code. A tax code can
 * be below zero in all of it, if a change took off what a supplement with a payment of its own had charged.
 */
function paidPart(documents: TaxedDocument[], paid_minor: number, currency: string): TaxPart[] {
  const charged = sumSigned(documents.flatMap(signed));
  if (paid_minor <= 0) return [];
  return paid_minor >= gross(charged) ? charged : scaledTo(sumByTax(charged), paid_minor, currency);
}

/**
 * Returns net and tax of the money that moved on an invoice in `[from, to)` (docs/rules/reports.md#tax). A
 * document with a payment or refund of its own counts on the day of that money. All other documents of the
 * invoice are paid by its other payments together; a payment pays the same share of each of their tax codes.
 * What a later document changes about money that has been paid counts on the day on which that document is
 * issued. So the periods of an invoice that is paid add up to exactly what its documents charge.
 */
export function taxOfMoney(
  { currency, documents, paid_again }: TaxedInvoice,
  period: { from: Date; to: Date },
): TaxPart[] {
  const bySource = new Map(documents.map((document) => [document.source_id, document]));
  const subject = (document: TaxedDocument): TaxedDocument =>
    (document.cancels !== null && bySource.get(document.cancels)) || document;
  const isCancelled = (document: TaxedDocument): boolean =>
    documents.some(({ cancels }) => cancels === document.source_id);

  const parts: TaxPart[] = [];
  const shared: TaxedDocument[] = [];
  for (const document of documents) {
    const about = subject(document);
    if (about.is_adjustment) {
      // A credit that was cancelled because a refund has failed: its other refunds have documents.
      if (about === document && !isCancelled(document)) parts.push(...ofRefunds(document, currency, period));
    } else if (about.kind !== 'invoice' && about.money.length > 0) {
      const at = about === document ? document.money[0]!.at : document.issued_at;
      if (isIn(at, period)) parts.push(...signed(document));
    } else shared.push(document);
  }

  const money = [
    ...shared.filter(({ kind }) => kind === 'invoice').flatMap(({ money }) => money),
    ...paid_again,
  ];
  const paidBefore = (end: Date): TaxPart[] =>
    paidPart(
      // Money can have moved before the invoice was issued: its day counts.
      shared.filter(({ kind, issued_at }) => kind === 'invoice' || issued_at < end),
      money.filter(({ at }) => at < end).reduce((sum, { amount_minor }) => sum + amount_minor, 0),
      currency,
    );
  return [...parts, ...paidBefore(period.to), ...negated(paidBefore(period.from))];
}

/** Returns the share of a credit adjustment that was refunded in a period. */
function ofRefunds(
  document: TaxedDocument,
  currency: string,
  { from, to }: { from: Date; to: Date },
): TaxPart[] {
  const refundedBefore = (end: Date): TaxPart[] => {
    const minor = document.money
      .filter(({ at }) => at < end)
      .reduce((sum, { amount_minor }) => sum + amount_minor, 0);
    return paidPart([{ ...document, kind: 'invoice' }], minor, currency);
  };
  return [...negated(refundedBefore(to)), ...refundedBefore(from)];
}
