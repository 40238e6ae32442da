import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When money moved, as in `db/queries/billing/money-time.ts`. */
const MOVED_AT = 'coalesce(settled_at, paid_at, created_at)';

const CREATED: [name: string, on: string][] = [
  ['payments_moved_page', `payments (workspace_id, ${MOVED_AT} DESC, id DESC)`],
  [
    'payments_moved_by_kind',
    `payments (workspace_id, kind, ${MOVED_AT} DESC, id DESC) WHERE kind <> 'charge'`,
  ],
  [
    'payments_moved_by_status',
    `payments (workspace_id, status, ${MOVED_AT} DESC, id DESC) WHERE status <> 'succeeded'`,
  ],
  ['disputes_by_workspace', 'disputes (workspace_id)'],
];

/** Lists and sums of money are by the day on which it moved, not by that on which it was recorded. */
export class MoneyDates1764393000000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const [name, on] of CREATED) {
      await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
      await runner.query(`CREATE INDEX CONCURRENTLY ${name} ON ${on}`);
    }
    await runner.query(`COMMENT ON INDEX payments_by_kind IS 'Unused since payments_moved_by_kind.'`);
    await runner.query(`COMMENT ON INDEX payments_by_status IS 'Unused since payments_moved_by_status.'`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [name] of CREATED) await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
    for (const name of ['payments_by_kind', 'payments_by_status'])
      await runner.query(`COMMENT ON INDEX ${name} IS NULL`);
  }
}
