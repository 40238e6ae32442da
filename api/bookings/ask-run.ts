import {
  isGrpcServiceError,
  WithStartWorkflowOperation,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
  type WorkflowClient,
} from '@temporalio/client';
import { findChange } from '../../db/repositories/bookings/booking-change-queries.js';
import { withdrawChange } from '../../db/repositories/bookings/booking-changes.js';
import type { BookingRow } from '../../db/repositories/bookings/booking-queries.js';
import type { ChangeOutcome } from '../../domain/booking-change.js';
import { ApiError } from '../../domain/errors.js';
import type { Principal } from '../../domain/policies.js';
import { WORKFLOWS, type cancelBooking, type changeBooking } from '../../workflows/contract.js';
import { starts } from '../../workflows/starts.js';
import type { ApiDependencies } from '../app.js';

export type Deps = Pick<ApiDependencies, 'db' | 'temporal' | 'taskQueue' | 'log'>;

const ANSWER_WITHIN_MS = 14_000;

export const actorOf = ({ member_id, key_id }: Principal) => ({ member_id, key_id });

const CHARGE_UNKNOWN =
  'The payment processor has not said whether the card was charged. Once it does, the change is made or dropped, and the booking shows it; until then both places are held. Do not ask for it again.';

/**
 * Hands a stored change or cancellation to the booking's run, which takes them one at a time, and gives what it came
 * to. A run that was lost is started anew from the booking's row. Errors: those of the change; 503
 * `service_unavailable` where nothing has been decided in time, and then nothing is done later either; 502
 * `processor_error` where the processor has not said in time whether it charged: that goes on.
 */
export async function askRun(
  deps: Deps,
  booking: BookingRow,
  update: typeof changeBooking | typeof cancelBooking,
  changeId: string,
): Promise<ChangeOutcome & { kind: 'done' }> {
  const { manager } = deps.db;
  try {
    await joinRun(deps, booking, update, changeId);
  } catch (error) {
    deps.log.warn({ err: error, changeId }, 'a change was not decided in time');
    await withdrawChange(manager, changeId);
  }
  const { outcome } = (await findChange(manager, changeId))!;
  if (!outcome) throw new ApiError('processor_error', CHARGE_UNKNOWN);
  if (outcome.kind === 'refused') throw new ApiError(outcome.code, outcome.message, outcome.context);
  return outcome;
}

/** A run that is just ending turns an update away; the next try finds it over, and starts it anew. */
const TRIES = 3;
const GRPC_NOT_FOUND = 5;
const GRPC_ABORTED = 10;

async function joinRun(
  deps: Deps,
  booking: BookingRow,
  update: typeof changeBooking | typeof cancelBooking,
  changeId: string,
): Promise<void> {
  const { workflow }: { workflow: WorkflowClient } = deps.temporal;
  const deadline = Date.now() + ANSWER_WITHIN_MS;
  for (let attempt = 1; ; attempt++) {
    try {
      return await deps.temporal.withDeadline(deadline, () =>
        workflow.executeUpdateWithStart(update, {
          args: [{ changeId }],
          updateId: changeId,
          startWorkflowOperation: new WithStartWorkflowOperation(
            WORKFLOWS.booking,
            starts(deps.taskQueue).booking(booking),
          ),
        }),
      );
    } catch (error) {
      if (attempt === TRIES || Date.now() >= deadline || !wasEnding(error)) throw error;
    }
  }
}

/** The client tells of it in several ways, as a call that was cancelled among others. */
function wasEnding(error: unknown): boolean {
  const told = [WorkflowNotFoundError, WorkflowUpdateFailedError, WorkflowUpdateRPCTimeoutOrCancelledError];
  if (told.some((type) => error instanceof type)) return true;
  return isGrpcServiceError(error) && (error.code === GRPC_ABORTED || error.code === GRPC_NOT_FOUND);
}
