import type { MigrationInterface, QueryRunner } from 'typeorm';

/** From when on the database may lack facts, and the invoice numbers that it may have given out meanwhile. */
export class Recovery1764100020000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE recovery (
        id boolean PRIMARY KEY DEFAULT true CHECK (id),
        told_since timestamptz(3),
        found_since timestamptz(3),
        read_at timestamptz(3)
      );
      INSERT INTO recovery DEFAULT VALUES;
      COMMENT ON TABLE recovery IS 'One row: the last times from which on facts were missing here, and when accounts were last read.';
      CREATE TABLE invoice_number_gaps (
        workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
        first_number integer NOT NULL,
        last_number integer NOT NULL CHECK (last_number >= first_number),
        seen_by text NOT NULL CHECK (seen_by IN ('accounting', 'processor')),
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        PRIMARY KEY (workspace_id, first_number)
      );
      COMMENT ON TABLE invoice_number_gaps IS 'Numbers of invoices that a restore has lost: they are not given again.'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE invoice_number_gaps; DROP TABLE recovery`);
  }
}
