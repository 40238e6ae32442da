import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Idempotency keys at the processor that can no longer be used, and what is used instead. */
export class ProcessorKeys1795328000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE processor_keys (
        key text COLLATE "C" PRIMARY KEY,
        suffix integer NOT NULL,
        updated_at timestamptz(3) NOT NULL DEFAULT now()
      );
      COMMENT ON TABLE processor_keys IS
        'Idempotency keys under which the processor has saved a 500: it would repeat it for a day.';
      COMMENT ON COLUMN processor_keys.suffix IS 'Appended to the key for the next attempt.';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE processor_keys`);
  }
}
