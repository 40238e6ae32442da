import type { ComponentChildren } from 'preact';
import { documentNumberOf } from '../../../domain/invoice-document.js';
import type { InvoiceRow } from '../../../db/queries/billing/invoice.js';
import type { ListedPayer } from '../../../db/queries/billing/payer.js';
import { dayIn } from '../../../domain/cycle.js';
import type { InvoiceKind } from '../../../domain/invoice.js';
import { can } from '../../../domain/policies.js';
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

/** Invoices, for those who see others' with their payers. */
export function InvoiceTable(props: {
  ctx: ApiContext;
  invoices: InvoiceRow[];
  /** Without them the table does not say who pays. */
  payers?: Map<string, ListedPayer>;
  /** What can be done with each. */
  actions?: (invoice: InvoiceRow) => ComponentChildren;
}) {
  const { ctx, invoices, payers, actions } = props;
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
          show: (invoice) => (
            <>
              <a href={pathIn(ctx, `/invoices/${invoice.id}`)}>{documentNumberOf(invoice)}</a>
              {invoice.reference && <small>{invoice.reference}</small>}
            </>
          ),
        },
        ...(payers && can(ctx.state.membership!.role, 'read_billing')
          ? [
              {
                name: 'Payer',
                show: ({ id }: InvoiceRow) => <PayerName ctx={ctx} payer={payers.get(id)} />,
              },
            ]
          : []),
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
        ...(actions ? [{ name: 'Actions', show: actions }] : []),
      ]}
    />
  );
}
