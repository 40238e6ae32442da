import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The addresses that booking pages have or had: nobody else gets one, to which the links of others may still lead. */
export class BookingPageAddresses1764371001000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE booking_page_addresses (
        slug text PRIMARY KEY,
        workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
        created_at timestamptz(3) NOT NULL DEFAULT now()
      );
      CREATE INDEX booking_page_addresses_by_workspace ON booking_page_addresses (workspace_id);
      INSERT INTO booking_page_addresses (slug, workspace_id) SELECT slug, workspace_id FROM booking_pages`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE booking_page_addresses`);
  }
}
