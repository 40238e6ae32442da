import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Tells the service's own charges from the operator's other business on the connected account. */
export class ReconciliationChargeOwner1764100000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE reconciliation_charges ADD owner_id text COLLATE "C"`);
    await runner.query(
      `COMMENT ON COLUMN reconciliation_charges.owner_id IS
         'The booking or checkout in the charge''s metadata; null if the service did not create the payment.'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE reconciliation_charges DROP owner_id`);
  }
}
