import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The language that the member reads. */
export class MemberLocale1764381001000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE members ADD COLUMN locale text`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE members DROP COLUMN locale`);
  }
}
