import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The subscription at the processor that prorates a workspace's tier upgrades, made by the service. */
export class TierSubscriptions1764100000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      `CREATE TABLE tier_subscriptions (
         workspace_id text COLLATE "C" PRIMARY KEY REFERENCES workspaces,
         account_id text NOT NULL,
         currency char(3) NOT NULL,
         generation integer NOT NULL,
         product_id text NOT NULL,
         subscription_id text NOT NULL,
         created_at timestamptz(3) NOT NULL DEFAULT now()
       )`,
    );
    await runner.query(
      `COMMENT ON COLUMN tier_subscriptions.generation IS
         'Rises when the subscription has to be created again: part of the idempotency keys.'`,
    );
    await runner.query(`ALTER TABLE tier_changes ADD remaining_share double precision NOT NULL DEFAULT 1`);
    await runner.query(
      `COMMENT ON COLUMN tier_changes.remaining_share IS
         'The share of the payer''s month that is left, the day of the change included; above 0, at most 1.'`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE tier_changes DROP remaining_share`);
    await runner.query(`DROP TABLE tier_subscriptions`);
  }
}
