import { many } from '../../query.js';
import type { AuditEntry } from '../../entities/workspaces.js';
import type { Tx } from '../../transaction.js';

/** An entry of the audit log. `id` is a bigint, as text. */
export type AuditRow = Omit<AuditEntry, 'id' | 'workspace_id'> & { id: string };

/** Selects the entries of a member, of a key, of payers with a manage link, or of the service itself. */
export type ActorFilter = { member_id: string } | { key_id: string } | 'guest' | 'system';

/** Lists a workspace's entries with `at` in `[from, to)`, newest first. */
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
  const kind = typeof filter.actor === 'string' ? filter.actor : null;
  return many<AuditRow>(
    tx,
    `SELECT id::text, at, action, actor, object, details FROM audit_log
     WHERE workspace_id = $1 AND ($2::timestamptz IS NULL OR at >= $2)
       AND ($3::timestamptz IS NULL OR at < $3)
       AND ($4::text IS NULL OR action = $4)
       AND ($5::jsonb IS NULL OR actor @> $5) AND ($6::text IS NULL OR actor ? $6)
       AND ($7::timestamptz IS NULL OR (at, id) < ($7, $8::bigint))
     ORDER BY audit_log.at DESC, audit_log.id DESC LIMIT $9`,
    [
      filter.workspace_id,
      filter.from ?? null,
      filter.to ?? null,
      filter.action ?? null,
      kind ? null : (filter.actor ?? null),
      kind,
      filter.after?.at ?? null,
      filter.after?.id ?? null,
      filter.limit,
    ],
  );
}
