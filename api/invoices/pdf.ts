import { createRequire } from 'node:module';
import { setImmediate } from 'node:timers/promises';
import PDFDocument from 'pdfkit';
import type { Workspace } from '../../db/rows.js';
import type { InvoiceRow } from '../../db/repositories/billing/invoice-queries.js';
import type { Payer } from '../../db/repositories/billing/payer-queries.js';
import { formatMoney } from '../../domain/money.js';
import { outstandingOf } from '../../domain/presenters/invoice.js';

type Document = InstanceType<typeof PDFDocument>;

/** Fonts for most European names; the standard PDF fonts cover western Europe only. */
const resolve = createRequire(import.meta.url).resolve;
const FONT = resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf');
const BOLD = resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf');

const MARGIN = 56;
const WIDTH = 595.28 - 2 * MARGIN;
const BOTTOM = 841.89 - MARGIN - 24;
const INK = '#1b1f24';
const SOFT = '#5a6472';

/** The columns of the invoice lines, in points. */
const COLUMNS = [
  { title: 'Description', x: 0, width: 230, align: 'left' },
  { title: 'Quantity', x: 235, width: 55, align: 'right' },
  { title: 'Unit price', x: 295, width: 75, align: 'right' },
  { title: 'Tax', x: 375, width: 35, align: 'right' },
  { title: 'Net', x: 410, width: WIDTH - 410, align: 'right' },
] as const;

const TITLES: Partial<Record<InvoiceRow['status'], string>> = {
  paid: 'Paid',
  void: 'Void',
  cancelled: 'Cancelled',
  refunded: 'Refunded',
  draft: 'Draft',
};

/**
 * An invoice as PDF with one or more pages. Dates are in the workspace's time zone. Two hundred long lines take seconds,
 * so other requests are served between lines.
 */
export async function renderInvoice(
  invoice: InvoiceRow,
  workspace: Workspace,
  payer: Payer,
): Promise<Buffer> {
  const title = `Invoice ${invoice.accounting_reference}`;
  const document = new PDFDocument({
    size: 'A4',
    margin: MARGIN,
    bufferPages: true,
    info: { Title: title, Author: workspace.name, CreationDate: invoice.created_at },
  });
  const chunks: Buffer[] = [];
  document.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise((done) => document.on('end', done));
  document.fillColor(INK);

  header(document, invoice, workspace, payer);
  await lines(document, invoice);
  totals(document, invoice);
  footer(document, title);
  document.end();
  await ended;
  return Buffer.concat(chunks);
}

function header(document: Document, invoice: InvoiceRow, workspace: Workspace, payer: Payer): void {
  const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: workspace.time_zone });
  document.font(BOLD, 18).text(workspace.name, MARGIN, MARGIN, { width: WIDTH });
  if (workspace.invoice_details)
    document.font(FONT, 9).fillColor(SOFT).text(workspace.invoice_details, { width: WIDTH });
  document.fillColor(INK).moveDown(2);
  const status = TITLES[invoice.status];
  document.font(BOLD, 14).text(`Invoice ${invoice.accounting_reference}${status ? ` (${status})` : ''}`);
  document.moveDown(0.5);
  const facts = [
    ['Billed to', payer.name],
    ['Date', day.format(invoice.created_at)],
    ['Due', day.format(invoice.due_at)],
    ...(invoice.period_start ? [['Period', `${invoice.period_start} to ${invoice.period_end}`]] : []),
    ['Invoice id', invoice.id],
  ];
  for (const [term, value] of facts as [string, string][]) {
    const { y } = document;
    document.font(FONT, 9).fillColor(SOFT).text(term, MARGIN, y, { width: 60 });
    document.fillColor(INK).text(value, MARGIN + 65, y, { width: WIDTH - 65 });
  }
  document.moveDown(1.5);
}

/** One row of the table, on the next page if it does not fit. */
function row(document: Document, cells: string[], font: string): void {
  document.font(font, 9);
  const height = Math.max(
    ...cells.map((cell, i) => document.heightOfString(cell, { width: COLUMNS[i]!.width })),
  );
  if (document.y + height > BOTTOM) document.addPage();
  const { y } = document;
  for (const [i, cell] of cells.entries()) {
    const { x, width, align } = COLUMNS[i]!;
    document.text(cell, MARGIN + x, y, { width, align });
  }
  document.y = y + height + 5;
}

function rule(document: Document): void {
  const y = document.y - 2;
  document
    .moveTo(MARGIN, y)
    .lineTo(MARGIN + WIDTH, y)
    .lineWidth(0.5)
    .strokeColor('#c9cec7')
    .stroke();
  document.y = y + 6;
}

/** Line breaks are printed as spaces: a description of nothing else would be ten pages long. */
const onOneLine = (description: string): string => description.replace(/\s+/g, ' ');

async function lines(document: Document, { lines, currency }: InvoiceRow): Promise<void> {
  row(
    document,
    COLUMNS.map(({ title }) => title),
    BOLD,
  );
  rule(document);
  for (const line of lines) {
    await setImmediate();
    row(
      document,
      [
        onOneLine(line.description),
        String(Number(line.quantity)),
        formatMoney({ amount_minor: line.unit_amount_minor, currency }),
        `${line.tax_rate_bps / 100} %`,
        formatMoney({ amount_minor: line.net_minor, currency }),
      ],
      FONT,
    );
  }
  rule(document);
}

function totals(document: Document, invoice: InvoiceRow): void {
  const { currency } = invoice;
  const taxes = new Map<number, number>();
  for (const { tax_rate_bps, tax_minor } of invoice.lines)
    taxes.set(tax_rate_bps, (taxes.get(tax_rate_bps) ?? 0) + tax_minor);
  const sums: [string, number, string][] = [
    ['Net', invoice.net_minor, FONT],
    ...[...taxes].map(([bps, tax]): [string, number, string] => [`Tax ${bps / 100} %`, tax, FONT]),
    ['Total', invoice.total_minor, BOLD],
  ];
  if (invoice.status === 'open' || invoice.status === 'authorised') {
    const outstanding = outstandingOf(invoice);
    if (outstanding < invoice.total_minor) sums.push(['Paid', invoice.total_minor - outstanding, FONT]);
    sums.push(['Amount due', outstanding, BOLD]);
  }
  for (const [term, amount_minor, font] of sums)
    row(document, ['', '', term, '', formatMoney({ amount_minor, currency })], font);
}

function footer(document: Document, title: string): void {
  const { start, count } = document.bufferedPageRange();
  for (let page = start; page < start + count; page++) {
    document.switchToPage(page);
    document.page.margins.bottom = 0;
    document
      .font(FONT, 8)
      .fillColor(SOFT)
      .text(`${title}, page ${page + 1} of ${count}`, MARGIN, BOTTOM + 12, { width: WIDTH, align: 'center' });
  }
}
