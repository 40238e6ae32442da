import joi from 'joi';
import { dayAfter, dayIn, startOfDay, type Day } from '../../../domain/cycle.js';
import { DAY_MS } from '../../../domain/durations.js';
import { findLastReport } from '../../../db/queries/reconciliation/reconciliation.js';
import type { ReconciliationReport } from '../../../domain/reconciliation/differences.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import { MAX_IN_PROGRESS } from '../../../api/http/concurrency.js';
import type { ApiContext } from '../../../api/http/context.js';
import { asApiError } from '../../../api/http/errors.js';
import { reconcile } from '../../../api/resources/reconciliation/operations.js';
import { presentedWorkspace } from '../../../db/queries/workspaces/presented-workspace.js';
import { pathIn } from '../shared/paths.js';
import { listFields } from '../shared/list.js';
import { createFormats } from '../../ui/formats.js';
import { page, run, type PageProps, type PageRequest } from '../forms/page.js';
import { Report } from './report.js';

const DEFAULT_DAYS = 7;
const STILL_RUNNING = 'The comparison is still running. Run it again in a minute to see the result.';

interface ReconciliationPage {
  from: Day;
  to: Day;
  /** The comparison of the range in the address. */
  report: ReconciliationReport | null;
  problem: string | null;
  hasAccountingProblems: boolean;
  /** The last comparison, without a range. */
  last: Awaited<ReturnType<typeof findLastReport>>;
}

/** Compares days of the workspace's zone. */
async function compare(
  request: PageRequest,
  deps: ApiDependencies,
  [first, last]: [Day, Day],
): Promise<Pick<ReconciliationPage, 'report' | 'problem'>> {
  const { time_zone } = request.membership;
  const query = { from: startOfDay(first, time_zone), to: startOfDay(dayAfter(last), time_zone) };
  try {
    const { report } = await run(reconcile, { query }, request, deps);
    return { report, problem: report ? null : STILL_RUNNING };
  } catch (error) {
    if (asApiError(error)?.status !== 422) throw error;
    return { report: null, problem: 'Choose a range of at most 92 days.' };
  }
}

function Reconciliation({ ctx, data }: PageProps<ReconciliationPage>) {
  const { report, problem, hasAccountingProblems, last } = data;
  return (
    <>
      <p class="soft">
        Payments here, in Stripe and in accounting. Also compared every night, for the last 35 days.
      </p>
      <form class="filter">
        {(['from', 'to'] as const).map((name) => (
          <div key={name}>
            <label>
              <span>{name === 'from' ? 'From' : 'To'}</span>
              <input type="date" name={name} required value={data[name]} />
            </label>
          </div>
        ))}
        <span class="buttons">
          <button>Compare</button>
        </span>
      </form>
      {problem && (
        <p class="alert" role="alert">
          {problem}
        </p>
      )}
      {hasAccountingProblems && (
        <p class="alert" role="alert">
          The accounting settings have problems that the amounts do not show.{' '}
          <a href={pathIn(ctx, '/accounting')}>Check the accounts and tax types</a>
        </p>
      )}
      {last && <LastComparison ctx={ctx} {...last} />}
      {report && <Report ctx={ctx} report={report} />}
    </>
  );
}

/** Compares the range in the address; without one, it shows the last comparison. */
export const reconciliation = [
  page({
    path: '/reconciliation',
    capability: 'read_billing',
    query: joi.object({ from: listFields.from, to: listFields.to }),
    concurrent: MAX_IN_PROGRESS,
    title: 'Reconciliation',
    async load(request, deps): Promise<ReconciliationPage> {
      const { workspace_id, time_zone } = request.membership;
      const { from, to } = request.query;
      const compared =
        from && to ? await compare(request, deps, [from, to]) : { report: null, problem: null };
      const { accounting } = await presentedWorkspace(deps.db.manager, workspace_id);
      const now = Date.now();
      return {
        from: from || dayIn(time_zone, new Date(now - DEFAULT_DAYS * DAY_MS)),
        to: to || dayIn(time_zone, new Date(now)),
        ...compared,
        hasAccountingProblems: accounting.problems.length > 0,
        last: from && to ? null : await findLastReport(deps.db.manager, workspace_id),
      };
    },
    view: Reconciliation,
  }),
];

function LastComparison({
  ctx,
  created_at,
  report,
}: {
  ctx: ApiContext;
  created_at: Date;
  report: ReconciliationReport;
}) {
  const { day, moment } = createFormats(ctx);
  // `to` is exclusive.
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
