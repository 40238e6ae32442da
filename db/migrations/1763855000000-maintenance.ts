import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A time in which a workspace's API rests. */
export class Maintenance1763855000000 implements MigrationInterface {
  name = 'Maintenance1763855000000';

  async up(query: QueryRunner): Promise<void> {
    await query.query(
      `ALTER TABLE workspaces ADD maintenance_starts_at timestamptz(3), ADD maintenance_ends_at timestamptz(3),
        ADD CHECK ((maintenance_starts_at IS NULL) = (maintenance_ends_at IS NULL)
          AND maintenance_starts_at < maintenance_ends_at)`,
    );
  }

  async down(query: QueryRunner): Promise<void> {
    await query.query(`ALTER TABLE workspaces DROP maintenance_starts_at, DROP maintenance_ends_at`);
  }
}
