import type { MigrationInterface, QueryRunner } from 'typeorm';

/** A second bucket per workspace, over all its keys and routes; an index for the daily quota of mail. */
export class RateLimits1764220000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE rate_limit_buckets ADD total_tokens float8 NOT NULL DEFAULT 'Infinity'::float8`,
    );
    await runner.query(
      `COMMENT ON COLUMN rate_limit_buckets.total_tokens IS
         'Of a workspace: the tokens of the bucket for all its keys and routes; tokens are those of its calendar.'`,
    );
    await runner.query(
      `COMMENT ON COLUMN rate_limit_buckets.retry_after_windows IS
         'For each 429 the period in which another request is a violation: from 250 ms on until its Retry-After.'`,
    );
    await runner.query(
      `CREATE INDEX mails_by_workspace ON mails (workspace_id, created_at) WHERE workspace_id IS NOT NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX mails_by_workspace`);
    await runner.query(`ALTER TABLE rate_limit_buckets DROP total_tokens`);
    await runner.query(
      `COMMENT ON COLUMN rate_limit_buckets.retry_after_windows IS
         'For each 429 with a Retry-After of more than a second, the period in which another request is a violation.'`,
    );
  }
}
