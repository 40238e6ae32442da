import type { DataSource } from 'typeorm';
import { ApiError } from '../../domain/errors.js';
import type { MailQuotas } from '../../domain/api-keys/limits.js';
import type { Principal } from '../../domain/policies.js';
import { transaction, type Tx } from '../../db/transaction.js';
import { changeAddress, notifyPreviousAddress } from './change-address.js';
import { recordMemberChange } from './member-changes.js';
import { countInvite } from '../mail/mail-limits.js';
import { withCode, type CodeDeps } from '../sign-in/authenticators.js';
import { lockMember } from './members.js';
import { findProfile } from './profiles.js';
import { findRequestedAddress } from '../../db/queries/members/invite.js';
import { requestAddress } from './requested-addresses.js';

/**
 * Requests another address for the caller's own membership on the account page, which has checked their
 * sign-in (docs/rules/members.md#changes-of-address). Another spelling of the current address takes effect
 * immediately. `code`: of their second factor; null for a caller without one. Returns true if the address
 * must be confirmed. Errors: 404 `member_not_found`, 409 `member_exists`, 422 on `code`, 429 `rate_limited`.
 */
export const requestOwnAddress = (
  deps: CodeDeps & { mailQuotas: MailQuotas },
  caller: Principal,
  email: string,
  code: string | null,
): Promise<boolean> =>
  withCode(deps, caller.profile_id, code, async (tx) => {
    const isPending = await requestOrChange(tx, caller, email);
    if (isPending) await countInvite(tx, caller, deps.mailQuotas, caller.member_id);
    return isPending;
  });

async function requestOrChange(tx: Tx, caller: Principal, email: string): Promise<boolean> {
  const { workspace_id, member_id } = caller;
  const member = await lockMember(tx, workspace_id, member_id);
  if (!member) throw new ApiError('member_not_found', 'No such member.');
  if ((await findProfile(tx, email)) !== member.profile_id) {
    await requestAddress(tx, member, email);
    return true;
  }
  await changeAddress(tx, caller, member, email);
  await recordMemberChange(tx, caller, member);
  return false;
}

/**
 * Gives the caller's membership the address that they requested, after they opened the link that was mailed
 * to it. Returns false if the request was used, replaced or withdrawn in the meantime. Errors: 409
 * `member_exists`.
 */
export const confirmOwnAddress = (db: DataSource, caller: Principal, requestId: string): Promise<boolean> =>
  transaction(db, async (tx) => {
    const { workspace_id, member_id, profile_id } = caller;
    const member = await lockMember(tx, workspace_id, member_id);
    const request = await findRequestedAddress(tx, requestId);
    if (!member || member.profile_id !== profile_id || request?.member_id !== member_id) return false;
    const moved = await changeAddress(tx, caller, member, request.new_email, { isProven: true });
    const eventId = await recordMemberChange(tx, caller, member);
    if (moved && eventId) await notifyPreviousAddress(tx, workspace_id, eventId);
    return true;
  });
