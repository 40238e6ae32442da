import { nameOfInvoice } from '../../../domain/invoices/document-number.js';
import type { InvoiceRow } from '../../../db/queries/invoices/invoice.js';
import type { ListedPayer } from '../../../db/queries/invoices/payer.js';
import type { CollectionStatus } from '../../../domain/invoices/collection.js';
import { isPayable } from '../../../domain/invoices/invoice.js';
import { can } from '../../../domain/policies.js';
import { outstandingMinor } from '../../../domain/invoices/invoice-presenter.js';
import type { ApiContext } from '../../../api/http/context.js';
import { pathIn } from '../shared/paths.js';
import { Form } from '../shared/form.js';
import { createFormats } from '../../ui/formats.js';
import { Status } from '../shared/status.js';
import { Table } from '../shared/list.js';
import { DueDay } from './invoice-table.js';
import { lacksAddress, NotEmailed, PayerName } from '../shared/payer-name.js';

/** What each status of a collection means, and what its next step is (docs/rules/billing.md#collection). */
const COLLECTION_WORDS: Record<CollectionStatus, { means: string; next: string }> = {
  scheduled: { means: '', next: 'Next step' },
  charging: { means: '', next: 'Next check' },
  retrying: { means: 'The card was declined.', next: 'Next charge or reminder' },
  action_required: {
    means: 'The bank asks the payer to authenticate, by the link in their email.',
    next: 'Next reminder',
  },
  reminding: { means: '', next: 'Next reminder' },
  overdue: {
    means: 'The invoice can still be paid.',
    next: 'Next step',
  },
  ended: { means: '', next: '' },
};

function describeTries(attempts: number, has_card: boolean): string {
  if (attempts === 0) return has_card ? 'The card has not been charged.' : 'No card on file.';
  return attempts === 1 ? 'One charge attempt.' : `${attempts} charge attempts.`;
}

/** How an invoice is collected: status, attempts, and the next step with its time. */
export function Collection({ ctx, invoice }: { ctx: ApiContext; invoice: InvoiceRow }) {
  const { collection } = invoice;
  if (!collection) return null;
  const { next_at, attempts } = collection;
  // The run notices a little later that the invoice is paid or void.
  const status = isPayable(invoice) ? collection.status : 'ended';
  const { means, next } = COLLECTION_WORDS[status];
  // That the invoice is overdue is shown with its due date.
  const isOver = status === 'overdue' && next_at === null;
  return (
    <>
      {status !== 'overdue' && <Status value={status} />}
      {isOver && <Status value="ended" name="reminders ended" />} {means}
      {status !== 'ended' && (
        <small>
          {' '}
          {describeTries(attempts, invoice.has_card)}{' '}
          {next_at
            ? `${next}: ${createFormats(ctx).moment(new Date(next_at))}.`
            : status === 'overdue' || status === 'reminding'
              ? 'No more automatic charges or reminders.'
              : 'The next step is being scheduled.'}
        </small>
      )}
    </>
  );
}

/** Automatic reminders have ended, days after the due date. */
const areRemindersOver = ({ collection }: InvoiceRow): boolean =>
  collection?.status === 'overdue' && collection.next_at === null;

function Remind({ ctx, invoice }: { ctx: ApiContext; invoice: InvoiceRow }) {
  return (
    <Form ctx={ctx} action={pathIn(ctx, `/invoices/${invoice.id}/remind`)} once>
      <button aria-label={`Send reminder: ${nameOfInvoice(invoice)}`}>Send reminder</button>
    </Form>
  );
}

/** Unpaid invoices that are being collected and have not simply been waiting for their due date. */
export function Collections(props: {
  ctx: ApiContext;
  invoices: InvoiceRow[];
  payers: Map<string, ListedPayer>;
}) {
  const { ctx, invoices, payers } = props;
  if (invoices.length === 0) return null;
  const { amount } = createFormats(ctx);
  const canRemind = (invoice: InvoiceRow): boolean =>
    areRemindersOver(invoice) && !lacksAddress(payers.get(invoice.id));
  return (
    <>
      <h2>Invoices in collection</h2>
      <Table
        rows={invoices}
        empty=""
        columns={[
          {
            name: 'Invoice',
            show: (invoice) => <a href={pathIn(ctx, `/invoices/${invoice.id}`)}>{nameOfInvoice(invoice)}</a>,
          },
          {
            name: 'Payer',
            show: ({ id }) => (
              <>
                <PayerName ctx={ctx} payer={payers.get(id)} />
                {lacksAddress(payers.get(id)) && <NotEmailed />}
              </>
            ),
          },
          { name: 'Due', show: (invoice) => <DueDay ctx={ctx} invoice={invoice} /> },
          { name: 'Collection', show: (invoice) => <Collection ctx={ctx} invoice={invoice} /> },
          {
            name: 'Outstanding',
            number: true,
            show: (invoice) => amount(outstandingMinor(invoice), invoice.currency),
          },
          ...(can(ctx.state.membership!.role, 'write_billing') && invoices.some(canRemind)
            ? [
                {
                  name: 'Action',
                  show: (invoice: InvoiceRow) => canRemind(invoice) && <Remind ctx={ctx} invoice={invoice} />,
                },
              ]
            : []),
        ]}
      />
    </>
  );
}
