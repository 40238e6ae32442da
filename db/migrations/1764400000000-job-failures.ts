import type { MigrationInterface, QueryRunner } from 'typeorm';

/** For which workspaces a job that goes through all of them fails, and since when. */
export class JobFailures1764400000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE job_failures (
        workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
        job text NOT NULL,
        reason text NOT NULL,
        since timestamptz(3) NOT NULL DEFAULT now(),
        again boolean NOT NULL DEFAULT true,
        PRIMARY KEY (workspace_id, job)
      );
      COMMENT ON COLUMN job_failures.reason IS 'The message of the error. For the operator of the service.';
      COMMENT ON COLUMN job_failures.again IS 'It failed in the current run too. A run that ends deletes what did not.'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE job_failures`);
  }
}
