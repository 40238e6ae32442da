import { isDeepStrictEqual } from 'node:util';
import type { Principal } from '../../../domain/policies.js';
import type { Tx } from '../../transaction.js';

/** Who made a change: a member through a key or at the dashboard (no key), or a part of the service by itself, which is named. */
export type Actor =
  Pick<Principal, 'workspace_id' | 'member_id' | 'key_id'> | { workspace_id: string; system: SystemPart };
type SystemPart = 'onboarding' | 'processor' | 'webhooks' | 'accounting' | 'member_cycle' | 'oauth';

/**
 * Writes down a configuration change, in the transaction that makes it (spec.md, "Audit log"). Its time is that of the
 * writing, not of the transaction's begin: edits that waited for each other are listed in the order they were made.
 */
export async function audit(
  tx: Tx,
  by: Actor,
  entry: { action: string; object: string; details: Record<string, unknown> },
): Promise<void> {
  await tx.query(
    `INSERT INTO audit_log (workspace_id, at, action, actor, object, details)
     VALUES ($1, clock_timestamp(), $2, $3, $4, $5)`,
    [
      by.workspace_id,
      entry.action,
      'system' in by ? { system: by.system } : { member_id: by.member_id, key_id: by.key_id },
      entry.object,
      entry.details,
    ],
  );
}

/** Writes down an edit: the fields that differ, as the API shows them, before and after. No difference, no entry. */
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

/** An entry of the audit log. `id` is a bigint, as text. */
export interface AuditRow {
  id: string;
  at: Date;
  action: string;
  actor: { member_id: string; key_id: string | null } | { system: string };
  object: string;
  details: Record<string, unknown>;
}

/** Whose entries are wanted: a member's, a key's, or what the service did by itself. */
export type ActorFilter = { member_id: string } | { key_id: string } | 'system';

/** A workspace's entries with `at` in `[from, to)`, the newest first. */
export function listAuditLog(
  tx: Tx,
  filter: {
    workspace_id: string;
    from?: Date;
    to?: Date;
    action?: string;
    actor?: ActorFilter;
    after?: { at: string; id: string };
    limit: number;
  },
): Promise<AuditRow[]> {
  const system = filter.actor === 'system';
  return tx.query(
    `SELECT id::text, at, action, actor, object, details FROM audit_log
     WHERE workspace_id = $1 AND ($2::timestamptz IS NULL OR at >= $2) AND ($3::timestamptz IS NULL OR at < $3)
       AND ($4::text IS NULL OR action = $4)
       AND ($5::jsonb IS NULL OR actor @> $5) AND (NOT $6 OR actor ? 'system')
       AND ($7::timestamptz IS NULL OR (at, id) < ($7, $8::bigint))
     ORDER BY audit_log.at DESC, audit_log.id DESC LIMIT $9`,
    [
      filter.workspace_id,
      filter.from ?? null,
      filter.to ?? null,
      filter.action ?? null,
      system ? null : (filter.actor ?? null),
      system,
      filter.after?.at ?? null,
      filter.after?.id ?? null,
      filter.limit,
    ],
  );
}
