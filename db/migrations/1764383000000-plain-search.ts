import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The text of a search without apostrophes and hyphens, as `plain` in db/search.ts has it. */
const plain = (text: string): string => `translate(search_text(${text}), '''-', '')`;

const GUEST = `guest_name || ' ' || guest_email
  || coalesce(' ' || (guest_billing ->> 'company'), '') || coalesce(' ' || (guest_billing ->> 'vat_number'), '')
  || coalesce(' ' || (guest_billing ->> 'order_reference'), '')`;

/** Each index in place of one with apostrophes and hyphens, with which the previous release searches. */
const INDEXES: [name: string, before: string, on: string][] = [
  [
    'bookings_guest_plain',
    'bookings_guest_words',
    `bookings USING gin (workspace_id, ${plain(GUEST)} gin_trgm_ops)`,
  ],
  ['members_plain', 'members_words', `members USING gin (${plain(`name || ' ' || email`)} gin_trgm_ops)`],
  [
    'invoices_reference_plain',
    'invoices_reference_words',
    `invoices USING gin (workspace_id, ${plain('accounting_reference')} gin_trgm_ops)`,
  ],
  [
    'payments_reference_plain',
    'payments_reference_words',
    `payments USING gin (workspace_id, ${plain('reference')} gin_trgm_ops)`,
  ],
];

/** What the partial indexes are for. */
const WHERE: Record<string, string> = {
  invoices_reference_plain: `WHERE accounting_reference <> 'Holdfast #' || number::text`,
  payments_reference_plain: `WHERE reference IS NOT NULL`,
};

/** Names and references are found without their apostrophes and hyphens as well: OBrien finds O'Brien. */
export class PlainSearch1764383000000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const [name, before, on] of INDEXES) {
      await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
      await runner.query(
        `CREATE INDEX CONCURRENTLY ${name} ON ${on} WITH (fastupdate = off) ${WHERE[name] ?? ''}`,
      );
      await runner.query(`COMMENT ON INDEX ${before} IS 'Unused since ${name}.'`);
    }
    // Without statistics of the expression, every word counts as rare.
    await runner.query(`ANALYZE bookings`);
    await runner.query(`ANALYZE members`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [name, before] of INDEXES) {
      await runner.query(`COMMENT ON INDEX ${before} IS NULL`);
      await runner.query(`DROP INDEX CONCURRENTLY ${name}`);
    }
  }
}
