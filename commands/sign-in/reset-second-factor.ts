import type { DataSource } from 'typeorm';
import { ApiError } from '../../domain/errors.js';
import { assertCan, type Principal } from '../../domain/policies.js';
import { newId } from '../../db/ids.js';
import { column, exists } from '../../db/query.js';
import { Passkey, RecoveryCode, SecondFactor } from '../../db/entities/access.js';
import { transaction, type Tx } from '../../db/transaction.js';
import { enqueueMail } from '../mail/mails.js';
import { lockMember } from '../members/members.js';
import { findProfile, forgetDevices } from '../members/profiles.js';
import { audit, auditPerson, type System } from '../audit-log/audit.js';
import { withCode, type CodeDeps } from './authenticators.js';
import { lockFactors, lockSecondFactor } from './second-factors.js';
import { deletePersonSessions } from './sessions.js';

const ACTION = 'second_factor.reset';

/**
 * Returns whether the person of a membership has a second factor. Before they accept the membership, its
 * workspace may not know, so the result is false.
 */
export function hasSecondFactor(tx: Tx, memberId: string): Promise<boolean> {
  return exists(
    tx,
    `SELECT FROM members m WHERE m.id = $1 AND (has_authenticator(m.profile_id) OR has_passkey(m.profile_id))
      AND may_sign_in(m)`,
    [memberId],
  );
}

/**
 * Removes the lost second factor of a member, who then signs in by a link alone and, as an admin, sets up a
 * new one (docs/rules/credentials.md#lost-second-factor). `code`: the caller's; null for callers who do not
 * need one. Errors: 403 `role_insufficient`, 404 `member_not_found`, 409 `member_not_editable` for the caller
 * themselves, for a person without a second factor or who has not accepted the membership, and for one who
 * can sign in to other workspaces, whose owners have not agreed; 422 on `code`.
 */
export const resetMemberSecondFactor = (
  deps: CodeDeps,
  by: Principal,
  memberId: string,
  code: string | null,
): Promise<void> => withCode(deps, by.profile_id, code, (tx) => resetFactor(tx, by, memberId));

async function resetFactor(tx: Tx, by: Principal, memberId: string): Promise<void> {
  assertCan(by.role, 'reset_second_factor');
  const member = await lockMember(tx, by.workspace_id, memberId);
  if (!member) throw new ApiError('member_not_found', 'No such member.');
  if (member.id === by.member_id)
    throw new ApiError('member_not_editable', 'Change your own two-step verification on your account page.');
  if (!(await hasSecondFactor(tx, member.id)))
    throw new ApiError(
      'member_not_editable',
      'This person has not set up two-step verification, or has not accepted the membership.',
    );
  const others = await exists(
    tx,
    `SELECT FROM members m WHERE m.profile_id = $1 AND m.workspace_id <> $2 AND may_sign_in(m)`,
    [member.profile_id, by.workspace_id],
  );
  if (others)
    throw new ApiError(
      'member_not_editable',
      'Only the operator of the service can reset two-step verification for this person.',
    );
  await removeSecondFactor(tx, member.profile_id);
  await audit(tx, by, { action: ACTION, object: member.id, details: {} });
}

/**
 * Removes the lost second factor of the person with an email address, on request of the operator of the
 * service. Returns the workspaces that the person can sign in to. Errors: 404 `member_not_found` for an
 * address without a second factor.
 */
export const resetSecondFactorByEmail = (db: DataSource, email: string, by: System): Promise<string[]> =>
  transaction(db, async (tx) => {
    const profileId = await findProfile(tx, email);
    if (!profileId || !(await removeSecondFactor(tx, profileId)))
      throw new ApiError('member_not_found', 'Nobody with this address has set up two-step verification.', {
        param: 'email',
      });
    await auditPerson(tx, profileId, { action: ACTION }, by);
    return column<string>(
      tx,
      `SELECT workspace_id FROM members m WHERE m.profile_id = $1 AND may_sign_in(m) ORDER BY workspace_id`,
      [profileId],
    );
  });

/**
 * Removes authenticator, passkeys and recovery codes, ends the person's sessions and sends mail. Returns
 * false if there was no second factor.
 */
async function removeSecondFactor(tx: Tx, profileId: string): Promise<boolean> {
  await lockFactors(tx, profileId);
  if (!(await lockSecondFactor(tx, profileId))) return false;
  await tx.delete(RecoveryCode, { profile_id: profileId });
  await tx.delete(SecondFactor, { profile_id: profileId });
  await tx.delete(Passkey, { profile_id: profileId });
  await deletePersonSessions(tx, profileId);
  await forgetDevices(tx, profileId);
  await enqueueMail(tx, { kind: 'second_factor_reset', profile_id: profileId, about: newId('mail') });
  return true;
}
