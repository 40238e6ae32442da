import type { DataSource } from 'typeorm';
import { refuse } from '../../domain/errors.js';
import { whyNotEdit } from '../../domain/members/edit.js';
import type { Principal } from '../../domain/policies.js';
import { transaction } from '../../db/transaction.js';
import { memberIdFor, noSuchMember } from '../members/administer.js';
import { lockMember } from '../members/members.js';
import { audit } from '../audit-log/audit.js';
import { forgetSubject } from './subjects.js';

/**
 * Makes the next sign-in through the provider bind a member again, by their address
 * (docs/rules/single-sign-on.md#the-member). Whoever may change the member's address may do this, since both
 * decide who can sign in as the member. Errors: 403 `role_insufficient`, `owner_protected`; 404
 * `member_not_found`.
 */
export async function forgetMemberLogin(db: DataSource, by: Principal, sentId: string): Promise<void> {
  const id = memberIdFor(by, sentId);
  await transaction(db, async (tx) => {
    const member = await lockMember(tx, by.workspace_id, id);
    if (!member) throw noSuchMember();
    refuse(whyNotEdit(by, member, { email: member.email }));
    await forgetSubject(tx, member);
    await audit(tx, by, { action: 'sso.forgotten', object: member.id, details: {} });
  });
}
