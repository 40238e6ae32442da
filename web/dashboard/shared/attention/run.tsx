import { WorkflowNotFoundError } from '@temporalio/client';
import type { ApiDependencies } from '../../../../api/dependencies.js';
import type { ApiContext } from '../../../../api/http/context.js';
import { runDetails } from '../../../../contract/run-details.js';
import { formatNextAttempt } from '../../../ui/formats.js';
import { namingStripe } from '../../../ui/sentences.js';
import { SetUpCardPayments } from '../card-payments.js';
import { explain, type ExplainedStep } from './steps.js';

const QUERY_TEMPORAL_WITHIN_MS = 3_000;

/** Queries Temporal within a page's time limit. Null if Temporal does not respond. */
export async function queryTemporal<T>(
  { temporal, log }: ApiDependencies,
  query: () => Promise<T>,
): Promise<T | null> {
  try {
    return await temporal.withDeadline(Date.now() + QUERY_TEMPORAL_WITHIN_MS, query);
  } catch (error) {
    log.warn({ err: error }, 'dashboard could not query Temporal');
    return null;
  }
}

/** The state of a run. `details` is null if no worker responded. */
export type BookingRunStatus =
  | 'missing'
  | 'completed'
  | 'unknown'
  | { status: string[] | null; failing: ExplainedStep[] };

/** Queries Temporal and the run for what it is waiting for. */
export async function findRunState(deps: ApiDependencies, workflowId: string): Promise<BookingRunStatus> {
  const run = deps.temporal.workflow.getHandle(workflowId);
  const state = await queryTemporal<BookingRunStatus>(deps, async () => {
    const described = await run.describe().catch((error: unknown) => {
      if (error instanceof WorkflowNotFoundError) return null;
      throw error;
    });
    if (!described) return 'missing';
    const { status, raw } = described;
    if (status.name !== 'RUNNING') return 'completed';
    const retried = (raw.pendingActivities ?? []).flatMap((activity) => {
      const { activityType, attempt, lastFailure, nextAttemptScheduleTime } = activity;
      if (!lastFailure) return [];
      const type = lastFailure.applicationFailureInfo?.type ?? '';
      const next = nextAttemptScheduleTime ? toDate(nextAttemptScheduleTime) : null;
      // The current or next attempt is not counted as failed.
      const message = lastFailure.message ?? '';
      return explain({ step: stepName(activityType!.name!), type, message, tries: attempt! - 1, next });
    });
    const details = await run.query(runDetails).catch(() => null);
    if (!details) return { status: null, failing: retried };
    const failing = details.failing.map((step) => explain({ ...step, next: new Date(step.next) }));
    const shown = [details.status, ...details.problems].filter(Boolean);
    // The details include a step that is being retried right now.
    return { status: shown, failing: failing.length > 0 ? failing : retried };
  });
  return state ?? 'unknown';
}

/** `closeCheckout` → `close checkout`. */
const stepName = (activity: string): string =>
  activity.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

const toDate = (time: { seconds?: unknown; nanos?: number | null }): Date =>
  new Date(Number(time.seconds) * 1000);

/** An ISO 8601 time within a text. */
const INSTANT = /\d{4}-\d\d-\d\dT[\d:.]+Z/g;

interface RunProps {
  ctx: ApiContext;
  state: BookingRunStatus;
  live: boolean;
  moment: (at: Date) => string;
}

/** What a booking's run is waiting for and which steps fail. `live` bookings need a run. */
export function RunStatus({ ctx, state, live, moment }: RunProps) {
  if (state === 'completed' && !live) return null;
  return (
    <>
      <h2>Current step</h2>
      <div class="card" id="run">
        <RunDetails ctx={ctx} state={state} moment={moment} />
      </div>
    </>
  );
}

function RunDetails({ ctx, state, moment }: Pick<RunProps, 'ctx' | 'state' | 'moment'>) {
  if (state === 'unknown') return <p>The current step cannot be shown right now. Try again later.</p>;
  if (state === 'missing' || state === 'completed') {
    return <p>We are restarting this. It can take up to an hour. Nothing is lost.</p>;
  }
  const { status, failing } = state;
  const lines = status ?? [
    'The current step cannot be read. The operator of the service must check that all its parts are running.',
  ];
  return (
    <>
      {lines.map((line) => (
        <p key={line}>{namingStripe(line.replaceAll(INSTANT, (iso) => moment(new Date(iso))))}</p>
      ))}
      {failing.map((step) => (
        <FailingStepText key={step.step} ctx={ctx} of={step} moment={moment} />
      ))}
    </>
  );
}

/**
 * A failing step: what it means, how often it was tried and when it is again, what to do,
 * and the raw text behind it.
 */
export function FailingStepText(props: { ctx: ApiContext; of: ExplainedStep; moment: (at: Date) => string }) {
  const { ctx, of, moment } = props;
  const { step, means, todo, tries, next, raw, lacksAccount } = of;
  return (
    <div class="failing">
      <p>
        <strong>Failing step: {step}.</strong> {means}
      </p>
      <p class="soft">
        {tries === 1 ? 'Tried once' : `Tried ${tries} times`}
        {next && `, next try ${formatNextAttempt(next, moment)}`}. {todo}{' '}
        {lacksAccount && <SetUpCardPayments ctx={ctx} />}
      </p>
      {raw && (
        <details>
          <summary>Technical details</summary>
          <code>{raw}</code>
        </details>
      )}
    </div>
  );
}

/**
 * The URL of a run in the Temporal Web UI. Null if it is not configured, and for everyone except operators of
 * the service, because it shows the runs of all workspaces.
 */
export function runUrl(
  ctx: Pick<ApiContext, 'state'>,
  { temporalUiUrl, temporal, operatorEmails }: RunUrlDependencies,
  workflowId: string,
): string | null {
  const email = ctx.state.session?.email.toLowerCase();
  if (!temporalUiUrl || !email || !operatorEmails.includes(email)) return null;
  const { namespace } = temporal.options;
  return `${temporalUiUrl}/namespaces/${namespace}/workflows/${encodeURIComponent(workflowId)}`;
}

type RunUrlDependencies = Pick<ApiDependencies, 'temporalUiUrl' | 'operatorEmails'> & {
  temporal: { options: { namespace: string } };
};
