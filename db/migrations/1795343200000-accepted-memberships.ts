import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which memberships their person has accepted: only those show when the person signs in. */
export class AcceptedMemberships1795343200000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE members ADD accepted_at timestamptz(3)`);
    await runner.query(
      `COMMENT ON COLUMN members.accepted_at IS
         'When the person used a link of the workspace or first opened it at the dashboard. Null: they may not know of it.'`,
    );
    await runner.query(
      `UPDATE members m SET accepted_at = coalesce(m.joined_at, m.created_at)
       WHERE role = 'owner'
          OR EXISTS (SELECT FROM events e WHERE e.object_id = m.id AND e.type = 'member.activated')`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE members DROP accepted_at`);
  }
}
