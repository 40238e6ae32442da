import type {
  Difference,
  DifferenceKind,
  ReconciliationReport,
} from '../../../domain/reconciliation/differences.js';
import type { ApiContext } from '../../../api/http/context.js';
import { pathIn } from '../shared/paths.js';
import { createFormats } from '../../ui/formats.js';

/** What each kind of difference means and what to do (docs/rules/billing.md#reconciliation). */
const KINDS: Record<DifferenceKind, { what: string; todo: string }> = {
  processor_missing: {
    what: 'Payment missing in Stripe',
    todo: 'Check that the account is connected. If it is, contact the operator of the service.',
  },
  ledger_missing: {
    what: 'Payment missing here',
    todo: 'It is checked every hour. If it is still listed tomorrow, contact the operator of the service.',
  },
  processor_amount: {
    what: 'Amounts differ in Stripe',
    todo:
      'A refund made in Stripe is imported within an hour. The amounts differ while it is pending in ' +
      'Stripe. Run the comparison again once it has succeeded.',
  },
  ledger_amount: {
    what: 'Paid invoice without its full payment',
    todo: 'Open the invoice and compare its payments with its total.',
  },
  accounting_missing: {
    what: 'Latest change missing in the accounting system',
    todo: 'It is sent again every hour. The invoice shows why it was rejected.',
  },
  accounting_amount: {
    what: 'Amounts or status differ in the accounting system',
    todo: 'Someone changed the document there. Restore it, or adjust the invoice here.',
  },
  accounting_duplicate: {
    what: 'Duplicate sale in the accounting system',
    todo:
      'Open both documents there. Before you void one, remove its payment. Nothing is voided ' +
      'automatically.',
  },
};

function Totals({ ctx, report }: { ctx: ApiContext; report: ReconciliationReport }) {
  const { amount } = createFormats(ctx);
  const { currency } = ctx.state.membership!;
  const rows = [[currency, report.totals] as const, ...Object.entries(report.other_currencies)];
  return (
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th>Payments minus refunds</th>
            <th class="number">Here</th>
            <th class="number">Stripe</th>
            <th class="number">Accounting</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([code, totals]) => (
            <tr key={code}>
              <td>{code}</td>
              <td class="number" data-label="Here">
                {amount(totals.ledger, code)}
              </td>
              <td class="number" data-label="Stripe">
                {amount(totals.processor, code)}
              </td>
              <td class="number" data-label="Accounting">
                {amount(totals.accounting, code)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Why the totals can differ although nothing needs correction. */
function Explained({ ctx, report: { totals } }: { ctx: ApiContext; report: ReconciliationReport }) {
  const { amount } = createFormats(ctx);
  const [byHand, later] = [totals.ledger - totals.processor, totals.ledger - totals.accounting];
  return (
    <>
      {byHand > 0 && `Of the total here, ${amount(byHand)} was recorded by hand. `}
      {later > 0 &&
        totals.accounting > 0 &&
        `${amount(later)} was received for invoices that are not paid in full yet. The ` +
          'accounting total does not include it until they are.'}
    </>
  );
}

function DifferenceCard({ ctx, difference }: { ctx: ApiContext; difference: Difference }) {
  const { kind, invoice_id, message } = difference;
  return (
    <article class="card trouble">
      <strong>{KINDS[kind].what}</strong>
      <p>
        {message} {invoice_id && <a href={pathIn(ctx, `/invoices/${invoice_id}`)}>View invoice</a>}
      </p>
      <p class="soft">{KINDS[kind].todo}</p>
    </article>
  );
}

export function Report({ ctx, report }: { ctx: ApiContext; report: ReconciliationReport }) {
  const { differences, invoices_examined } = report;
  const compared = invoices_examined === 1 ? 'One invoice' : `${invoices_examined} invoices`;
  return (
    <>
      <p id="result">
        <strong>
          {compared} compared,{' '}
          {differences.length === 0 ? 'nothing to correct' : `${differences.length} to correct`}.
        </strong>
      </p>
      <Totals ctx={ctx} report={report} />
      <p class="hint">
        Stripe: card payments only. Accounting: paid invoices only.{' '}
        {differences.length === 0 && <Explained ctx={ctx} report={report} />}
      </p>
      {differences.length > 0 && <h2>To correct</h2>}
      {differences.map((difference) => (
        <DifferenceCard
          key={`${difference.kind} ${difference.invoice_id} ${difference.message}`}
          ctx={ctx}
          difference={difference}
        />
      ))}
    </>
  );
}
