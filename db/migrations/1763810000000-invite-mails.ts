import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What the relay and the run that sends invites note on them. */
export class InviteMails1763810000000 implements MigrationInterface {
  async up(query: QueryRunner): Promise<void> {
    for (const statement of STATEMENTS) await query.query(statement);
  }

  async down(query: QueryRunner): Promise<void> {
    for (const statement of REVERSE) await query.query(statement);
  }
}

const STATEMENTS = [
  // handed_over_at: a run knows that there is something to send. refused_at: the mail server will never take it.
  `ALTER TABLE member_invites
    ADD handed_over_at timestamptz(3),
    ADD refused_at timestamptz(3)`,
  `DROP INDEX member_invites_owed`,
  `CREATE INDEX member_invites_owed ON member_invites (workspace_id, id) WHERE sent_at IS NULL AND refused_at IS NULL`,
  `CREATE INDEX member_invites_to_hand_over ON member_invites (workspace_id) WHERE handed_over_at IS NULL`,
];

const REVERSE = [
  `DROP INDEX member_invites_to_hand_over`,
  `DROP INDEX member_invites_owed`,
  `CREATE INDEX member_invites_owed ON member_invites (workspace_id, id) WHERE sent_at IS NULL`,
  `ALTER TABLE member_invites DROP refused_at, DROP handed_over_at`,
];
