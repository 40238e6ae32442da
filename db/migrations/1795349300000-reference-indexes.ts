import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * For what is found by the row it refers to. Without them each mail of an invoice reads all adjustments, each
 * adjustment all payments, each subscription invoice all tier changes and charges, and each event that is deleted all tier
 * changes.
 */
const INDEXES = {
  adjustments_by_debit: 'adjustments (debit_invoice_id) WHERE debit_invoice_id IS NOT NULL',
  payments_by_adjustment: 'payments (adjustment_id) WHERE adjustment_id IS NOT NULL',
  tier_changes_by_member: 'tier_changes (member_id, created_at)',
  tier_changes_by_event: 'tier_changes (event_id)',
  subscription_charges_by_invoice: 'subscription_charges (invoice_id) WHERE invoice_id IS NOT NULL',
};

export class ReferenceIndexes1795349300000 implements MigrationInterface {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const [name, definition] of Object.entries(INDEXES))
      await runner.query(`CREATE INDEX CONCURRENTLY IF NOT EXISTS ${name} ON ${definition}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const name of Object.keys(INDEXES)) await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
  }
}
