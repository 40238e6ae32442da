import { dayIn } from '../../domain/cycle.js';
import { ApiError, refuse } from '../../domain/errors.js';
import { whyNotEdit, whyNotStatus, type MemberChanges } from '../../domain/members/edit.js';
import { assertAutopay, nextStatementAfter } from '../../domain/invoices/payer.js';
import { changedMetadata } from '../../domain/metadata.js';
import { isPromotion, type Principal } from '../../domain/policies.js';
import { tierAfterRequest } from '../../domain/members/tiers.js';
import { NOW } from '../../db/database-time.js';
import { Member } from '../../db/entities/members.js';
import type { Tx } from '../../db/transaction.js';
import { revokeApiKeys } from '../api-keys/api-keys.js';
import { notifyCollections } from '../invoices/notify-collections.js';
import { findApplicationGrant } from '../applications/keys.js';
import { changePayer, draftBeforeMove } from '../subscriptions/charges.js';
import { draftOwed } from '../subscriptions/invoices.js';
import { changeAddress, notifyPreviousAddress } from './change-address.js';
import { assertCompany } from '../companies/companies.js';
import { grantHours } from '../subscriptions/member-cycle.js';
import { waitForPayer } from '../subscriptions/pending-tiers.js';
import { recordMemberChange, reportAdmin } from './member-changes.js';
import { lockMember, setBillingAnchor } from './members.js';

/** The fields that a change sets: those to which rules apply, and any other column of the member. */
type Changes = MemberChanges & Partial<Omit<Member, 'id' | 'workspace_id' | 'metadata'>>;

/** The columns that decide what a payer's months cost. */
const DECIDING = ['status', 'tier', 'pending_tier', 'billed', 'company_id'] as const;

/**
 * Changes a member (docs/rules/members.md#roles, docs/rules/members.md#tiers). Errors: 403
 * `role_insufficient`, `owner_protected`; 404 `member_not_found`, `company_not_found`; 409 `member_exists`,
 * `member_not_editable`.
 */
export async function updateMember(
  tx: Tx,
  principal: Principal,
  id: string,
  changes: Changes,
): Promise<void> {
  const { workspace_id } = principal;
  const member = await lockMember(tx, workspace_id, id);
  if (!member) throw new ApiError('member_not_found', 'No such member.');
  refuse(whyNotEdit(principal, member, changes));
  assertAutopay(changes, member);
  if (
    changes.email !== undefined &&
    id === principal.member_id &&
    (await findApplicationGrant(tx, principal))
  )
    throw ownAddressOfApplication();
  const today = dayIn(member.time_zone, new Date());
  const next_statement_on = nextStatementAfter(changes, member, today);
  await assertCompany(tx, workspace_id, changes.company_id);
  const moved = changes.email !== undefined && (await changeAddress(tx, principal, member, changes.email));
  const { status = member.status } = changes;
  if (changes.status) refuse(whyNotStatus(member.status, changes.status));
  const { tier, pending_tier, pending_tier_at } = changes.tier
    ? tierAfterRequest(changes.tier, { ...member, status }, new Date())
    : member;
  const { company_id, role, autopay } = changes;
  const joins = member.joined_at === null && status !== 'invited' && status !== 'archived';
  const columns = {
    ...toMemberColumns(changes),
    ...changedMetadata(member, changes),
    status,
    tier,
    pending_tier,
    pending_tier_at,
    next_statement_on,
  };
  const moves = company_id !== undefined && company_id !== member.company_id;
  // Decide first what is owed for the time until now, while the member is unchanged.
  if (DECIDING.some((field) => columns[field] !== undefined && columns[field] !== member[field]))
    await draftOwed(tx, member, today, moves ? company_id : null);
  if (moves) await draftBeforeMove(tx, member, company_id, today);
  await tx.update(
    Member,
    { id },
    { ...columns, joined_at: joins ? NOW : undefined, archived_at: status === 'archived' ? undefined : null },
  );
  if (role && isPromotion(member.role, role))
    await revokeApiKeys(tx, principal, { issued_to: id }, 'member_promoted');
  if (moves) await changePayer(tx, member, company_id, today);
  if (status === 'active') await setBillingAnchor(tx, member, today);
  if (pending_tier) await waitForPayer(tx, member);
  if (status !== 'invited') await grantHours(tx, member);
  if (autopay !== undefined && autopay !== member.autopay)
    await notifyCollections(tx, { company_id: null, member_id: id });
  const eventId = await recordMemberChange(tx, principal, member, changes.tier_change_reason);
  if (moved && eventId) await notifyPreviousAddress(tx, workspace_id, eventId);
  if (member.role !== 'admin' && eventId) await reportAdmin(tx, principal, { role }, eventId);
}

/** Returns the columns that a change sets directly. An address has its own rules (`changeAddress`). */
function toMemberColumns({
  email: _email,
  tier_change_reason: _reason,
  monthly_statement: _statement,
  metadata: _metadata,
  ...columns
}: Changes): Partial<Member> {
  return columns;
}

/**
 * Returns the error if an application changes an address: a person who receives mail at it can sign in as the
 * member, with rights that the application was not given.
 */
function ownAddressOfApplication(): ApiError {
  const message =
    'An application cannot change the email address of the member it acts for. Members change it on ' +
    'their account page.';
  return new ApiError('role_insufficient', message, { param: 'email' });
}
