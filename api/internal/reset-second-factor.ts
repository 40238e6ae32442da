import { resetSecondFactorByEmail } from '../../commands/sign-in/reset-second-factor.js';
import type { System } from '../../commands/audit-log/audit.js';
import type { ApiDependencies } from '../dependencies.js';
import { email } from '../http/fields.js';
import { object, string, type Infer } from '../http/typed.js';

export const resetSecondFactorSchema = object({ action: string, email }, 'email');
type ResetSecondFactorBody = Infer<typeof resetSecondFactorSchema>;

/**
 * The internal action `reset_second_factor`: for a person who lost authenticator and recovery codes
 * (docs/rules/credentials.md#lost-second-factor). Errors: 404 `member_not_found`.
 */
export async function resetSecondFactor(
  { db }: Pick<ApiDependencies, 'db'>,
  { email }: ResetSecondFactorBody,
  by: System,
): Promise<{ workspace_ids: string[] }> {
  return { workspace_ids: await resetSecondFactorByEmail(db, email, by) };
}
