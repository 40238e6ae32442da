import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Which OAuth grant's application may know a token, so that withdrawing the grant also ends what it was used to create.
 */
export class TokensOfApplications1795340000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE api_tokens ADD granted_by text COLLATE "C"`);
    await runner.query(
      `COMMENT ON COLUMN api_tokens.granted_by IS
         'The OAuth grant whose application created the token, directly or with a key that it created.'`,
    );
    await runner.query(
      `CREATE INDEX api_tokens_granted_by ON api_tokens (granted_by) WHERE granted_by IS NOT NULL`,
    );
    await runner.query(
      `UPDATE api_tokens t SET granted_by = by_application.oauth_grant_id
       FROM audit_log a JOIN api_keys by_application ON by_application.id = a.actor ->> 'key_id'
       WHERE t.key_id = a.object AND t.workspace_id = a.workspace_id AND by_application.oauth_grant_id IS NOT NULL
         AND (a.action = 'api_key.created' AND t.rotation_id IS NULL
              OR a.action = 'api_key.rotated' AND a.details ->> 'rotation_id' = t.rotation_id)`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE api_tokens DROP granted_by`);
  }
}
