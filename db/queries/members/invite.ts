import type { OfferedPlan } from '../../../domain/members/plans.js';
import type { Role } from '../../../domain/policies.js';
import { maybeOne } from '../../query.js';
import type { Tx } from '../../transaction.js';

/** The link that a member can use, with what its mail and its page show. */
interface MemberLink extends OfferedPlan {
  id: string;
  member_id: string;
  workspace_id: string;
  expires_at: Date;
  profile_id: string;
  name: string;
  email: string;
  workspace_name: string;
  role: Role;
}

export interface OpenInvite extends MemberLink {
  /** False for a member who has already joined: the link only proves their address. */
  completes_signup: boolean;
}

export interface RequestedAddress extends MemberLink {
  new_email: string;
}

/** Returns the invite of a link; null if it was used or replaced by a newer one. It may have expired. */
export function findInvite(tx: Tx, id: string): Promise<OpenInvite | null> {
  return maybeOne<OpenInvite>(
    tx,
    `SELECT i.id, i.member_id, i.workspace_id, i.expires_at, i.new_email,
      m.status = 'invited' AS completes_signup,
      m.profile_id, m.email, m.name, m.role, w.name AS workspace_name, w.time_zone,
      m.tier, m.billed, m.trial_ends_at, c.name AS company_name, w.currency, w.tax_codes, w.tier_prices,
        w.plans
    FROM member_invites i
    JOIN workspaces w ON w.id = i.workspace_id
    JOIN members m ON m.id = i.member_id
    LEFT JOIN companies c ON c.id = m.company_id WHERE i.id = $1 AND i.new_email IS NULL`,
    [id],
  );
}

/**
 * Returns a requested address by the id in its link; null once it was confirmed, replaced or withdrawn, or
 * has expired.
 */
export function findRequestedAddress(tx: Tx, id: string): Promise<RequestedAddress | null> {
  return maybeOne<RequestedAddress>(
    tx,
    `SELECT i.id, i.member_id, i.workspace_id, i.expires_at, i.new_email,
      m.status = 'invited' AS completes_signup,
      m.profile_id, m.email, m.name, m.role, w.name AS workspace_name, w.time_zone,
      m.tier, m.billed, m.trial_ends_at, c.name AS company_name, w.currency, w.tax_codes, w.tier_prices,
        w.plans
    FROM member_invites i
    JOIN workspaces w ON w.id = i.workspace_id
    JOIN members m ON m.id = i.member_id
    LEFT JOIN companies c ON c.id = m.company_id 
    WHERE i.id = $1 AND i.new_email IS NOT NULL AND i.expires_at > now()`,
    [id],
  );
}
