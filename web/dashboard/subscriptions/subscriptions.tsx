import joi from 'joi';
import { listInvoices } from '../../../db/queries/billing/invoice.js';
import { listPayers } from '../../../db/queries/billing/payer.js';
import { listUpcomingPayers, type UpcomingPayer } from '../../../db/queries/billing/subscription.js';
import { dayIn, startOfDay } from '../../../domain/cycle.js';
import { can } from '../../../domain/policies.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { ApiContext, Handler } from '../../../api/http/context.js';
import { cursorParam } from '../../../api/http/cursor.js';
import { runJob } from '../../../api/internal/run-job.js';
import { isInvoiceId } from '../../../api/resources/invoices/shape.js';
import { InvoiceTable } from '../invoices/invoice-table.js';
import { PayerName } from '../shared/payer-name.js';
import { Action } from '../shared/action.js';
import { apiForm, hiddenFields, pathIn } from '../shared/api-form.js';
import { formatsOf } from '../../ui/formats.js';
import { readPage, Pager, Table } from '../shared/list.js';
import { showSection } from '../shared/workspace.js';

const UPCOMING_SHOWN = 20;

export const subscriptionsQuery = joi.object({ cursor: cursorParam });
export const runFields = hiddenFields;

interface RunResult {
  created: string[];
  skipped: number;
  failed?: number;
}

/** Creates the subscription invoices that are due, as the scheduled job does; running it twice creates none twice. */
export const runForm = apiForm<unknown, RunResult>({
  handler: (deps) => async (ctx) => {
    const { workspace_id } = ctx.state.membership!;
    const input = { job: 'subscription_invoices', workspace_id } as const;
    ctx.body = await runJob(deps, input, { system: 'operator' });
  },
  notice({ created, failed }) {
    const made =
      created.length === 0
        ? 'No membership invoice was due.'
        : created.length === 1
          ? 'One membership invoice has been created.'
          : `${created.length} membership invoices have been created.`;
    return failed ? `${made} ${failed} payers could not be invoiced; the next run retries them.` : made;
  },
  to: () => '/subscriptions',
});

function Upcoming({ ctx, payers }: { ctx: ApiContext; payers: UpcomingPayer[] }) {
  const { amount, day } = formatsOf(ctx);
  const { time_zone } = ctx.state.membership!;
  return (
    <Table
      rows={payers}
      empty="No payer has a membership."
      columns={[
        { name: 'Payer', show: (payer) => <PayerName ctx={ctx} payer={payer} /> },
        { name: 'Next invoice', show: ({ next_on }) => day(startOfDay(next_on, time_zone)) },
        {
          name: 'Members',
          show: ({ members }) => (members === 1 ? '1 member' : `${members} members`),
        },
        {
          name: 'At current tiers, excluding tax',
          number: true,
          show: ({ monthly_minor }) => amount(monthly_minor),
        },
      ]}
    />
  );
}

/** `GET /dashboard/:workspace/subscriptions`: what is invoiced next, the run, and the invoices of memberships. */
export function showSubscriptions({ db }: ApiDependencies): Handler {
  return async (ctx) => {
    const { workspace_id, time_zone, role } = ctx.state.membership!;
    const [upcoming, { rows, next }] = await Promise.all([
      listUpcomingPayers(db.manager, workspace_id, UPCOMING_SHOWN),
      readPage(ctx, isInvoiceId, 'created_at', (page) =>
        listInvoices(db.manager, { workspace_id, kind: 'subscription', ...page }),
      ),
    ]);
    const payers = await listPayers(
      db.manager,
      rows.map(({ id }) => id),
    );
    const today = dayIn(time_zone, new Date());
    const due = upcoming.filter(({ next_on }) => next_on <= today).length;
    showSection(ctx, {
      title: 'Subscriptions',
      at: '/subscriptions',
      children: (
        <>
          <p class="soft">
            Each payer gets one invoice a month for its members, on the same day each month. Invoices are
            created from 06:00 on that day and are due after 14 days.
          </p>
          <h2>Upcoming</h2>
          <Upcoming ctx={ctx} payers={upcoming} />
          {can(role, 'write_billing') && (
            <div class="card">
              <Action
                ctx={ctx}
                action={pathIn(ctx, '/subscriptions/run')}
                summary="Create due invoices"
                button="Create invoices"
              >
                <p class="hint">
                  {due === 0 ? 'None of these payers is due today. ' : `Due today: ${due} of these payers. `}A
                  month is never invoiced twice.
                </p>
              </Action>
            </div>
          )}
          <h2>Invoices</h2>
          <InvoiceTable ctx={ctx} invoices={rows} payers={payers} />
          <Pager ctx={ctx} next={next} />
        </>
      ),
    });
  };
}
