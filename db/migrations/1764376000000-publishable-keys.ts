import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Keys that web sites contain, with which strangers book. */
export class PublishableKeys1764376000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ALTER TABLE api_keys
        ADD COLUMN kind text NOT NULL DEFAULT 'secret',
        ADD COLUMN public_token text,
        ADD COLUMN origins text[] NOT NULL DEFAULT '{}',
        ADD COLUMN room_ids uuid[];
      COMMENT ON COLUMN api_keys.kind IS 'secret, or publishable: strangers book with it, and it has no rights of a member.';
      COMMENT ON COLUMN api_keys.public_token IS 'The token of a publishable key, which is no secret.';
      COMMENT ON COLUMN api_keys.origins IS 'Of a publishable key: the origins of the sites that may use it.';
      COMMENT ON COLUMN api_keys.room_ids IS 'Of a publishable key: the rooms to book with it; null for all that guests can book.'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DELETE FROM api_tokens WHERE key_id IN (SELECT id FROM api_keys WHERE kind = 'publishable');
      DELETE FROM api_keys WHERE kind = 'publishable';
      ALTER TABLE api_keys DROP COLUMN kind, DROP COLUMN public_token, DROP COLUMN origins, DROP COLUMN room_ids`);
  }
}
