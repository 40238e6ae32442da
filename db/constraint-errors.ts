import { QueryFailedError } from 'typeorm';
import { ApiError } from '../domain/errors.js';
import { slotUnavailable } from '../domain/slots.js';

/** What a violated constraint means to a client. A constraint that isn't here is a fault of ours. */
const CONSTRAINT_ERRORS: Record<string, () => ApiError> = {
  slot_claims_no_overlap: () => slotUnavailable('booked'),
  members_workspace_id_profile_id_key: () =>
    new ApiError('member_exists', 'The workspace has a member with this mail address.', { param: 'email' }),
  profiles_email_key: () =>
    new ApiError('member_exists', 'Somebody has this mail address.', { param: 'email' }),
  workspaces_processor_account_key: () =>
    new ApiError('processor_account_taken', 'This processor account already serves another workspace.'),
  accounting_connections_tenant_key: () =>
    new ApiError('accounting_organisation_taken', 'These books already serve another workspace.'),
};

/** Turns a violation of a known constraint into its API error, and gives anything else back as it was. */
export function asApiError(error: unknown): unknown {
  if (!(error instanceof QueryFailedError)) return error;
  const { constraint } = error.driverError as { constraint?: string };
  return (constraint && CONSTRAINT_ERRORS[constraint]?.()) || error;
}
