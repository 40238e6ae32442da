import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The platform's own account at the processor, which the service does not start under another key than its own. */
export class Platform1764100002000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE platform (
        id boolean PRIMARY KEY DEFAULT true CHECK (id),
        account_id text NOT NULL,
        live_mode boolean NOT NULL,
        recorded_at timestamptz(3) NOT NULL DEFAULT now()
      );
      COMMENT ON TABLE platform IS 'One row: the platform''s own account at the processor, from its first call on.'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE platform`);
  }
}
