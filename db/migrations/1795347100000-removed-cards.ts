import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Cards that were taken off file here, and are still to be detached at the processor. */
export class RemovedCards1795347100000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE removed_cards (
        setup_id text COLLATE "C" PRIMARY KEY REFERENCES card_setups,
        workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
        account_id text NOT NULL,
        payment_method_id text NOT NULL,
        removed_at timestamptz(3) NOT NULL DEFAULT now(),
        notify_at timestamptz(3) NOT NULL DEFAULT now()
      );
      COMMENT ON TABLE removed_cards IS 'Cards to detach at the processor; a row is deleted when its card is detached.';
      COMMENT ON COLUMN removed_cards.notify_at IS 'When the outbox relay notifies the run (again).';
      CREATE INDEX removed_cards_to_notify ON removed_cards (notify_at);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE removed_cards`);
  }
}
