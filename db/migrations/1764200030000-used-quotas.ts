import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * How many rooms, companies and members each workspace has. What the previous version of the service creates during the
 * deploy is not counted: the quotas are far above what workspaces have, and a few objects more are no harm.
 */
export class UsedQuotas1764200030000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE used_quotas (
        workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
        kind text NOT NULL CHECK (kind IN ('rooms', 'companies', 'members')),
        used integer NOT NULL,
        PRIMARY KEY (workspace_id, kind)
      );
      COMMENT ON TABLE used_quotas IS 'How many objects of a kind a workspace has, which its quotas limit.'`);
    await runner.query(`
      INSERT INTO used_quotas (workspace_id, kind, used)
      SELECT workspace_id, 'rooms', count(*) FROM rooms GROUP BY workspace_id
      UNION ALL SELECT workspace_id, 'companies', count(*) FROM companies GROUP BY workspace_id
      UNION ALL SELECT workspace_id, 'members', count(*) FROM members GROUP BY workspace_id`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE used_quotas`);
  }
}
