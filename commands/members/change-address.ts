import { Member } from '../../db/entities/members.js';
import type { Tx } from '../../db/transaction.js';
import type { Principal } from '../../domain/policies.js';
import { revokeApiKeys } from '../api-keys/api-keys.js';
import { forgetSubject } from '../single-sign-on/subjects.js';
import { rotateMemberManageLinks } from '../bookings/payer.js';
import { enqueueMail } from '../mail/mails.js';
import { endInvite, renewInvite } from './invites.js';
import type { MemberRow } from '../../db/queries/members/member.js';
import { deleteUnusedProfile, findOrCreateProfile, findProfile, verifyProfile } from './profiles.js';

/**
 * Gives a locked member another address (docs/rules/members.md#changes-of-address). The membership moves to
 * the profile with that address, and a profile without any membership is deleted with its sessions and second
 * factor. The keys of the membership, the manage links of its bookings and its binding to a provider's
 * subject end. The address gets a link to confirm it, unless it is proven. Another spelling of the same
 * address only changes what the workspace sees. Returns true if the membership moved. Errors: 409
 * `member_exists`.
 */
export async function changeAddress(
  tx: Tx,
  by: Principal,
  member: MemberRow,
  email: string,
  { isProven = false } = {},
): Promise<boolean> {
  const { id, profile_id: previous } = member;
  if ((await findProfile(tx, email)) === previous) {
    await tx.update(Member, { id }, { email });
    return false;
  }
  const profile_id = await findOrCreateProfile(tx, email);
  // The person with the new address has not accepted the membership yet.
  await tx.update(Member, { id }, { email, profile_id, accepted_at: isProven ? undefined : null });
  await forgetSubject(tx, member);
  await deleteUnusedProfile(tx, previous);
  await revokeApiKeys(tx, by, { member_id: id }, 'address_changed');
  await rotateMemberManageLinks(tx, id);
  if (isProven) {
    await verifyProfile(tx, profile_id);
    await endInvite(tx, id);
  } else await renewInvite(tx, member);
  return true;
}

/**
 * Enqueues the mail that informs the previous address of a change. `eventId`: the event that reports the
 * change.
 */
export async function notifyPreviousAddress(tx: Tx, workspaceId: string, eventId: string): Promise<void> {
  await enqueueMail(tx, { workspace_id: workspaceId, kind: 'member_email_changed', about: eventId });
}
