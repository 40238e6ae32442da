import type { MigrationInterface, QueryRunner } from 'typeorm';

/** An upgrade grants the difference to what was granted, also after the hours of a plan were edited. */
export class GrantedHours1764395000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE members ADD COLUMN hour_credits_granted integer;
      COMMENT ON COLUMN members.hour_credits_granted IS
        'Hours granted in the month of the balance, less those that a lower tier took back. Null: none were, or before this was stored.'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE members DROP COLUMN hour_credits_granted`);
  }
}
