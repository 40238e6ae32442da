import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What each organisation of the accounting system has and lacks, its call limit, and connections that were ended. */
export class AccountingSettings1764210000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE accounting_connections
        ADD COLUMN sales_account text NOT NULL DEFAULT '200',
        ADD COLUMN payment_account text NOT NULL DEFAULT '090',
        ADD COLUMN limited_until timestamptz(3),
        ADD COLUMN revoked_at timestamptz(3),
        DROP CONSTRAINT accounting_connections_status_check,
        ADD CONSTRAINT accounting_connections_status_check CHECK (status IN ('active', 'revoked', 'disconnected'));
      COMMENT ON COLUMN accounting_connections.status IS
        'revoked: the organisation has withdrawn the consent; disconnected: the workspace has ended the connection.';
      COMMENT ON COLUMN accounting_connections.sales_account IS
        'Code of the account of invoice lines; the default is the one of a new organisation.';
      COMMENT ON COLUMN accounting_connections.payment_account IS
        'Code, or id, of the account that payments arrive on and leave from.';
      COMMENT ON COLUMN accounting_connections.limited_until IS 'When the calls of a day, which are used up, are renewed.';
      COMMENT ON COLUMN accounting_connections.revoked_at IS 'Since when the consent is withdrawn.';

      -- Apart from the connections, which are read for every call.
      CREATE TABLE accounting_charts (
        workspace_id text COLLATE "C" PRIMARY KEY REFERENCES accounting_connections,
        chart jsonb NOT NULL,
        read_at timestamptz(3) NOT NULL
      );
      COMMENT ON COLUMN accounting_charts.chart IS
        'The accounts, tax types and currencies that the organisation had when they were last read.';

      ALTER TABLE accounting_documents ADD COLUMN credited_minor bigint NOT NULL DEFAULT 0;
      COMMENT ON COLUMN accounting_documents.credited_minor IS
        'What was set off there: credits applied to an invoice, or what a credit note was applied to.';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE accounting_documents DROP COLUMN credited_minor;
      DROP TABLE accounting_charts;
      UPDATE accounting_connections SET status = 'revoked' WHERE status = 'disconnected';
      ALTER TABLE accounting_connections
        DROP CONSTRAINT accounting_connections_status_check,
        ADD CONSTRAINT accounting_connections_status_check CHECK (status IN ('active', 'revoked')),
        DROP COLUMN sales_account, DROP COLUMN payment_account, DROP COLUMN limited_until, DROP COLUMN revoked_at;
    `);
  }
}
