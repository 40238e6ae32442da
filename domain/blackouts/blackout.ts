import { ApiError, invalidField } from '../errors.js';

/** Returns the error for a blackout that the room does not have. */
export const noSuchBlackout = (): ApiError => new ApiError('not_found', 'No such blackout.');

/** Errors: 422 on `end_at` if the period does not end after its start. */
export function assertPeriod({ start_at, end_at }: { start_at: Date; end_at: Date }): void {
  if (end_at <= start_at) throw invalidField('end_at', 'must be after {start_at}');
}
