import { WorkflowNotFoundError } from '@temporalio/client';
import type { ApiDependencies } from '../../dependencies.js';

const QUERY_TEMPORAL_WITHIN_MS = 3_000;
/** The query that the Temporal Web UI uses for a run's current details. */
const METADATA = '__temporal_workflow_metadata';

/** An activity that failed and is retried. */
interface RetriedStep {
  step: string;
  attempt: number;
  reason: string;
}

/** The state of a run. `details` is null if no worker responded. */
export type RunState =
  'missing' | 'completed' | 'unknown' | { details: string | null; retried: RetriedStep[] };

/** Queries Temporal and the run for what it is waiting for, within the deadline. */
export async function findRunState(
  { temporal, log }: ApiDependencies,
  workflowId: string,
): Promise<RunState> {
  const run = temporal.workflow.getHandle(workflowId);
  try {
    return await temporal.withDeadline(Date.now() + QUERY_TEMPORAL_WITHIN_MS, async () => {
      const { status, raw } = await run.describe();
      if (status.name !== 'RUNNING') return 'completed';
      const retried = (raw.pendingActivities ?? []).flatMap(({ activityType, attempt, lastFailure }) =>
        lastFailure
          ? { step: stepName(activityType!.name!), attempt: attempt!, reason: lastFailure.message ?? '' }
          : [],
      );
      const details = await run
        .query<{ currentDetails?: string }>(METADATA)
        .then(({ currentDetails }) => currentDetails ?? '')
        .catch(() => null);
      return { details, retried };
    });
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return 'missing';
    log.warn({ err: error }, 'dashboard could not query Temporal');
    return 'unknown';
  }
}

/** `closeCheckout` → `close checkout`. */
const stepName = (activity: string): string =>
  activity.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** What a booking's run is waiting for and which steps fail. `live` bookings need a run. */
export function Run({ state, live }: { state: RunState; live: boolean }) {
  if (state === 'completed' && !live) return null;
  return (
    <>
      <h2>Waiting for</h2>
      <div class="card">
        <RunDetails state={state} />
      </div>
    </>
  );
}

function RunDetails({ state }: { state: RunState }) {
  if (state === 'unknown') return <p>Temporal is unavailable. Try again later.</p>;
  if (state === 'missing' || state === 'completed') {
    return <p>The run is missing. The hourly job will restart it.</p>;
  }
  const { details, retried } = state;
  const paragraphs =
    details === null ? ['The run does not respond. Check that a worker is running.'] : details.split('\n\n');
  return (
    <>
      {paragraphs.map((paragraph) => (
        <p key={paragraph}>{paragraph.replaceAll('**', '')}</p>
      ))}
      {retried.map(({ step, attempt, reason }) => (
        <p key={step} class="soft">
          Attempt {attempt} of “{step}”. Last failure: {reason}
        </p>
      ))}
    </>
  );
}
