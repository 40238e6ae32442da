import { WorkflowExecutionAlreadyStartedError } from '@temporalio/client';
import { findBooking, type BookingRow } from '../../../db/queries/bookings/booking.js';
import { pageNotOpened } from '../../../domain/processor/refusals.js';
import { createUpdate } from '../../../contract/bookings.js';
import type { CreateOutcome } from '../../../contract/payments/checkouts.js';
import { WORKFLOWS } from '../../../contract/names.js';
import { ONCE } from '../../../contract/run.js';
import { starts } from '../../../contract/starts.js';
import type { ApiDependencies } from '../../dependencies.js';
import { serviceUnavailable } from '../../http/errors.js';
import { updateAndWait } from '../../http/runs.js';

/** The fields of a reserved booking that its run needs to start. */
type Reserved = Parameters<ReturnType<typeof starts>['booking']>[0];

/**
 * Starts the booking's run with its create update, or joins it, and waits for the outcome, or
 * until the run has published the booking. Null if the run ended before it could be joined: the
 * database has the result then.
 */
export async function publish(
  deps: Pick<ApiDependencies, 'db' | 'publications' | 'temporal' | 'taskQueue'>,
  reserved: Reserved,
): Promise<BookingRow | null> {
  const start = { ...starts(deps.taskQueue).booking(reserved), ...ONCE };
  let outcome: CreateOutcome | null;
  try {
    outcome = await deps.publications.unlessPublished(reserved.id, () =>
      updateAndWait(deps.temporal, createUpdate, WORKFLOWS.booking, start, 'create'),
    );
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return null;
    throw error;
  }
  if (outcome === null || outcome.kind === 'published')
    return findBooking(deps.db.manager, reserved.workspace_id, reserved.id);
  if (outcome.code === 'service_unavailable')
    throw serviceUnavailable('The booking could not be created in time.');
  throw pageNotOpened(outcome.code, { consequence: 'No booking was created.' });
}
