import { setTimeout as sleep } from 'node:timers/promises';
import {
  isGrpcServiceError,
  ServiceError,
  WithStartWorkflowOperation,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
  type WorkflowClient,
} from '@temporalio/client';
import { type BookingChange, findChange } from '../../../db/queries/bookings/booking-change.js';
import { withdrawChange } from '../../../commands/bookings/change/plan.js';
import type { BookingRow } from '../../../db/queries/bookings/booking.js';
import type { ChangeOutcome } from '../../../domain/bookings/change.js';
import type { Tx } from '../../../db/transaction.js';
import { ApiError } from '../../../domain/errors.js';
import { chargeUnknown, pageNotYetOpen } from '../../../domain/processor/refusals.js';
import type { Principal } from '../../../domain/policies.js';
import type {
  cancelUpdate,
  changeUpdate,
  TakePaymentInput,
  takePaymentUpdate,
  WithdrawInput,
  withdrawUpdate,
} from '../../../contract/bookings.js';
import { WORKFLOWS } from '../../../contract/names.js';
import { starts } from '../../../contract/starts.js';
import type { ApiDependencies } from '../../dependencies.js';
import { serviceUnavailable } from '../../http/errors.js';
import { RESPOND_WITHIN_MS } from '../../http/runs.js';

export type Deps = Pick<ApiDependencies, 'db' | 'temporal' | 'taskQueue' | 'log' | 'manageLinks'>;
type Update = typeof changeUpdate | typeof cancelUpdate | typeof withdrawUpdate | typeof takePaymentUpdate;

/** The actor of a change, as it is stored with it. */
export const toChangeActor = ({ member_id, key_id }: Principal) => ({ member_id, key_id });

/**
 * Passes a stored change or cancellation to the booking's run, which applies them one at a time, and
 * returns the outcome. A missing run is started again from the booking's row
 * (docs/internals/architecture.md#changes-and-cancellations). Errors: those of the change; 503
 * `service_unavailable` if it was not decided in time, after which it is never applied; 502
 * `processor_error` if the processor has not reported in time whether the card was charged, or not opened
 * the page, in which case the change continues. Returns null if the change waits for its payer.
 * `checkoutId`: of the change that a payment at the desk is for.
 */
export async function executeUpdate(
  deps: Deps,
  booking: BookingRow,
  update: Update,
  changeId: string,
  checkoutId?: string,
): Promise<(ChangeOutcome & { kind: 'done' }) | null> {
  const { manager } = deps.db;
  try {
    await updateRun(deps, booking, update, { changeId, checkoutId, updateId: changeId });
  } catch (error) {
    deps.log.warn({ err: error, changeId }, 'change not decided in time');
    await withdrawChange(manager, changeId);
  }
  const { state } = await requested(manager, changeId);
  return state === 'pending' ? null : readOutcome(deps, changeId);
}

/** A requested change. Errors: 503 if the database has lost it, in which case it never takes effect. */
export async function requested(tx: Tx, changeId: string): Promise<BookingChange> {
  const change = await findChange(tx, changeId);
  if (!change) throw serviceUnavailable('The request was lost. Nothing was changed.');
  return change;
}

/**
 * The stored outcome of a change. Errors: those of the change; 502 `processor_error` if there is none yet.
 */
export async function readOutcome(
  { db }: Pick<Deps, 'db'>,
  changeId: string,
): Promise<ChangeOutcome & { kind: 'done' }> {
  const { outcome, state } = await requested(db.manager, changeId);
  if (!outcome) throw state === 'charging' ? chargeUnknown() : pageNotYetOpen();
  if (outcome.kind === 'refused') throw new ApiError(outcome.code, outcome.message, outcome.context);
  return outcome;
}

/**
 * A run that is completing or continues as new rejects updates. Each further attempt may find the next run.
 */
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 500;
const GRPC_NOT_FOUND = 5;
const GRPC_FAILED_PRECONDITION = 9;
const GRPC_ABORTED = 10;

/** Sends an update about a change to the booking's run, and waits until the run has processed it. */
export async function updateRun(
  deps: Deps,
  booking: BookingRow,
  update: Update,
  { updateId, ...input }: (TakePaymentInput | WithdrawInput) & { updateId: string },
): Promise<void> {
  const { workflow }: { workflow: WorkflowClient } = deps.temporal;
  const deadline = Date.now() + RESPOND_WITHIN_MS;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    try {
      return await deps.temporal.withDeadline(deadline, () =>
        // The updates take parts of the same input, and the client's types do not accept a union.
        workflow.executeUpdateWithStart(update as typeof changeUpdate, {
          args: [input],
          updateId,
          startWorkflowOperation: new WithStartWorkflowOperation(
            WORKFLOWS.booking,
            starts(deps.taskQueue).booking(booking),
          ),
        }),
      );
    } catch (error) {
      if (Date.now() + pause >= deadline || !wasCompleting(error)) throw error;
      await sleep(pause);
    }
  }
}

/** The client reports a run that accepts no more updates in several ways, including a cancelled call. */
function wasCompleting(error: unknown): boolean {
  const types = [WorkflowNotFoundError, WorkflowUpdateFailedError, WorkflowUpdateRPCTimeoutOrCancelledError];
  if (types.some((type) => error instanceof type)) return true;
  const cause = error instanceof ServiceError ? error.cause : error;
  return (
    isGrpcServiceError(cause) && [GRPC_NOT_FOUND, GRPC_FAILED_PRECONDITION, GRPC_ABORTED].includes(cause.code)
  );
}
