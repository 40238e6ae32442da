import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How far each connected account has been read from the processor. Those of today count as read: webhooks reported them. */
export class AccountReads1764100000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE account_reads (
        account_id text COLLATE "C" PRIMARY KEY,
        workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
        read_until timestamptz(3) NOT NULL,
        last_read_at timestamptz(3),
        next_read_at timestamptz(3) NOT NULL,
        recovering_since timestamptz(3),
        failures integer NOT NULL DEFAULT 0
      )`);
    await runner.query(`CREATE INDEX account_reads_by_workspace ON account_reads (workspace_id)`);
    await runner.query(`CREATE INDEX account_reads_by_time ON account_reads (next_read_at)`);
    await runner.query(`
      INSERT INTO account_reads (account_id, workspace_id, read_until, next_read_at)
      SELECT processor_account_id, id, now(), now() FROM workspaces WHERE processor_account_id IS NOT NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE account_reads`);
  }
}
