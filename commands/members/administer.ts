import type { DataSource } from 'typeorm';
import { asId, newId } from '../../db/ids.js';
import { findMember, type MemberRow } from '../../db/queries/members/member.js';
import { transaction, type Tx } from '../../db/transaction.js';
import type { MailQuotas } from '../../domain/api-keys/limits.js';
import { ApiError } from '../../domain/errors.js';
import { presentMember, type PresentedMember } from '../../domain/members/presenter.js';
import { assertCan, type Principal } from '../../domain/policies.js';
import type { Quotas } from '../../domain/workspaces/quotas.js';
import { createOnce, type Created, type IdempotencyKey } from '../api-keys/idempotency.js';
import { countInvite } from '../mail/mail-limits.js';
import { resendInvite as resend } from './accept-invite.js';
import { archiveMember as archive } from './archive-member.js';
import { createMember as create, type MemberRequest } from './create-member.js';
import { eraseMember as erase } from './erasure.js';
import { updateMember } from './update-member.js';

/** Returns the error for a member that the workspace does not have. */
export const noSuchMember = (): ApiError => new ApiError('member_not_found', 'No such member.');

/**
 * Returns the id of a member, which can be sent in either form. Roles that cannot read other members are
 * refused before the member is looked up. Errors: 403 `role_insufficient`, 404 `member_not_found`.
 */
export function memberIdFor(caller: Pick<Principal, 'role' | 'member_id'>, sent: string): string {
  const id = asId('mem', sent);
  if (id !== caller.member_id) assertCan(caller.role, 'read_others');
  if (!id) throw noSuchMember();
  return id;
}

/** Returns a member of the caller's workspace. Errors: as `memberIdFor`. */
export async function memberFor(
  tx: Tx,
  caller: Pick<Principal, 'role' | 'member_id' | 'workspace_id'>,
  sent: string,
): Promise<MemberRow> {
  const member = await findMember(tx, caller.workspace_id, memberIdFor(caller, sent));
  if (!member) throw noSuchMember();
  return member;
}

/**
 * Creates a member (docs/rules/members.md#states). Errors: 403 `role_insufficient`; 404 `company_not_found`;
 * 409 `member_exists`, `limit_reached`, `idempotency_conflict`; 429 `rate_limited` for an invite.
 */
export function createMember(
  { db, quotas, mailQuotas }: { db: DataSource; quotas: Quotas; mailQuotas: MailQuotas },
  caller: Principal,
  sent: Omit<MemberRequest, 'id'>,
  idempotency: IdempotencyKey | null,
): Promise<Created<PresentedMember>> {
  const { workspace_id } = caller;
  const id = newId('mem');
  return createOnce(
    db,
    { workspace_id, idempotency, id },
    {
      async create(tx) {
        await create(tx, quotas, caller, { ...sent, id });
        await countInvite(tx, caller, mailQuotas, id);
      },
      async find(tx, id) {
        const member = await findMember(tx, workspace_id, id);
        return member && presentMember(member);
      },
    },
  );
}

interface Deps {
  db: DataSource;
  mailQuotas: MailQuotas;
}

/** Applies a change to a member and returns them. Errors: 429 if another invite would be sent too soon. */
async function changing(
  { db, mailQuotas }: Deps,
  caller: Principal,
  sentId: string,
  work: (tx: Tx, id: string) => Promise<unknown>,
): Promise<PresentedMember> {
  const id = memberIdFor(caller, sentId);
  await transaction(db, async (tx) => {
    await work(tx, id);
    await countInvite(tx, caller, mailQuotas, id);
  });
  return presentMember(await memberFor(db.manager, caller, id));
}

/** Changes a member (docs/rules/members.md#roles). Errors: 403, 404, 409, 429. */
export const changeMember = (
  deps: Deps,
  caller: Principal,
  id: string,
  sent: Parameters<typeof updateMember>[3],
): Promise<PresentedMember> => changing(deps, caller, id, (tx, id) => updateMember(tx, caller, id, sent));

/** Archives a member (docs/rules/members.md#archiving). Errors: 403, 404. */
export const archiveMember = (deps: Deps, caller: Principal, id: string): Promise<PresentedMember> =>
  changing(deps, caller, id, (tx, id) => archive(tx, caller, id));

/** Mails a new invite (docs/rules/members.md#invites). Errors: 404; 409 `member_not_invited`; 429. */
export const resendInvite = (deps: Deps, caller: Principal, id: string): Promise<PresentedMember> =>
  changing(deps, caller, id, (tx, id) => resend(tx, caller, id));

/** Erases a member (docs/rules/members.md#erasure). Errors: 403, 404. */
export async function eraseMember(db: DataSource, caller: Principal, id: string): Promise<void> {
  const member = memberIdFor(caller, id);
  await transaction(db, (tx) => erase(tx, caller, member));
}
