import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * For lists that are filtered by what few rows have: without them a list with few matches reads all rows of a workspace.
 * They do not contain what a booking that is paid and takes place stores, so that it costs nothing more.
 */
const INDEXES = {
  invoices_ended_page: `invoices (workspace_id, status, created_at DESC, id DESC) WHERE status NOT IN ('open', 'paid')`,
  invoices_rejected: `invoices (workspace_id) WHERE accounting_error IS NOT NULL`,
  payments_by_kind: `payments (workspace_id, kind, created_at DESC, id DESC) WHERE kind <> 'charge'`,
  payments_by_status: `payments (workspace_id, status, created_at DESC, id DESC) WHERE status <> 'succeeded'`,
  bookings_ended_page: `bookings (workspace_id, status, start_at, id)
    WHERE published_at IS NOT NULL AND status IN ('cancelled', 'expired')`,
  audit_log_by_action: `audit_log (workspace_id, action, at, id)`,
  /** Of the overview: without those that have ended or wait for the due date. */
  collections_to_show: `collections (workspace_id, next_at) WHERE status NOT IN ('scheduled', 'ended')`,
};

export class ListIndexes1795346000000 implements MigrationInterface {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const [name, definition] of Object.entries(INDEXES))
      await runner.query(`CREATE INDEX CONCURRENTLY IF NOT EXISTS ${name} ON ${definition}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of Object.keys(INDEXES)) await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
  }
}
