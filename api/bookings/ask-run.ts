import {
  isGrpcServiceError,
  WithStartWorkflowOperation,
  WorkflowIdConflictPolicy,
  WorkflowIdReusePolicy,
  type WorkflowClient,
} from '@temporalio/client';
import { findChange, type ChangeOutcome } from '../../db/repositories/booking-changes.js';
import type { BookingRow } from '../../db/repositories/bookings.js';
import { ApiError } from '../../domain/errors.js';
import type { Principal } from '../../domain/policies.js';
import { bookingStartOptions } from '../../workflows/booking-start.js';
import type { cancelBooking, changeBooking } from '../../workflows/contract.js';
import { refundAsked, WORKFLOWS, workflowIds } from '../../workflows/contract.js';
import type { ApiDependencies } from '../app.js';
import { serviceUnavailable } from '../http/errors.js';

export type Deps = Pick<ApiDependencies, 'db' | 'temporal' | 'taskQueue'>;

const ANSWER_WITHIN_MS = 14_000;
/** How long an answer waits for the processor's first word on a refund; what it doesn't know by then is pending. */
const REFUND_WITHIN_MS = 4_000;

export const actorOf = ({ member_id, key_id }: Principal) => ({ member_id, key_id });

/**
 * Hands a stored change or cancellation to the booking's run, which takes them one at a time, and gives what it came
 * to. A run that was lost is started anew from the booking's row. Errors: those of the change; 503
 * `service_unavailable` where it has not been decided in time: it goes on, and the booking will show it.
 */
export async function askRun(
  deps: Deps,
  booking: BookingRow,
  update: typeof changeBooking | typeof cancelBooking,
  changeId: string,
): Promise<ChangeOutcome & { kind: 'done' }> {
  const { workflow }: { workflow: WorkflowClient } = deps.temporal;
  await deps.temporal.withDeadline(Date.now() + ANSWER_WITHIN_MS, () =>
    workflow.executeUpdateWithStart(update, {
      args: [{ changeId }],
      updateId: changeId,
      startWorkflowOperation: new WithStartWorkflowOperation(WORKFLOWS.booking, {
        ...bookingStartOptions(booking, deps.taskQueue),
        workflowIdConflictPolicy: WorkflowIdConflictPolicy.USE_EXISTING,
        workflowIdReusePolicy: WorkflowIdReusePolicy.ALLOW_DUPLICATE,
      }),
    }),
  );
  const outcome = (await findChange(deps.db.manager, changeId))?.outcome;
  if (!outcome) throw serviceUnavailable('The booking could not be changed in time.');
  if (outcome.kind === 'refused') throw new ApiError(outcome.code, outcome.message, outcome.context);
  return outcome;
}

/** Waits until the processor has been asked for the refunds, or gives up: their rows tell how far they are. */
export async function awaitRefunds({ temporal }: Pick<Deps, 'temporal'>, refundIds: string[]): Promise<void> {
  const asked = refundIds.map((id) =>
    temporal.workflow.getHandle(workflowIds.refund(id)).executeUpdate(refundAsked),
  );
  try {
    await temporal.withDeadline(Date.now() + REFUND_WITHIN_MS, () => Promise.allSettled(asked));
  } catch (error) {
    if (!isGrpcServiceError(error)) throw error;
  }
}
