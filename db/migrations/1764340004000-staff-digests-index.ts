import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The workspaces whose daily mail is due, which the outbox relay asks for. */
export class StaffDigestsIndex1764340004000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS workspaces_to_digest`);
    await runner.query(
      `CREATE INDEX CONCURRENTLY workspaces_to_digest ON workspaces (digest_at) WHERE digest_at IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY workspaces_to_digest`);
  }
}
