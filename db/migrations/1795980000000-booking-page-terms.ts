import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The terms of booking pages that are a text or a PDF, by version. */
export class BookingPageTerms1795980000000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE booking_page_terms (
      workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
      version text NOT NULL,
      text text,
      file_key text,
      created_at timestamptz(3) NOT NULL DEFAULT now(),
      PRIMARY KEY (workspace_id, version),
      CHECK ((text IS NULL) <> (file_key IS NULL))
    )`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE booking_page_terms`);
  }
}
