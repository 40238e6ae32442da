import { isDeepStrictEqual } from 'node:util';
import type { Principal } from '../../domain/policies.js';
import { many } from '../../db/query.js';
import { json } from '../../db/insert.js';
import { CLOCK } from '../../db/database-time.js';
import { AuditEntry } from '../../db/entities/workspaces.js';
import type { Tx } from '../../db/transaction.js';
import { MAY_SIGN_IN } from '../../db/queries/members/membership.js';

/**
 * Who made a change: a member with a key or on the dashboard (no key), a person with the manage link of a booking (its
 * id), or a part of the service.
 */
export type Actor = { workspace_id: string } & (
  | Pick<Principal, 'member_id' | 'key_id'>
  | { guest: string }
  | System
);

/** A part of the service, and the name of its operator if one asked for the change by an internal action. */
export interface System {
  system: SystemPart;
  operator?: string;
}
type SystemPart =
  | 'operator'
  | 'onboarding'
  | 'processor'
  | 'webhooks'
  | 'accounting'
  | 'member_cycle'
  | 'oauth';

/**
 * Stores an entry about a high-value change in the transaction that makes it (docs/rules/credentials.md#audit-log).
 * Its time is that of the statement, not of the start of the transaction, so that edits that waited for each other are
 * listed in the right order.
 */
export async function audit(
  tx: Tx,
  by: Actor,
  entry: { action: string; object: string; details: Record<string, unknown> },
): Promise<void> {
  const { workspace_id, ...who } = by;
  const actor = 'member_id' in who ? { member_id: who.member_id, key_id: who.key_id } : who;
  await tx.insert(AuditEntry, { ...entry, details: json(entry.details), workspace_id, at: CLOCK, actor });
}

/**
 * Stores an entry about a person's sign-in in each workspace that they can sign in to and whose membership they have
 * accepted: of their membership, or of a part of the service, and about their membership. Nobody learns of a person's
 * other workspaces from it, and adding somebody's address does not show when they sign in elsewhere.
 */
export async function auditPerson(
  tx: Tx,
  profileId: string,
  entry: { action: string; details?: Record<string, unknown> },
  system?: System,
): Promise<void> {
  const memberships = await many<{ workspace_id: string; id: string }>(
    tx,
    `SELECT m.workspace_id, m.id FROM members m WHERE m.profile_id = $1 AND ${MAY_SIGN_IN} ORDER BY m.id`,
    [profileId],
  );
  for (const { workspace_id, id } of memberships) {
    const by = system ? { workspace_id, ...system } : { workspace_id, member_id: id, key_id: null };
    await audit(tx, by, { details: {}, ...entry, object: id });
  }
}

/** Stores an entry about an edit, if any field changed: the changed fields as the API shows them, before and after. */
export async function auditEdit<Shown extends Record<string, unknown>>(
  tx: Tx,
  by: Actor,
  edit: { action: string; object: string; before: Shown; after: Shown },
): Promise<void> {
  const before: Record<string, unknown> = { ...edit.before };
  const after: Record<string, unknown> = { ...edit.after };
  const changed = Object.keys({ ...before, ...after }).filter(
    (field) => field !== 'updated_at' && !isDeepStrictEqual(before[field], after[field]),
  );
  if (changed.length === 0) return;
  const only = (shown: Record<string, unknown>) =>
    Object.fromEntries(changed.map((field) => [field, shown[field] ?? null]));
  const details = { before: only(before), after: only(after) };
  await audit(tx, by, { action: edit.action, object: edit.object, details });
}
