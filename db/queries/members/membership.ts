import type { Role } from '../../../domain/policies.js';
import { recoveringSince } from '../workspaces/recovery.js';
import { many, maybeOne } from '../../query.js';
import type { Tx } from '../../transaction.js';

/** SQL that is true for a member `m` who can sign in: after completing signup, until they leave. */
export const MAY_SIGN_IN = `m.status NOT IN ('invited', 'archived', 'deleted')`;

/** A workspace that a person is a member of, as its dashboard shows it. */
export interface Membership {
  workspace_id: string;
  workspace_name: string;
  time_zone: string;
  currency: string;
  member_id: string;
  role: Role;
  /** The person has used a link of the workspace, or opened it before. */
  accepted: boolean;
  /** Money stands still in the workspace: facts since then may be missing. */
  recovering_since: Date | null;
}

const OF_PROFILE = `SELECT w.id AS workspace_id, w.name AS workspace_name, w.time_zone, w.currency, m.id AS member_id, m.role,
    m.accepted_at IS NOT NULL AS accepted, ${recoveringSince('w.id')} AS recovering_since
  FROM members m JOIN workspaces w ON w.id = m.workspace_id WHERE m.profile_id = $1 AND ${MAY_SIGN_IN}`;

/** The workspaces that a person can sign in to, by name. */
export function listMemberships(tx: Tx, profileId: string): Promise<Membership[]> {
  return many<Membership>(tx, `${OF_PROFILE} ORDER BY w.name, w.id`, [profileId]);
}

/** A person's current membership in a workspace, or null. */
export function findMembership(tx: Tx, profileId: string, workspaceId: string): Promise<Membership | null> {
  return maybeOne<Membership>(tx, `${OF_PROFILE} AND w.id = $2`, [profileId, workspaceId]);
}
