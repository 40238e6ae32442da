import joi from 'joi';
import { listInvoices, type InvoiceRow } from '../../../db/queries/invoices/invoice.js';
import { listPayers, type ListedPayer } from '../../../db/queries/invoices/payer.js';
import {
  listUninvoicedMembers,
  listUpcomingPayers,
  type UninvoicedMember,
  type UpcomingPayer,
} from '../../../db/queries/subscriptions/subscription.js';
import type { Workspace } from '../../../db/entities/workspaces.js';
import { findWorkspace } from '../../../db/queries/workspaces/workspace.js';
import { dayIn } from '../../../domain/cycle.js';
import { cursorParam } from '../../../api/http/cursor.js';
import { isInvoiceId } from '../../../api/resources/invoices/operations.js';
import { InvoiceTable } from '../invoices/invoice-table.js';
import { action, form } from '../forms/form.js';
import { note } from '../forms/inputs.js';
import { page, type PageProps } from '../forms/page.js';
import { pathIn } from '../shared/paths.js';
import { readPage, Pager } from '../shared/list.js';
import { findRun, describeRun, startRun, type InvoiceRunState } from './run.js';
import { Uninvoiced, Upcoming } from './upcoming.js';

const UPCOMING_SHOWN = 50;

interface SubscriptionsPage {
  workspace: Workspace;
  /** The run that staff have started, if the address asks for it. */
  run: InvoiceRunState | null;
  upcoming: UpcomingPayer[];
  uninvoiced: UninvoicedMember[];
  rows: InvoiceRow[];
  next: string | undefined;
  payers: Map<string, ListedPayer>;
}

/** How many of the payers that are shown are invoiced today. */
function dueToday({ workspace, upcoming }: SubscriptionsPage): number {
  const today = dayIn(workspace.time_zone, new Date());
  return upcoming.filter((payer) => payer.next <= today && payer.total_minor > 0).length;
}

/**
 * Creates the subscription invoices that are due, as the scheduled job does. A second run creates no invoice
 * twice. A run that takes longer than the form waits continues, and the page shows its progress.
 */
const createDue = form(
  action({ capability: 'write_billing', run: (_, caller, deps) => startRun(deps, caller) }),
  {
    due: note<SubscriptionsPage>(({ data }) => {
      const due = dueToday(data);
      return (
        <p class="hint">
          {due === 0 ? 'No payer is due today. ' : `Due today: ${due}. `}A month is never invoiced twice.
        </p>
      );
    }),
  },
  {
    path: '/run',
    summary: 'Create invoices',
    button: 'Create due invoices',
    notice: describeRun,
    to: ({ kind }) => (kind === 'done' ? '/subscriptions' : '/subscriptions?run=yes'),
  },
);

function Subscriptions(page: PageProps<SubscriptionsPage>) {
  const { ctx, data } = page;
  const { workspace, run, upcoming, uninvoiced, rows, next, payers } = data;
  return (
    <>
      {run && (
        <p class="card notice" role="status">
          {describeRun(run)}{' '}
          {run.kind !== 'done' && <a href={pathIn(ctx, '/subscriptions?run=yes')}>Refresh</a>}
        </p>
      )}
      <h2>Upcoming</h2>
      <Upcoming
        ctx={ctx}
        payers={upcoming}
        plans={workspace.plans}
        isAll={upcoming.length < UPCOMING_SHOWN}
      />
      <Uninvoiced
        ctx={ctx}
        members={uninvoiced}
        plans={workspace.plans}
        isAll={uninvoiced.length < UPCOMING_SHOWN}
      />
      <h2>Invoices</h2>
      <InvoiceTable ctx={ctx} invoices={rows} payers={payers} />
      <Pager ctx={ctx} next={next} />
    </>
  );
}

/** Upcoming plan invoices, the run that creates them, and the list of plan invoices. */
export const subscriptions = [
  page({
    path: '/subscriptions',
    capability: 'read_billing',
    query: joi.object({ cursor: cursorParam, run: joi.valid('yes') }),
    title: 'Plan invoices',
    primary: (page) => <createDue.Drawer page={page} />,
    async load({ ctx, caller: { workspace_id }, query }, deps): Promise<SubscriptionsPage> {
      const { manager } = deps.db;
      const workspace = (await findWorkspace(manager, workspace_id))!;
      const [run, upcoming, uninvoiced, { rows, next }] = await Promise.all([
        query.run ? findRun(deps, workspace_id) : null,
        listUpcomingPayers(manager, { ...workspace, workspace_id }, UPCOMING_SHOWN),
        listUninvoicedMembers(manager, { ...workspace, workspace_id }, UPCOMING_SHOWN),
        readPage(ctx, isInvoiceId, 'created_at', (page) =>
          listInvoices(manager, { workspace_id, kind: 'subscription', ...page }),
        ),
      ]);
      const ids = rows.map(({ id }) => id);
      return { workspace, run, upcoming, uninvoiced, rows, next, payers: await listPayers(manager, ids) };
    },
    view: Subscriptions,
    forms: [createDue],
  }),
];
