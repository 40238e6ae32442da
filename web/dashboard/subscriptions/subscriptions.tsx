import joi from 'joi';
import { listInvoices } from '../../../db/queries/invoices/invoice.js';
import { listPayers } from '../../../db/queries/invoices/payer.js';
import { listUninvoicedMembers, listUpcomingPayers } from '../../../db/queries/subscriptions/subscription.js';
import { findWorkspace } from '../../../db/queries/workspaces/workspace.js';
import { dayIn } from '../../../domain/cycle.js';
import { can } from '../../../domain/policies.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import type { Handler } from '../../../api/http/context.js';
import { cursorParam } from '../../../api/http/cursor.js';
import { isInvoiceId } from '../../../api/resources/invoices/shape.js';
import { InvoiceTable } from '../invoices/invoice-table.js';
import { Action } from '../shared/action.js';
import { apiForm, hiddenFields, pathIn } from '../shared/api-form.js';
import { readPage, Pager } from '../shared/list.js';
import { showSection } from '../shared/workspace.js';
import { findRun, runInWords, startRun, type RunState } from './run.js';
import { Uninvoiced, Upcoming } from './upcoming.js';

const UPCOMING_SHOWN = 50;

export const subscriptionsQuery = joi.object({ cursor: cursorParam, run: joi.valid('yes') });
export const runFields = hiddenFields;

/**
 * Creates the subscription invoices that are due, as the scheduled job does; running it twice creates none
 * twice. What takes longer than people wait goes on, and the page shows how far it is.
 */
export const runForm = apiForm<unknown, RunState>({
  handler: (deps) => async (ctx) => {
    ctx.body = await startRun(deps, ctx.state.principal);
  },
  notice: runInWords,
  to: (_ctx, { kind }) => (kind === 'done' ? '/subscriptions' : '/subscriptions?run=yes'),
});

/** `GET /dashboard/:workspace/subscriptions`: what is invoiced next, the run, and the invoices for plans. */
export function showSubscriptions(deps: ApiDependencies): Handler {
  const { db } = deps;
  return async (ctx) => {
    const { workspace_id, role } = ctx.state.membership!;
    const workspace = (await findWorkspace(db.manager, workspace_id))!;
    const asked = (ctx.state.query as { run?: 'yes' } | undefined)?.run;
    const [run, upcoming, uninvoiced, { rows, next }] = await Promise.all([
      asked ? findRun(deps, workspace_id) : null,
      listUpcomingPayers(db.manager, { ...workspace, workspace_id }, UPCOMING_SHOWN),
      listUninvoicedMembers(db.manager, { ...workspace, workspace_id }, UPCOMING_SHOWN),
      readPage(ctx, isInvoiceId, 'created_at', (page) =>
        listInvoices(db.manager, { workspace_id, kind: 'subscription', ...page }),
      ),
    ]);
    const payers = await listPayers(
      db.manager,
      rows.map(({ id }) => id),
    );
    const today = dayIn(workspace.time_zone, new Date());
    const due = upcoming.filter((payer) => payer.next <= today && payer.total_minor > 0).length;
    showSection(ctx, {
      title: 'Plan invoices',
      at: '/subscriptions',
      children: (
        <>
          <p class="soft">
            Each payer gets one invoice a month for its members, on the same day each month. Invoices are
            created from 06:00 on that day and are due after 14 days.
          </p>
          {run && (
            <p class="card notice" role="status">
              {runInWords(run)}{' '}
              {run.kind !== 'done' && <a href={pathIn(ctx, '/subscriptions?run=yes')}>Look again</a>}
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
          {can(role, 'write_billing') && (
            <div class="card">
              <Action
                ctx={ctx}
                action={pathIn(ctx, '/subscriptions/run')}
                summary="Create due plan invoices"
                button="Create plan invoices"
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
