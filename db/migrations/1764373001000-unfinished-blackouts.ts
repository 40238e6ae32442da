import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the overview lists of a workspace: bookings in the way of a blackout for which something is left to do. */
export class UnfinishedBlackouts1764373001000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS blackout_bookings_unfinished`);
    await runner.query(
      `CREATE INDEX CONCURRENTLY blackout_bookings_unfinished ON blackout_bookings (workspace_id) WHERE state <> 'done'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY blackout_bookings_unfinished`);
  }
}
