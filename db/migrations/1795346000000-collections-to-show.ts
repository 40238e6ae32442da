import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Lists the collections that a workspace's overview shows, without reading those that have ended or only wait. */
export class CollectionsToShow1795346000000 implements MigrationInterface {
  transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE INDEX CONCURRENTLY IF NOT EXISTS collections_to_show ON collections (workspace_id, next_at)
       WHERE status NOT IN ('scheduled', 'ended')`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS collections_to_show`);
  }
}
