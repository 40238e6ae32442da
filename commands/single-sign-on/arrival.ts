import { addressKey, isCanonical } from '../../db/address.js';
import { newId } from '../../db/ids.js';
import { SsoSubject } from '../../db/entities/single-sign-on.js';
import { maybeOne } from '../../db/query.js';
import { findMember, type MemberRow } from '../../db/queries/members/member.js';
import { findMemberOfAddress, type SignInPage } from '../../db/queries/single-sign-on/single-sign-on.js';
import type { Tx } from '../../db/transaction.js';
import { nameFromAddress } from '../../domain/names.js';
import { presentMember } from '../../domain/members/presenter.js';
import type { Quotas } from '../../domain/workspaces/quotas.js';
import { provisions } from '../../domain/single-sign-on/providers.js';
import { completeSignup } from '../members/accept-invite.js';
import { grantHours } from '../subscriptions/member-cycle.js';
import { recordMemberEvent } from '../members/member-changes.js';
import { insertMember, lockMember } from '../members/members.js';
import { audit } from '../audit-log/audit.js';
import { takePlace } from '../workspaces/quotas.js';

/** The person who signed in at a provider, as reported by it. */
export interface Arriving {
  subject: string;
  email: string | null;
  name: string | null;
}

/** Why a person whom the provider has signed in is not admitted. */
export type NotAdmitted = 'unknown_member' | 'archived' | 'other_subject' | 'no_email';

/**
 * Finds the member of a workspace whom its provider has signed in (docs/rules/single-sign-on.md#the-member):
 * by the provider's subject, or at the first sign-in by the address, to which the subject is bound from then
 * on. An invited member becomes active, and an unknown address in the domains of `provision` becomes a
 * member. Nothing about the person in other workspaces is read or changed. Errors: 409 `limit_reached`.
 */
export async function admit(
  tx: Tx,
  quotas: Quotas,
  { workspace_id, provision }: SignInPage,
  arriving: Arriving,
): Promise<MemberRow | NotAdmitted> {
  const { subject, email } = arriving;
  const bound = await maybeOne<{ member_id: string }>(
    tx,
    `SELECT member_id FROM sso_subjects WHERE workspace_id = $1 AND subject = $2`,
    [workspace_id, subject],
  );
  if (bound) return enter(tx, (await lockMember(tx, workspace_id, bound.member_id))!, arriving);
  if (email === null || !isCanonical(email)) return 'no_email';
  const found = await findMemberOfAddress(tx, workspace_id, email);
  if (!found) {
    if (!provisions(provision, addressKey(email))) return 'unknown_member';
    const member = await addMember(tx, quotas, workspace_id, provision.tier, { ...arriving, email });
    await tx.insert(SsoSubject, { workspace_id, member_id: member.id, subject });
    return member;
  }
  const member = (await lockMember(tx, workspace_id, found.id))!;
  const own = `SELECT subject FROM sso_subjects WHERE member_id = $1`;
  const binding = await maybeOne<{ subject: string }>(tx, own, [member.id]);
  if (binding && binding.subject !== subject) return 'other_subject';
  const entered = await enter(tx, member, arriving);
  if (typeof entered !== 'string' && !binding)
    await tx.insert(SsoSubject, { workspace_id, member_id: member.id, subject });
  return entered;
}

/**
 * Admits a locked member. An invited member has thereby completed the signup; the address itself stays
 * unproven.
 */
async function enter(tx: Tx, member: MemberRow, { name }: Arriving): Promise<MemberRow | NotAdmitted> {
  if (member.status === 'archived' || member.status === 'deleted') return 'archived';
  if (member.status !== 'invited') return member;
  await completeSignup(tx, member, name ?? member.name);
  return (await findMember(tx, member.workspace_id, member.id))!;
}

/** Adds a person whom the workspace's provider has signed in. The service does not bill them. */
async function addMember(
  tx: Tx,
  quotas: Quotas,
  workspace_id: string,
  tier: MemberRow['tier'],
  { email, name }: Arriving & { email: string },
): Promise<MemberRow> {
  await takePlace(tx, quotas, workspace_id, 'members');
  const id = newId('mem');
  const inserted = await insertMember(tx, {
    id,
    workspace_id,
    email,
    name: name ?? nameFromAddress(email),
    role: 'member',
    tier,
    billed: false,
  });
  const member = await grantHours(tx, inserted);
  await recordMemberEvent(tx, 'member.activated', member);
  const { status, role, billed } = presentMember(member);
  const details = { after: { tier, status, role, billed } };
  await audit(tx, { workspace_id, system: 'sso' }, { action: 'member.created', object: id, details });
  return member;
}
