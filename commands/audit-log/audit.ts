import { isDeepStrictEqual } from 'node:util';
import type { Principal } from '../../domain/policies.js';
import { execute, many } from '../../db/query.js';
import { json } from '../../db/insert.js';
import { CLOCK } from '../../db/database-time.js';
import { AuditEntry } from '../../db/entities/workspaces.js';
import type { Tx } from '../../db/transaction.js';

/**
 * Who made a change: a member, with a key or in the dashboard (no key); the person who used the manage link
 * of a booking (the link's id); or a part of the service.
 */
export type Actor = { workspace_id: string } & (
  | Pick<Principal, 'member_id' | 'key_id'>
  | { guest: string }
  | System
);

/**
 * A part of the service, and the name of its operator if one requested the change through an internal action.
 */
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
  | 'oauth'
  | 'mail'
  | 'recovery'
  | 'sso';

/**
 * Stores an audit entry about an important change, in the transaction that makes it
 * (docs/rules/credentials.md#audit-log). Its time is that of the statement and not the start of the
 * transaction, so that edits that waited for each other are listed in the right order.
 */
export async function audit(
  tx: Tx,
  by: Actor,
  entry: { action: string; object: string; details: Record<string, unknown> },
): Promise<void> {
  const { workspace_id } = by;
  const details = json(entry.details);
  await tx.insert(AuditEntry, { ...entry, details, workspace_id, at: CLOCK, actor: toAuditActor(by) });
}

/** Returns an actor in the form in which entries store it. */
function toAuditActor(by: Actor): AuditEntry['actor'] {
  if ('member_id' in by) return { member_id: by.member_id, key_id: by.key_id };
  return 'guest' in by
    ? { guest: by.guest, via: 'manage_link' }
    : { system: by.system, operator: by.operator };
}

/** The maximum number of entries that one entry about an erasure lists. */
const ERASED_AT_ONCE = 100;

/**
 * Replaces parts of the details of entries with null to erase personal data. The erasure is also recorded in
 * an entry, `audit_log.erased`, with the digests of what stays, so that the log can still be verified.
 */
export async function eraseAuditDetails(
  tx: Tx,
  by: Actor,
  entries: { id: number; details: Record<string, unknown> }[],
): Promise<void> {
  for (let first = 0; first < entries.length; first += ERASED_AT_ONCE)
    await execute(tx, `SELECT erase_audit_entries($1, $2, $3)`, [
      by.workspace_id,
      JSON.stringify(toAuditActor(by)),
      JSON.stringify(entries.slice(first, first + ERASED_AT_ONCE)),
    ]);
}

/**
 * Stores an entry about a person's sign-in in each workspace that they can sign in to and whose membership
 * they have accepted. The actor is their membership or a part of the service, and the subject is their
 * membership. So nobody learns about a person's other workspaces, and adding somebody's address does not
 * reveal when they sign in elsewhere.
 */
export async function auditPerson(
  tx: Tx,
  profileId: string,
  entry: { action: string; details?: Record<string, unknown> },
  system?: System,
): Promise<void> {
  const memberships = await many<{ workspace_id: string; id: string }>(
    tx,
    `SELECT m.workspace_id, m.id FROM members m WHERE m.profile_id = $1 AND may_sign_in(m)
     ORDER BY m.workspace_id, m.id`,
    [profileId],
  );
  for (const { workspace_id, id } of memberships) {
    const by = system ? { workspace_id, ...system } : { workspace_id, member_id: id, key_id: null };
    await audit(tx, by, { details: {}, ...entry, object: id });
  }
}

/**
 * Stores an entry about an edit if any field changed: the changed fields as the API shows them, before and
 * after, and other `details`.
 */
export async function auditEdit<Shown extends Record<string, unknown>>(
  tx: Tx,
  by: Actor,
  edit: { action: string; object: string; before: Shown; after: Shown; details?: Record<string, unknown> },
): Promise<void> {
  const before: Record<string, unknown> = { ...edit.before };
  const after: Record<string, unknown> = { ...edit.after };
  const changed = Object.keys({ ...before, ...after }).filter(
    (field) => field !== 'updated_at' && !isDeepStrictEqual(before[field], after[field]),
  );
  if (changed.length === 0) return;
  const only = (shown: Record<string, unknown>) =>
    Object.fromEntries(changed.map((field) => [field, shown[field] ?? null]));
  const details = { ...edit.details, before: only(before), after: only(after) };
  await audit(tx, by, { action: edit.action, object: edit.object, details });
}
