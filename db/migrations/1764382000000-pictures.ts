import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Pictures that were uploaded. */
export class Pictures1764382000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE pictures (
        key text COLLATE "C" PRIMARY KEY,
        workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
        bytes integer NOT NULL,
        created_at timestamptz(3) NOT NULL DEFAULT now()
      );
      CREATE INDEX pictures_workspace ON pictures (workspace_id);
      CREATE INDEX pictures_created ON pictures (created_at);
      COMMENT ON TABLE pictures IS 'What is in the store of pictures. Rooms show them by their address, in image_urls.'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE pictures`);
  }
}
