import type { MigrationInterface, QueryRunner } from 'typeorm';
import { sitesOf } from '../../domain/redirect-uri.js';

/** The web sites of applications, which a browser's preflight asks for without naming the application. */
export class ApplicationSites1764402000000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE oauth_clients ADD COLUMN IF NOT EXISTS sites text[] NOT NULL DEFAULT '{}'`);
    await runner.query(`
      COMMENT ON COLUMN oauth_clients.sites IS
        'The origins of its redirect URIs; on the loopback interface without the port.'`);
    const clients: { id: string; redirect_uris: string[] }[] = await runner.query(
      `SELECT id, redirect_uris FROM oauth_clients WHERE sites = '{}'`,
    );
    for (const { id, redirect_uris } of clients)
      await runner.query(
        `UPDATE oauth_clients SET sites = $2 WHERE id = (SELECT id FROM oauth_clients WHERE id = $1 LIMIT 1)`,
        [id, sitesOf(redirect_uris)],
      );
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS oauth_clients_sites`);
    await runner.query(
      `CREATE INDEX CONCURRENTLY oauth_clients_sites ON oauth_clients USING gin (sites) WHERE secret_hash IS NULL`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS oauth_clients_sites`);
    await runner.query(`ALTER TABLE oauth_clients DROP COLUMN IF EXISTS sites`);
  }
}
