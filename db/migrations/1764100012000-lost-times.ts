import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Of which time the database has lost what happened on an account, as after a restored backup. */
export class LostTimes1764100012000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE account_reads ADD lost_from timestamptz(3), ADD lost_until timestamptz(3)`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE account_reads DROP lost_from, DROP lost_until`);
  }
}
