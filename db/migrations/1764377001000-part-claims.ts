import { readFileSync } from 'node:fs';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const functionOf = (name: string): string =>
  readFileSync(new URL(`../functions/${name}.sql`, import.meta.url), 'utf8');

/**
 * Claims of parts. Triggers make them from the claims of rooms, so that they exist for bookings of the previous release
 * too; foreign keys move and remove them with those.
 */
export class PartClaims1764377001000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE part_claims (
        booking_id text COLLATE "C" NOT NULL,
        room_id uuid NOT NULL,
        during tstzrange NOT NULL,
        leaf_id uuid NOT NULL,
        PRIMARY KEY (booking_id, room_id, during, leaf_id),
        FOREIGN KEY (booking_id, room_id, during) REFERENCES slot_claims ON DELETE CASCADE ON UPDATE CASCADE,
        FOREIGN KEY (room_id, leaf_id) REFERENCES room_leaves ON DELETE CASCADE,
        CONSTRAINT part_claims_no_overlap
          EXCLUDE USING gist (leaf_id WITH =, booking_id WITH <>, during WITH &&)
      );
      COMMENT ON TABLE part_claims IS 'Each claim of a room that has parts or is one, once for each of its leaves.';
      CREATE INDEX part_claims_by_room ON part_claims (room_id, leaf_id)`);
    for (const name of ['claim_parts', 'claim_linked_part']) await runner.query(functionOf(name));
    // Their names sort after those of foreign keys, so that these have locked the room before.
    await runner.query(`
      CREATE TRIGGER slot_claims_of_parts AFTER INSERT OR UPDATE OF room_id ON slot_claims
        FOR EACH ROW EXECUTE FUNCTION claim_parts();
      CREATE TRIGGER room_leaves_of_claims AFTER INSERT ON room_leaves
        FOR EACH ROW EXECUTE FUNCTION claim_linked_part()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER slot_claims_of_parts ON slot_claims;
      DROP TRIGGER room_leaves_of_claims ON room_leaves;
      DROP FUNCTION claim_parts, claim_linked_part;
      DROP TABLE part_claims`);
  }
}
