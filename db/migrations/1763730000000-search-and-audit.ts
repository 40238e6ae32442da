import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The indexes behind `q`, a member's own calendar and the audit log. */
export class SearchAndAudit1763730000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    await query.query(`CREATE EXTENSION IF NOT EXISTS pg_trgm`);
    await query.query(`CREATE EXTENSION IF NOT EXISTS btree_gin`);
    for (const index of Object.values(INDEXES)) await query.query(index);
  }

  async down(query: QueryRunner): Promise<void> {
    for (const name of Object.keys(INDEXES)) await query.query(`DROP INDEX ${name}`);
  }
}

const INDEXES = {
  // The workspace is part of it: a name that is common among all workspaces is not in one. It is not partial, though
  // members' bookings have no guest: the planner takes no statistics from a partial index where it stands beside an OR,
  // and then thinks that every word is rare. Without fastupdate an insert takes some 0.1 ms more and none takes 40 ms,
  // and no search reads a list of what isn't sorted in yet.
  bookings_guest_search: `CREATE INDEX bookings_guest_search ON bookings
    USING gin (workspace_id, (guest_name || ' ' || guest_email) gin_trgm_ops) WITH (fastupdate = off)`,
  profiles_search: `CREATE INDEX profiles_search ON profiles
    USING gin ((name || ' ' || email) gin_trgm_ops) WITH (fastupdate = off)`,
  bookings_member_page: `CREATE INDEX bookings_member_page ON bookings (member_id, start_at, id)
    WHERE published_at IS NOT NULL AND member_id IS NOT NULL`,
  audit_log_page: `CREATE INDEX audit_log_page ON audit_log (workspace_id, at, id)`,
};
