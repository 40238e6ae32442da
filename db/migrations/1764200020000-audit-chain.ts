import { readFileSync } from 'node:fs';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const functionOf = (name: string): string =>
  readFileSync(new URL(`../functions/${name}.sql`, import.meta.url), 'utf8');

/**
 * The chain of each workspace's audit log. The entries that exist are chained in the order of their ids; nobody can add
 * one meanwhile. Their links have the time of their entry.
 */
export class AuditChain1764200020000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      CREATE TABLE audit_links (
        workspace_id text COLLATE "C" NOT NULL,
        position bigint NOT NULL,
        entry bigint NOT NULL UNIQUE,
        salt uuid,
        digest bytea NOT NULL,
        hash bytea NOT NULL,
        stored_at timestamptz NOT NULL,
        PRIMARY KEY (workspace_id, position)
      );
      COMMENT ON COLUMN audit_links.salt IS 'Null once the entry was erased: its digest then shows nothing of it.';
      COMMENT ON COLUMN audit_links.hash IS 'Of the hash before and of this link.'`);
    for (const name of ['audit_entry_digest', 'audit_link_hash', 'chain_audit_entry'])
      await runner.query(functionOf(name));
    // Takes a lock against new entries, which is held until the end.
    await runner.query(
      `CREATE CONSTRAINT TRIGGER audit_log_chain AFTER INSERT ON audit_log DEFERRABLE INITIALLY DEFERRED
       FOR EACH ROW EXECUTE FUNCTION chain_audit_entry()`,
    );
    await runner.query(`DO $$
      DECLARE
        entry audit_log;
        link audit_links;
      BEGIN
        FOR entry IN SELECT * FROM audit_log ORDER BY workspace_id, id LOOP
          IF link.workspace_id IS DISTINCT FROM entry.workspace_id THEN
            link.position := 0;
            link.hash := '';
          END IF;
          link.workspace_id := entry.workspace_id;
          link.position := link.position + 1;
          link.entry := entry.id;
          link.stored_at := entry.at;
          link.salt := gen_random_uuid();
          link.digest := audit_entry_digest(entry, link.salt);
          link.hash := audit_link_hash(link.hash, link);
          INSERT INTO audit_links SELECT link.*;
        END LOOP;
      END $$`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP TRIGGER audit_log_chain ON audit_log`);
    await runner.query(`DROP FUNCTION chain_audit_entry, audit_link_hash, audit_entry_digest`);
    await runner.query(`DROP TABLE audit_links`);
  }
}
