import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Declined attempts to pay on the hosted page, for the timelines of bookings. */
export class CardDeclines1795348500000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE card_declines (
        id text COLLATE "C" PRIMARY KEY,
        workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
        checkout_id text COLLATE "C" NOT NULL REFERENCES checkouts,
        code text NOT NULL,
        declined_at timestamptz(3) NOT NULL
      );
      COMMENT ON COLUMN card_declines.id IS
        'The failed charge at the processor; its event if there was no charge, as for a failed authentication.';
      COMMENT ON COLUMN card_declines.code IS 'Why, as a code of the processor.';
      CREATE INDEX card_declines_by_checkout ON card_declines (checkout_id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE card_declines`);
  }
}
