import { nameFromAddress } from '../../domain/names.js';
import { mergeMetadata, type MetadataChange } from '../../domain/metadata.js';
import { assertCan, type Principal, type Role } from '../../domain/policies.js';
import { presentMember } from '../../domain/members/presenter.js';
import type { Quotas } from '../../domain/workspaces/quotas.js';
import type { Tier } from '../../domain/rates/price.js';
import type { Tx } from '../../db/transaction.js';
import { audit } from '../audit-log/audit.js';
import { takePlace } from '../workspaces/quotas.js';
import { assertCompany } from '../companies/companies.js';
import { newInvite } from './invites.js';
import { recordMemberEvent, reportAdmin } from './member-changes.js';
import { grantHours } from '../subscriptions/member-cycle.js';
import { insertMember } from './members.js';
import type { Language } from '../../domain/words/languages.js';

/** A member to create, as requested by `POST /v1/members`. */
export interface MemberRequest {
  id: string;
  email: string;
  name?: string;
  tier: Tier;
  /** By default true only for the role `member` (docs/rules/members.md#who-pays). */
  billed?: boolean;
  locale?: Language | null;
  role: Exclude<Role, 'owner'>;
  company_id: string | null;
  send_invite: boolean;
  trial_ends_at: Date | null;
  metadata?: MetadataChange;
}

/**
 * Adds a member (docs/rules/members.md#states): invited by mail, on trial, or active immediately. Errors: 403
 * `role_insufficient`, 404 `company_not_found`, 409 `member_exists`, `limit_reached`.
 */
export async function createMember(
  tx: Tx,
  quotas: Quotas,
  principal: Principal,
  request: MemberRequest,
): Promise<void> {
  const { workspace_id } = principal;
  const { id, email, send_invite, trial_ends_at, metadata, ...rest } = request;
  if (request.role !== 'member') assertCan(principal.role, 'change_role');
  await assertCompany(tx, workspace_id, request.company_id);
  await takePlace(tx, quotas, workspace_id, 'members');
  const inserted = await insertMember(tx, {
    ...rest,
    id,
    workspace_id,
    email,
    name: request.name ?? nameFromAddress(email),
    trial_ends_at,
    metadata: mergeMetadata({}, metadata),
    status: send_invite ? 'invited' : trial_ends_at ? 'trialing' : 'active',
    ...(send_invite && { invite: newInvite() }),
  });
  const member = send_invite ? inserted : await grantHours(tx, inserted);
  const type = send_invite ? 'member.invited' : 'member.created';
  const eventId = await recordMemberEvent(tx, type, member);
  await reportAdmin(tx, principal, request, eventId);
  const { tier, status, role, billed, company, trial_ends_at: trial } = presentMember(member);
  const details = { after: { tier, status, role, billed, company, trial_ends_at: trial } };
  await audit(tx, principal, { action: type, object: id, details });
}
