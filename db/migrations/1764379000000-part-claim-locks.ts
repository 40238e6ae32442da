import { readFileSync } from 'node:fs';
import type { MigrationInterface, QueryRunner } from 'typeorm';

const LOCK_LEAF = readFileSync(new URL('../functions/lock_leaf.sql', import.meta.url), 'utf8');

/** Claims of the same leaf are made one after the other, so that none waits for one that waits for it. */
export class PartClaimLocks1764379000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(LOCK_LEAF);
    await runner.query(`
      CREATE TRIGGER part_claims_lock_leaf BEFORE INSERT ON part_claims
        FOR EACH ROW EXECUTE FUNCTION lock_leaf()`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      DROP TRIGGER part_claims_lock_leaf ON part_claims;
      DROP FUNCTION lock_leaf`);
  }
}
