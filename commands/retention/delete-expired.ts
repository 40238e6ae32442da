import type { RetainedKind } from '../../domain/retention/retention.js';
import { firstIdAt } from '../../db/ids.js';
import { affected, many, one } from '../../db/query.js';
import type { Tx } from '../../db/transaction.js';

/** The result of one step. `next`: where the next step continues; null at the end. */
export interface DeletedRows {
  deleted: number;
  next: string | null;
}

interface Step {
  /** Rows from before this time are deleted. */
  before: Date;
  /** The maximum number of rows that one step checks, so that its locks are brief. */
  limit: number;
  /** `next` of the previous step; empty for the first step. */
  after: string;
}

type DeleteStep = (tx: Tx, step: Step) => Promise<DeletedRows>;

/** Deletes a table's oldest rows by a condition with `$1`, the time. */
const deleteWhere =
  (table: string, condition: string): DeleteStep =>
  async (tx, { before, limit }) => {
    const deleted = await affected(
      tx,
      `DELETE FROM ${table} WHERE ctid = ANY (ARRAY(
         SELECT ctid FROM ${table} WHERE ${condition} LIMIT $2 FOR UPDATE SKIP LOCKED))`,
      [before, limit],
    );
    return { deleted, next: deleted === limit ? 'again' : null };
  };

/** Does the same for a table whose ids are sorted by time, which needs no other index. */
const deleteByAge =
  (table: string, id: string, prefix: Parameters<typeof firstIdAt>[0], condition = 'true'): DeleteStep =>
  async (tx, { before, limit, after }) => {
    const { looked, last, deleted } = await one<{ looked: number; last: string | null; deleted: number }>(
      tx,
      `WITH page AS (
         SELECT DISTINCT ${id} AS id FROM ${table} WHERE ${id} > $1 AND ${id} < $2 ORDER BY ${id} LIMIT $3
       ), gone AS (
         DELETE FROM ${table} r USING page WHERE r.${id} = page.id AND ${condition} RETURNING 1
       )
       SELECT (SELECT count(*) FROM page) AS looked, (SELECT max(id) FROM page) AS last,
              (SELECT count(*) FROM gone) AS deleted`,
      [after, firstIdAt(prefix, before), limit],
    );
    return { deleted, next: looked === limit ? last : null };
  };

/**
 * The newest event of each object stays, because the object's next event continues its sequence and the
 * workspace's next event continues its positions. Events that wait for their receiver or belong to an upgrade
 * also stay.
 */
const EVENT_IS_OVER = `
  EXISTS (SELECT FROM events later WHERE later.object_id = r.object_id AND later.sequence > r.sequence)
  AND NOT EXISTS (SELECT FROM webhook_retries w WHERE w.event_id = r.id)
  AND NOT EXISTS (SELECT FROM tier_changes c WHERE c.event_id = r.id)
  AND NOT EXISTS (SELECT FROM webhook_deliveries d WHERE d.event_id = r.id)
  AND r.position <= coalesce((SELECT w.sent_up_to FROM webhook_endpoints w
                              WHERE w.workspace_id = r.workspace_id AND w.status = 'enabled'), r.position)`;

/** Deletes reports together with the data read for them. */
const deleteReports: DeleteStep = async (tx, { before, limit }) => {
  const old = await many<{ id: string }>(
    tx,
    `SELECT id FROM reconciliations WHERE id < $1 ORDER BY id LIMIT $2`,
    [firstIdAt('rec', before), limit],
  );
  const ids = [old.map(({ id }) => id)];
  for (const table of ['reconciliation_charges', 'reconciliation_disputes'])
    await affected(tx, `DELETE FROM ${table} WHERE reconciliation_id = ANY ($1)`, ids);
  const deleted = await affected(tx, `DELETE FROM reconciliations WHERE id = ANY ($1)`, ids);
  return { deleted, next: deleted === limit ? 'again' : null };
};

/**
 * The service itself may not delete audit entries. The function only deletes those older than their
 * retention.
 */
const deleteAuditEntries: DeleteStep = async (tx, { before, limit }) => {
  const { deleted } = await one<{ deleted: number }>(
    tx,
    `SELECT delete_old_audit_entries($1, $2) AS deleted`,
    [before, limit],
  );
  return { deleted, next: deleted === limit ? 'again' : null };
};

/** The kinds of which only rows are deleted. */
export type RetainedRows = Exclude<RetainedKind, 'pictures'>;

const STEPS: Record<RetainedRows, DeleteStep> = {
  deliveries: deleteByAge(
    'webhook_deliveries',
    'event_id',
    'evt',
    'NOT EXISTS (SELECT FROM webhook_retries w WHERE w.event_id = r.event_id)',
  ),
  events: deleteByAge('events', 'id', 'evt', EVENT_IS_OVER),
  processor_events: deleteWhere('processor_events', 'received_at < $1'),
  reconciliations: deleteReports,
  idempotency_keys: deleteWhere('idempotency_keys', 'created_at < $1'),
  booking_requests: deleteByAge('booking_requests', 'booking_id', 'bk', `r.state <> 'in_flight'`),
  audit_log: deleteAuditEntries,
  sessions: deleteWhere('sessions', 'expires_at < $1'),
  passkey_challenges: deleteWhere('passkey_challenges', 'created_at < $1'),
  sign_in_links: deleteWhere('sign_in_links', 'created_at < $1'),
  requested_addresses: deleteWhere('member_invites', 'new_email IS NOT NULL AND expires_at < $1'),
  oauth_artifacts: deleteWhere('oauth_artifacts', 'expires_at < $1'),
  accounting_consents: deleteWhere('accounting_consents', 'created_at < $1'),
  rate_limit_buckets: deleteWhere('rate_limit_buckets', 'refilled_at < $1'),
};

/** Deletes a small number of expired rows of a kind. Can be repeated. */
export function deleteExpired(tx: Tx, kind: RetainedRows, step: Step): Promise<DeletedRows> {
  return STEPS[kind](tx, step);
}
