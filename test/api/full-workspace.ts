import type { EntityManager } from 'typeorm';
import { db } from '../support/stack.js';
import type { WatchedApi } from '../support/watched-api.js';
import type { WebSession } from '../support/web-session.js';
import type { TestWorkspace } from '../support/workspaces.js';
import { listCopies, type Copies } from './full-workspace-copies.js';
import type { ObjectIds } from '../support/objects.js';

/** A workspace with many rows, an API process with a monitored event loop, and the owner's session there. */
export interface FullWorkspace {
  api: WatchedApi;
  workspace: TestWorkspace;
  ids: ObjectIds;
  session: WebSession;
  home: string;
}

const MORE = [
  // A claim for each booking, and a line for each invoice.
  `INSERT INTO slot_claims (booking_id, room_id, during)
   SELECT id, room_id, occupies FROM bookings b WHERE workspace_id = $1 AND live_room_id IS NOT NULL
     AND NOT EXISTS (SELECT FROM slot_claims c WHERE c.booking_id = b.id)`,
  `INSERT INTO invoice_lines (invoice_id, position, description, quantity, unit_amount_minor, tax_code,
    tax_rate_bps, net_minor, tax_minor)
   SELECT i.id, 0, repeat('é', 500), 1, i.net_minor, 'ZERO', 0, i.net_minor, i.tax_minor
   FROM invoices i WHERE workspace_id = $1 AND NOT EXISTS (SELECT FROM invoice_lines l
     WHERE l.invoice_id = i.id)`,
  `INSERT INTO profiles (id, email) SELECT profile_id, email FROM members m WHERE workspace_id = $1
     AND NOT EXISTS (SELECT FROM profiles p WHERE p.id = m.profile_id)`,
  `INSERT INTO audit_log (workspace_id, at, action, actor, object, details)
   SELECT workspace_id, at - n * interval '1 minute', action, actor, object, details
   FROM (SELECT * FROM audit_log WHERE workspace_id = $1 ORDER BY id DESC LIMIT 10) o,
     generate_series(1, 1000) n`,
  `UPDATE invoice_documents SET lines = (
     SELECT jsonb_agg(l || jsonb_build_object('description', repeat('é', 500)))
     FROM (SELECT lines -> 0 AS l) first, generate_series(1, 200))
   WHERE workspace_id = $1`,
];

async function copy(tx: EntityManager, table: string, { of, by = 'id', times, set }: Copies): Promise<void> {
  const columns: { name: string }[] = await tx.query(
    `SELECT column_name AS name FROM information_schema.columns
     WHERE table_name = $1 AND table_schema = current_schema() AND is_generated = 'NEVER'
       AND is_identity = 'NO'`,
    [table],
  );
  const names = columns.map(({ name }) => name);
  await tx.query(
    `INSERT INTO ${table} (${names.join()})
     SELECT ${names.map((name) => set[name] ?? `o.${name}`).join()}
     FROM (SELECT * FROM ${table} WHERE ${by} = $1 LIMIT 1) o, generate_series(1, $2::int) n`,
    [of, times],
  );
}

/**
 * Fills a workspace that has the objects of `createObjects` with copies of them, about as many as its quotas
 * allow: 490 rooms that are all booked on one day, thousands of payers, documents and events. No runs exist
 * for them.
 */
export async function fillWorkspace(workspaceId: string, ids: ObjectIds, ownerId: string): Promise<void> {
  await db.transaction(async (tx) => {
    // Without foreign keys and triggers, which would chain each copy of an audit entry.
    await tx.query(`SET LOCAL session_replication_role = replica`);
    const tables = Object.entries(listCopies(ids, ownerId));
    for (const [table, copies] of tables) for (const each of copies) await copy(tx, table, each);
    for (const statement of MORE) await tx.query(statement, [workspaceId]);
    await tx.query(`ANALYZE ${tables.map(([table]) => table).join()}, slot_claims, audit_log`);
  });
}
