import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Who besides its member may know a token. Stored tokens get what the audit log says about their creation or rotation;
 * their issuers had at least the role `admin` then.
 */
export class ApiTokenIssuers1764215000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `ALTER TABLE api_tokens
         ADD issuer_ids text[] COLLATE "C" NOT NULL DEFAULT '{}',
         ADD issuer_role text CHECK (issuer_role IN ('member', 'billing_contact', 'admin', 'owner')),
         ADD CONSTRAINT api_tokens_issuer_has_role CHECK ((issuer_ids = '{}') = (issuer_role IS NULL))`,
    );
    await runner.query(
      `COMMENT ON COLUMN api_tokens.issuer_ids IS
         'Members other than the key''s own who created the token, directly or with a key that others issued.'`,
    );
    await runner.query(
      `COMMENT ON COLUMN api_tokens.issuer_role IS 'The role that the issuers had when the token was created.'`,
    );
    await runner.query(
      `UPDATE api_tokens t SET issuer_ids = ARRAY[a.actor ->> 'member_id'], issuer_role = 'admin'
       FROM audit_log a JOIN api_keys k ON k.id = a.object
       WHERE t.key_id = k.id AND a.workspace_id = k.workspace_id AND a.actor ->> 'member_id' <> k.member_id
         AND (a.action = 'api_key.created' AND t.rotation_id IS NULL
              OR a.action = 'api_key.rotated' AND a.details ->> 'rotation_id' = t.rotation_id)`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE api_tokens DROP issuer_role, DROP issuer_ids`);
  }
}
