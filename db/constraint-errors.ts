import { QueryFailedError } from 'typeorm';
import { ApiError, invalidField, refusalError } from '../domain/errors.js';
import { whyNotMoveMoney } from '../domain/processor/refusals.js';
import { slotUnavailable } from '../domain/bookings/slots.js';

/**
 * The API error for each constraint that a client can violate. Violating any other constraint is an internal
 * error.
 */
const CONSTRAINT_ERRORS: Record<string, () => ApiError> = {
  numbers_known: () => refusalError(whyNotMoveMoney({ recovering_since: new Date() })!),
  slot_claims_no_overlap: () => slotUnavailable('booked'),
  part_claims_no_overlap: () => slotUnavailable('part_booked'),
  members_workspace_id_profile_id_key: () =>
    new ApiError('member_exists', 'This workspace already has a member with this email address.', {
      param: 'email',
    }),
  booking_pages_slug_key: () => invalidField('slug', 'is the address of another page'),
  workspaces_processor_account_key: () =>
    new ApiError('processor_account_taken', 'This processor account is connected to another workspace.'),
  accounting_connections_tenant_key: () =>
    new ApiError(
      'accounting_organisation_taken',
      'This accounting organisation is connected to another workspace.',
    ),
};

/** Returns the API error for a violated constraint, otherwise the error itself. */
export function toConstraintError(error: unknown): unknown {
  if (!(error instanceof QueryFailedError)) return error;
  const { constraint } = error.driverError as { constraint?: string };
  return (constraint && CONSTRAINT_ERRORS[constraint]?.()) || error;
}
