import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The token that a rotation's new one stands in for: a repeat of the rotation tells until when that one works. */
export class Rotations1763890000000 implements MigrationInterface {
  name = 'Rotations1763890000000';

  async up(query: QueryRunner): Promise<void> {
    await query.query(`ALTER TABLE api_tokens ADD replaces bytea`);
  }

  async down(query: QueryRunner): Promise<void> {
    await query.query(`ALTER TABLE api_tokens DROP replaces`);
  }
}
