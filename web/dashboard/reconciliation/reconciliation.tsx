import joi from 'joi';
import { dayAfter, dayIn, startOfDay } from '../../../domain/cycle.js';
import { DAY_MS } from '../../../domain/durations.js';
import { findLastReport } from '../../../db/queries/reconciliation/reconciliation.js';
import type { ReconciliationReport } from '../../../domain/reconciliation/differences.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import { limitConcurrent } from '../../../api/http/concurrency.js';
import type { ApiContext, Handler } from '../../../api/http/context.js';
import { asApiError } from '../../../api/http/errors.js';
import { get } from '../../../api/resources/reconciliation/read.js';
import type { Query } from '../../../api/resources/reconciliation/shape.js';
import { presentedWorkspace } from '../../../api/resources/workspaces/read.js';
import { pathIn } from '../shared/api-form.js';
import { listFields } from '../shared/list.js';
import { formatsOf } from '../../ui/formats.js';
import { showSection } from '../shared/workspace.js';
import { Report } from './report.js';

const DEFAULT_DAYS = 7;
const STILL_RUNNING = 'The comparison is still running. Run it again in a minute to see the result.';

export const reconciliationQuery = joi.object({
  from: listFields.from,
  to: listFields.to,
});

/**
 * `GET /dashboard/:workspace/reconciliation?from&to`: compares like `GET /v1/reconciliation`, days of the
 * workspace's zone. Without a range, it shows the last comparison.
 */
export function showReconciliation(deps: ApiDependencies): Handler {
  const compare = get(deps);
  const limit = limitConcurrent();
  return async (ctx) => {
    const { time_zone, workspace_id } = ctx.state.membership!;
    const { from, to } = ctx.state.query as { from?: string; to?: string };
    let report: ReconciliationReport | null = null;
    let problem: string | null = null;
    if (from && to) {
      const asked = ctx as ApiContext<unknown, Query>;
      asked.state.query = { from: startOfDay(from, time_zone), to: startOfDay(dayAfter(to), time_zone) };
      try {
        await limit(ctx, () => compare(asked, async () => {}));
        if (ctx.status === 202) problem = STILL_RUNNING;
        else report = ctx.body as ReconciliationReport;
        ctx.remove('Location');
      } catch (error) {
        if (asApiError(error)?.status !== 422) throw error;
        problem = 'Choose a range of at most 92 days.';
      }
    }
    const { accounting } = await presentedWorkspace(deps.db.manager, workspace_id);
    const last = from && to ? null : await findLastReport(deps.db.manager, workspace_id);
    const today = new Date();
    const defaults = { from: new Date(today.getTime() - DEFAULT_DAYS * DAY_MS), to: today };
    showSection(ctx, {
      title: 'Reconciliation',
      at: '/reconciliation',
      children: (
        <>
          <p class="soft">
            Compares the records here with Stripe and the accounting system, for invoices created in this
            period or whose money moved then. It also runs every night for the last 35 days.
          </p>
          <form class="filter">
            {(['from', 'to'] as const).map((name) => (
              <div key={name}>
                <label>
                  <span>{name === 'from' ? 'From' : 'To'}</span>
                  <input
                    type="date"
                    name={name}
                    required
                    value={(name === 'from' ? from : to) || dayIn(time_zone, defaults[name])}
                  />
                </label>
              </div>
            ))}
            <button>Compare</button>
          </form>
          {problem && (
            <p class="alert" role="alert">
              {problem}
            </p>
          )}
          {accounting.problems.length > 0 && (
            <p class="alert" role="alert">
              The accounting settings have problems, which amounts do not show.{' '}
              <a href={pathIn(ctx, '/accounting')}>Check the accounts and tax types</a>
            </p>
          )}
          {last && <LastComparison ctx={ctx} {...last} />}
          {report && <Report ctx={ctx} report={report} />}
        </>
      ),
    });
  };
}

function LastComparison({
  ctx,
  created_at,
  report,
}: {
  ctx: ApiContext;
  created_at: Date;
  report: ReconciliationReport;
}) {
  const { day, moment } = formatsOf(ctx);
  // The report ends before its last moment.
  const until = new Date(new Date(report.to).getTime() - 1);
  return (
    <>
      <h2>Last comparison</h2>
      <p class="soft">
        {moment(created_at)}, for {day(new Date(report.from))} to {day(until)}.
      </p>
      <Report ctx={ctx} report={report} />
    </>
  );
}
