import { WorkflowNotFoundError } from '@temporalio/client';
import type { ApiDependencies } from '../dependencies.js';

const ASK_TEMPORAL_WITHIN_MS = 3_000;
/** What the Temporal Web UI asks, too: the words that a run has for what it does. */
const METADATA = '__temporal_workflow_metadata';

/** A step that failed and is tried again. */
interface RetriedStep {
  step: string;
  attempt: number;
  reason: string;
}

/** What a run waits for. `words` is null where no worker answered for it. */
export type RunState = 'missing' | 'over' | 'unknown' | { words: string | null; retried: RetriedStep[] };

/** Asks Temporal, and the run itself, what it waits for; a run that is slow to answer holds the page up no longer. */
export async function findRunState(
  { temporal, log }: ApiDependencies,
  workflowId: string,
): Promise<RunState> {
  const run = temporal.workflow.getHandle(workflowId);
  try {
    return await temporal.withDeadline(Date.now() + ASK_TEMPORAL_WITHIN_MS, async () => {
      const { status, raw } = await run.describe();
      if (status.name !== 'RUNNING') return 'over';
      const retried = (raw.pendingActivities ?? []).flatMap(({ activityType, attempt, lastFailure }) =>
        lastFailure
          ? { step: inWords(activityType!.name!), attempt: attempt!, reason: lastFailure.message ?? '' }
          : [],
      );
      const words = await run
        .query<{ currentDetails?: string }>(METADATA)
        .then(({ currentDetails }) => currentDetails ?? '')
        .catch(() => null);
      return { words, retried };
    });
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return 'missing';
    log.warn({ err: error }, 'the dashboard could not ask Temporal');
    return 'unknown';
  }
}

/** "closeCheckout" as "close checkout". */
const inWords = (activity: string): string =>
  activity.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** What a booking's run says it waits for, and what of it fails. `live` is of bookings that need a run. */
export function Run({ state, live }: { state: RunState; live: boolean }) {
  if (state === 'over' && !live) return null;
  return (
    <>
      <h2>What it waits for</h2>
      <div class="card">
        <Says state={state} />
      </div>
    </>
  );
}

function Says({ state }: { state: RunState }) {
  if (state === 'unknown') return <p>Temporal could not be asked.</p>;
  if (state === 'missing' || state === 'over') {
    return <p>It has no run. The hourly job starts a missing one anew.</p>;
  }
  const { words, retried } = state;
  const paragraphs = words === null ? ['Its run does not answer: is a worker running?'] : words.split('\n\n');
  return (
    <>
      {paragraphs.map((paragraph) => (
        <p key={paragraph}>{paragraph.replaceAll('**', '')}</p>
      ))}
      {retried.map(({ step, attempt, reason }) => (
        <p key={step} class="soft">
          Attempt {attempt} of “{step}”, after: {reason}
        </p>
      ))}
    </>
  );
}
