import type { ComponentChildren } from 'preact';
import type { ApiContext } from '../../../api/http/context.js';
import { CHART_CSS } from '../../ui/charts.js';
import { pathIn } from '../shared/paths.js';

/** The pages of all reports. */
export const reportTabs = () => [
  { at: '/reports', name: 'Receivables' },
  { at: '/reports/tax', name: 'Tax' },
  { at: '/reports/usage', name: 'Usage' },
  { at: '/reports/payouts', name: 'Payouts' },
];

export const assets = () => ({ css: CHART_CSS });

/** The link to a report as CSV, with the query of the page. */
export function CsvLink({ ctx, path }: { ctx: ApiContext; path: string }) {
  return (
    <p class="links">
      <a href={pathIn(ctx, path) + ctx.search}>Export CSV</a>
    </p>
  );
}

/** A column of numbers; `show` gives null for zero, so that the cell is empty. */
export interface NumberColumn<Row> {
  name: string;
  show: (row: Row) => string | null;
}

/** A table of numbers with a name for each row, and their sums. On a phone each row is a block. */
export function ReportTable<Row>(props: {
  label: string;
  first: string;
  rows: { key: string; name: ComponentChildren; row: Row }[];
  columns: NumberColumn<Row>[];
  total?: Row;
}) {
  const { label, first, rows, columns, total } = props;
  const cells = (row: Row) =>
    columns.map(({ name, show }) => {
      const shown = show(row);
      return (
        <td key={name} class="number" data-label={name}>
          {shown}
        </td>
      );
    });
  return (
    <div class="scroll">
      <table aria-label={label}>
        <thead>
          <tr>
            <th scope="col">{first}</th>
            {columns.map(({ name }) => (
              <th key={name} class="number" scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, name, row }) => (
            <tr key={key}>
              <td>{name}</td>
              {cells(row)}
            </tr>
          ))}
          {total && (
            <tr class="total">
              <td>Total</td>
              {cells(total)}
            </tr>
          )}
        </tbody>
      </table>
    </div>
  );
}
