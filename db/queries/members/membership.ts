import type { CsvFormat } from '../../../domain/csv-format.js';
import type { Role } from '../../../domain/policies.js';
import type { PricesEntered } from '../../../domain/rates/entered-price.js';
import { many, maybeOne } from '../../query.js';
import type { Tx } from '../../transaction.js';

/** A workspace of which a person is a member, as its dashboard shows it. */
export interface Membership {
  workspace_id: string;
  workspace_name: string;
  time_zone: string;
  currency: string;
  csv: CsvFormat;
  prices_entered: PricesEntered;
  member_id: string;
  role: Role;
  /** Payments are paused in the workspace: facts since this time may be missing. */
  recovering_since: Date | null;
  /** The name of the sign-in page that the person must use; null if they may sign in without a provider. */
  required_sign_in: string | null;
  /** Whether the person can also sign in to another workspace. Only `findMembership` tells. */
  has_others?: boolean;
}

/** Lists the workspaces that a person can sign in to, by name. */
export function listMemberships(tx: Tx, profileId: string): Promise<Membership[]> {
  return many<Membership>(
    tx,
    `SELECT w.id AS workspace_id, w.name AS workspace_name, w.time_zone, w.currency, w.csv,
      w.prices_entered, m.id AS member_id, m.role,
      recovering_since(w.id) AS recovering_since, required_sign_in(m) AS required_sign_in
    FROM members m JOIN workspaces w ON w.id = m.workspace_id WHERE m.profile_id = $1 AND may_sign_in(m)
      ORDER BY w.name, w.id`,
    [profileId],
  );
}

/**
 * Returns a person's current membership in a workspace; null if there is none or they have not accepted it.
 */
export function findMembership(tx: Tx, profileId: string, workspaceId: string): Promise<Membership | null> {
  return maybeOne<Membership>(
    tx,
    `SELECT w.id AS workspace_id, w.name AS workspace_name, w.time_zone, w.currency, w.csv,
      w.prices_entered, m.id AS member_id, m.role,
      recovering_since(w.id) AS recovering_since, required_sign_in(m) AS required_sign_in,
      EXISTS (SELECT FROM members o WHERE o.profile_id = m.profile_id AND o.id <> m.id AND may_sign_in(o))
        AS has_others
    FROM members m JOIN workspaces w ON w.id = m.workspace_id WHERE m.profile_id = $1 AND may_sign_in(m)
      AND w.id = $2`,
    [profileId, workspaceId],
  );
}

/**
 * Returns the membership that a session through the workspace's own provider opens, even if its person has
 * not accepted it, because the provider knows them (docs/rules/single-sign-on.md#what-it-opens).
 */
export function findProviderMembership(
  tx: Tx,
  profileId: string,
  workspaceId: string,
): Promise<Membership | null> {
  return maybeOne<Membership>(
    tx,
    `SELECT w.id AS workspace_id, w.name AS workspace_name, w.time_zone, w.currency, w.csv,
      w.prices_entered, m.id AS member_id, m.role,
      recovering_since(w.id) AS recovering_since, required_sign_in(m) AS required_sign_in
    FROM members m JOIN workspaces w ON w.id = m.workspace_id WHERE m.profile_id = $1 AND may_accept(m)
      AND w.id = $2`,
    [profileId, workspaceId],
  );
}

/** Lists the memberships that a person was given and has not accepted, by the workspace's name. */
export function listOffers(tx: Tx, profileId: string): Promise<Membership[]> {
  return many<Membership>(
    tx,
    `SELECT w.id AS workspace_id, w.name AS workspace_name, w.time_zone, w.currency, w.csv,
      w.prices_entered, m.id AS member_id, m.role,
      recovering_since(w.id) AS recovering_since, required_sign_in(m) AS required_sign_in
    FROM members m JOIN workspaces w ON w.id = m.workspace_id WHERE m.profile_id = $1 AND may_accept(m)
      AND m.accepted_at IS NULL ORDER BY w.name, w.id`,
    [profileId],
  );
}

/** Returns the membership in a workspace that a person was given and has not accepted, or null. */
export function findOffer(tx: Tx, profileId: string, workspaceId: string): Promise<Membership | null> {
  return maybeOne<Membership>(
    tx,
    `SELECT w.id AS workspace_id, w.name AS workspace_name, w.time_zone, w.currency, w.csv,
      w.prices_entered, m.id AS member_id, m.role,
      recovering_since(w.id) AS recovering_since, required_sign_in(m) AS required_sign_in
    FROM members m JOIN workspaces w ON w.id = m.workspace_id WHERE m.profile_id = $1 AND may_accept(m)
      AND m.accepted_at IS NULL AND w.id = $2`,
    [profileId, workspaceId],
  );
}
