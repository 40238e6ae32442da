import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What live bookings take of extras. */
export class ExtraClaims1764374001000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE extra_claims (
        booking_id text COLLATE "C" NOT NULL REFERENCES bookings ON DELETE CASCADE,
        extra_id uuid NOT NULL REFERENCES extras,
        during tstzrange NOT NULL CHECK (NOT isempty(during)),
        quantity integer NOT NULL CHECK (quantity > 0),
        PRIMARY KEY (booking_id, extra_id, during, quantity)
      );
      CREATE INDEX extra_claims_by_time ON extra_claims USING gist (extra_id, during);
      COMMENT ON TABLE extra_claims IS 'The extras of live bookings, and of changes that wait for their payment.'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TABLE extra_claims`);
  }
}
