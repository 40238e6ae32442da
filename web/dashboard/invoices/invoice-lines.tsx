import type { InvoiceRow } from '../../../db/queries/invoices/invoice.js';
import { outstandingMinor } from '../../../domain/invoices/invoice-presenter.js';
import type { ApiContext } from '../../../api/http/context.js';
import { createFormats } from '../../ui/formats.js';

export function Lines({
  ctx,
  invoice,
  refunded,
}: {
  ctx: ApiContext;
  invoice: InvoiceRow;
  refunded: number;
}) {
  const { amount } = createFormats(ctx);
  const show = (minor: number) => amount(minor, invoice.currency);
  const outstanding = outstandingMinor(invoice);
  const sums: [string, number][] = [
    ['Net', invoice.net_minor],
    ['Tax', invoice.tax_minor],
    ['Total', invoice.total_minor],
    ['Paid', invoice.paid_minor],
    ...(refunded > 0 ? [['Refunded', refunded] as [string, number]] : []),
    ...(outstanding > 0 ? [['Due', outstanding] as [string, number]] : []),
  ];
  return (
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th>Description</th>
            <th class="number">Quantity</th>
            <th class="number">Unit price</th>
            <th class="number">Tax</th>
            <th class="number">Net</th>
          </tr>
        </thead>
        <tbody>
          {invoice.lines.map((line, index) => (
            <tr key={index}>
              <td>{line.description}</td>
              <td class="number" data-label="Quantity">
                {Number(line.quantity)}
              </td>
              <td class="number" data-label="Unit price">
                {show(line.unit_amount_minor)}
              </td>
              <td class="number" data-label="Tax">
                {line.tax_rate_bps / 100}% <small>{show(line.tax_minor)}</small>
              </td>
              <td class="number" data-label="Net">
                {show(line.net_minor)}
              </td>
            </tr>
          ))}
          {sums.map(([name, minor]) => (
            <tr key={name} class={`sums ${name.toLowerCase()}`}>
              <td colSpan={4}>{name}</td>
              <td class="number">{show(minor)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
