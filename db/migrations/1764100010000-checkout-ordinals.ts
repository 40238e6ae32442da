import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How many attempts of its kind an owner had before, and one: with the owner it makes the idempotency key. Attempts from before
 * have none, and keep theirs.
 */
export class CheckoutOrdinals1764100010000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE checkouts ADD ordinal integer`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE checkouts DROP ordinal`);
  }
}
