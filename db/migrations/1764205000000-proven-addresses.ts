import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * A profile is one address and is proven by its person; name and address of a member belong to the membership
 * (docs/rules/members.md#profiles-and-memberships).
 *
 * Until now a profile could get another address while its sessions and authenticator stayed, so a person who holds them
 * may not be the person at the address. A stored profile keeps its authenticator, and counts as proven, only if it can be
 * shown that it always had its address: the membership that it was created with still belongs to it, and no edit of an
 * address of its members is in the audit log. All sessions end.
 *
 * The previous version of the service renames profiles, so it must not run beside this schema.
 */
export class ProvenAddresses1764205000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE members ADD name text, ADD email text`);
    await runner.query(
      `UPDATE members m SET name = p.name, email = p.email FROM profiles p WHERE p.id = m.profile_id`,
    );
    await runner.query(
      `ALTER TABLE members ADD CONSTRAINT members_name_and_email
         CHECK (num_nonnulls(name, email) = CASE status WHEN 'deleted' THEN 0 ELSE 2 END)`,
    );
    await runner.query(`COMMENT ON COLUMN members.name IS 'As this workspace or the member gave it.'`);
    await runner.query(
      `COMMENT ON COLUMN members.email IS 'The address of the profile, as this workspace spells it.'`,
    );
    // The expression is MEMBER_TEXT of db/search.ts. Without fastupdate no search has to scan the pending list.
    await runner.query(
      `CREATE INDEX members_search ON members USING gin ((name || ' ' || email) gin_trgm_ops)
         WITH (fastupdate = off)`,
    );
    await runner.query(`DROP INDEX profiles_search`);
    await runner.query(`ALTER TABLE profiles DROP name, ADD verified_at timestamptz(3)`);
    await runner.query(
      `COMMENT ON COLUMN profiles.verified_at IS
         'When the person first used a link that was mailed to the address. Null: no session and no second factor.'`,
    );
    await runner.query(
      `UPDATE profiles p SET verified_at = f.confirmed_at
       FROM second_factors f
       WHERE f.profile_id = p.id AND f.secret IS NOT NULL
         AND EXISTS (SELECT FROM members m WHERE m.profile_id = p.id AND m.created_at = p.created_at)
         AND NOT EXISTS (
           SELECT FROM members m JOIN audit_log a ON a.workspace_id = m.workspace_id AND a.object = m.id
           WHERE m.profile_id = p.id AND a.action = 'member.updated' AND a.details -> 'after' ? 'email')`,
    );
    await runner.query(`DELETE FROM sessions`);
    await runner.query(
      `CREATE INDEX oauth_artifacts_by_member ON oauth_artifacts ((payload ->> 'accountId'))`,
    );
    for (const table of ['second_factors', 'recovery_codes'])
      await runner.query(
        `DELETE FROM ${table} f USING profiles p WHERE p.id = f.profile_id AND p.verified_at IS NULL`,
      );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX oauth_artifacts_by_member`);
    await runner.query(`ALTER TABLE profiles ADD name text NOT NULL DEFAULT ''`);
    await runner.query(
      `UPDATE profiles p SET name = coalesce(
         (SELECT m.name FROM members m WHERE m.profile_id = p.id ORDER BY m.created_at, m.id LIMIT 1), p.email)`,
    );
    await runner.query(`ALTER TABLE profiles ALTER name DROP DEFAULT, DROP verified_at`);
    await runner.query(
      `CREATE INDEX profiles_search ON profiles USING gin ((name || ' ' || email) gin_trgm_ops)
         WITH (fastupdate = off)`,
    );
    await runner.query(`DROP INDEX members_search`);
    await runner.query(`ALTER TABLE members DROP CONSTRAINT members_name_and_email, DROP name, DROP email`);
  }
}
