import type { ComponentChildren } from 'preact';
import { nameOfInvoice } from '../../../domain/invoices/document-number.js';
import { chargedByDocuments } from '../../../domain/invoices/document.js';
import type { InvoiceRow } from '../../../db/queries/invoices/invoice.js';
import type { ListedPayer } from '../../../db/queries/invoices/payer.js';
import { dayAfter, dayIn, startOfDay } from '../../../domain/cycle.js';
import { daysOverdue, type InvoiceKind } from '../../../domain/invoices/invoice.js';
import { can } from '../../../domain/policies.js';
import { outstandingMinor } from '../../../domain/invoices/invoice-presenter.js';
import type { ApiContext } from '../../../api/http/context.js';
import { pathIn } from '../shared/paths.js';
import { createFormats } from '../../ui/formats.js';
import { Status } from '../shared/status.js';
import { Table } from '../shared/list.js';
import { lacksAddress, NotEmailed, PayerName } from '../shared/payer-name.js';

export const KIND_NAMES: Record<InvoiceKind, string> = {
  booking: 'Booking',
  ad_hoc: 'One-off',
  adjustment: 'Adjustment',
  subscription: 'Plan',
};

/**
 * The due date of an unpaid invoice, and for how long it has been overdue: from the day after the due date
 * on.
 */
export function DueDay({ ctx, invoice }: { ctx: ApiContext; invoice: Pick<InvoiceRow, 'due_at'> }) {
  const { day } = createFormats(ctx);
  const { time_zone } = ctx.state.membership!;
  const days = daysOverdue(invoice.due_at, time_zone, new Date());
  if (days === 0) return <>{day(invoice.due_at)}</>;
  const since = startOfDay(dayAfter(dayIn(time_zone, invoice.due_at)), time_zone);
  return (
    <span class="alert">
      overdue since {day(since)}, {days === 1 ? 'one day' : `${days} days`}
    </span>
  );
}

/** Tells staff who see only the invoices of bookings which ones are missing. */
export function UnseenInvoices({ ctx }: { ctx: ApiContext }) {
  const { role } = ctx.state.membership!;
  if (!can(role, 'read_booking_invoices') || can(role, 'read_billing')) return null;
  return (
    <p class="soft">
      Booking invoices only. Owners, admins and billing contacts also see plan and one-off invoices.
    </p>
  );
}

/** A table of invoices, with payers for people who see those of others. */
export function InvoiceTable(props: {
  ctx: ApiContext;
  invoices: InvoiceRow[];
  /** Without them the table has no payer column. */
  payers?: Map<string, ListedPayer>;
  actions?: (invoice: InvoiceRow) => ComponentChildren;
  empty?: ComponentChildren;
}) {
  const { ctx, invoices, payers, actions, empty = 'No invoices.' } = props;
  const { amount, day } = createFormats(ctx);
  return (
    <Table
      rows={invoices}
      empty={empty}
      columns={[
        {
          name: 'Invoice',
          show: (invoice) => (
            <>
              <a class="nowrap" href={pathIn(ctx, `/invoices/${invoice.id}`)}>
                {nameOfInvoice(invoice)}
              </a>
              {invoice.reference && <small>{invoice.reference}</small>}
            </>
          ),
        },
        ...(payers && can(ctx.state.membership!.role, 'read_billing')
          ? [
              {
                name: 'Payer',
                show: (invoice: InvoiceRow) => (
                  <>
                    <PayerName ctx={ctx} payer={payers.get(invoice.id)} />
                    {outstandingMinor(invoice) > 0 && lacksAddress(payers.get(invoice.id)) && <NotEmailed />}
                  </>
                ),
              },
            ]
          : []),
        {
          name: 'For',
          show: ({ kind, created_at }) => (
            <>
              <span class="nowrap">{KIND_NAMES[kind]}</span> <small class="nowrap">{day(created_at)}</small>
            </>
          ),
        },
        {
          name: 'Status',
          show: (invoice) => (
            <>
              <Status value={invoice.status} />{' '}
              {outstandingMinor(invoice) > 0 && (
                <small>
                  {daysOverdue(invoice.due_at, ctx.state.membership!.time_zone, new Date()) === 0 && 'due '}
                  <DueDay ctx={ctx} invoice={invoice} />
                </small>
              )}
            </>
          ),
        },
        {
          name: 'Total',
          number: true,
          show: (invoice) => {
            const { total_minor, currency, documents } = invoice;
            const isCredited = documents.some(({ kind }) => kind === 'credit_note');
            const outstanding = outstandingMinor(invoice);
            return (
              <>
                {amount(total_minor, currency)}
                {outstanding > 0 && outstanding < total_minor && (
                  <small>{amount(outstanding, currency)} to pay</small>
                )}
                {isCredited && (
                  <small>{amount(chargedByDocuments(invoice).total_minor, currency)} after credits</small>
                )}
              </>
            );
          },
        },
        ...(actions ? [{ name: 'Actions', show: actions }] : []),
      ]}
    />
  );
}
