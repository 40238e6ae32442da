import type { CsvFormat } from '../../../domain/csv-format.js';
import type { Role } from '../../../domain/policies.js';
import { recoveringSince } from '../workspaces/recovery.js';
import { REQUIRED_SIGN_IN } from '../single-sign-on/single-sign-on.js';
import { many, maybeOne } from '../../query.js';
import type { Tx } from '../../transaction.js';

/**
 * SQL that is true for a member `m` who has completed signup and has not left: their person
 * may accept the membership.
 */
export const MAY_ACCEPT = `m.status NOT IN ('invited', 'archived', 'deleted')`;

/**
 * SQL that is true for a member `m` who can open the workspace. Only these memberships count for a person's
 * sign-in: what a workspace does with an address that it has added changes nothing for the address's person
 * (docs/rules/members.md#accepting-a-membership).
 */
export const MAY_SIGN_IN = `${MAY_ACCEPT} AND m.accepted_at IS NOT NULL`;

/** A workspace that a person is a member of, as its dashboard shows it. */
export interface Membership {
  workspace_id: string;
  workspace_name: string;
  time_zone: string;
  currency: string;
  csv: CsvFormat;
  member_id: string;
  role: Role;
  /** Money stands still in the workspace: facts since then may be missing. */
  recovering_since: Date | null;
  /** The name of the sign-in page that the person must use; null if they may sign in by themselves. */
  required_sign_in: string | null;
}

const OF_PROFILE = `SELECT w.id AS workspace_id, w.name AS workspace_name, w.time_zone, w.currency, w.csv,
  m.id AS member_id, m.role,
    ${recoveringSince('w.id')} AS recovering_since, ${REQUIRED_SIGN_IN} AS required_sign_in
  FROM members m JOIN workspaces w ON w.id = m.workspace_id WHERE m.profile_id = $1`;
const ACCEPTED = `${OF_PROFILE} AND ${MAY_SIGN_IN}`;
const OFFERED = `${OF_PROFILE} AND ${MAY_ACCEPT} AND m.accepted_at IS NULL`;

/** The workspaces that a person can sign in to, by name. */
export function listMemberships(tx: Tx, profileId: string): Promise<Membership[]> {
  return many<Membership>(tx, `${ACCEPTED} ORDER BY w.name, w.id`, [profileId]);
}

/** A person's current membership in a workspace, or null; also null if they have not accepted it. */
export function findMembership(tx: Tx, profileId: string, workspaceId: string): Promise<Membership | null> {
  return maybeOne<Membership>(tx, `${ACCEPTED} AND w.id = $2`, [profileId, workspaceId]);
}

/**
 * The membership that a session through the workspace's own provider opens, also one that its person has not
 * accepted: the provider knows them (docs/rules/single-sign-on.md#what-it-opens).
 */
export function findProviderMembership(
  tx: Tx,
  profileId: string,
  workspaceId: string,
): Promise<Membership | null> {
  return maybeOne<Membership>(tx, `${OF_PROFILE} AND ${MAY_ACCEPT} AND w.id = $2`, [profileId, workspaceId]);
}

/** The memberships that a person has been given and has not accepted, by the workspace's name. */
export function listOffers(tx: Tx, profileId: string): Promise<Membership[]> {
  return many<Membership>(tx, `${OFFERED} ORDER BY w.name, w.id`, [profileId]);
}

/** The membership in a workspace that a person has been given and has not accepted, or null. */
export function findOffer(tx: Tx, profileId: string, workspaceId: string): Promise<Membership | null> {
  return maybeOne<Membership>(tx, `${OFFERED} AND w.id = $2`, [profileId, workspaceId]);
}
