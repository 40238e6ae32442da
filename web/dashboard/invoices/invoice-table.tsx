import type { InvoiceRow } from '../../../db/queries/billing/invoice.js';
import type { ListedPayer } from '../../../db/queries/billing/payer.js';
import { dayIn } from '../../../domain/cycle.js';
import type { InvoiceKind } from '../../../domain/invoice.js';
import { outstandingOf } from '../../../domain/presenters/invoice.js';
import type { ApiContext } from '../../../api/http/context.js';
import { pathIn } from '../shared/api-form.js';
import { formatsOf } from '../../ui/formats.js';
import { Status } from '../shared/layout.js';
import { Table } from '../shared/list.js';
import { PayerName } from '../shared/payer-name.js';

/** What each kind is called. */
export const KIND_NAMES: Record<InvoiceKind, string> = {
  booking: 'Booking',
  ad_hoc: 'One-off',
  adjustment: 'Adjustment',
  subscription: 'Membership',
};

/** Invoices with their payers. */
export function InvoiceTable(props: {
  ctx: ApiContext;
  invoices: InvoiceRow[];
  payers: Map<string, ListedPayer>;
}) {
  const { ctx, invoices, payers } = props;
  const { amount, day } = formatsOf(ctx);
  const due = (invoice: InvoiceRow) => {
    const outstanding = outstandingOf(invoice);
    if (outstanding === 0) return <Status value={invoice.status} />;
    const { time_zone } = ctx.state.membership!;
    const overdue = dayIn(time_zone, invoice.due_at) < dayIn(time_zone, new Date());
    return (
      <>
        <Status value={invoice.status} />{' '}
        <small class={overdue ? 'alert' : undefined}>
          {overdue ? 'overdue since' : 'due'} {day(invoice.due_at)}
        </small>
      </>
    );
  };
  return (
    <Table
      rows={invoices}
      empty="No invoices."
      columns={[
        {
          name: 'Invoice',
          show: ({ id, number }) => <a href={pathIn(ctx, `/invoices/${id}`)}>#{number}</a>,
        },
        { name: 'Payer', show: ({ id }) => <PayerName ctx={ctx} payer={payers.get(id)} /> },
        {
          name: 'For',
          show: ({ kind, created_at }) => (
            <>
              {KIND_NAMES[kind]} <span class="soft">· {day(created_at)}</span>
            </>
          ),
        },
        { name: 'Status', show: due },
        {
          name: 'Total',
          number: true,
          show: (invoice) => {
            const outstanding = outstandingOf(invoice);
            const partly = outstanding > 0 && outstanding < invoice.total_minor;
            return (
              <>
                {amount(invoice.total_minor, invoice.currency)}
                {partly && <small>{amount(outstanding, invoice.currency)} left</small>}
              </>
            );
          },
        },
      ]}
    />
  );
}
