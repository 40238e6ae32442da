import type { MigrationInterface, QueryRunner } from 'typeorm';

const GUEST = `guest_name || ' ' || guest_email
  || coalesce(' ' || (guest_billing ->> 'company'), '') || coalesce(' ' || (guest_billing ->> 'vat_number'), '')
  || coalesce(' ' || (guest_billing ->> 'order_reference'), '')`;

/** Indexes that others have replaced: each name with what it is on, and its comment. */
const UNUSED: [name: string, on: string, comment: string][] = [
  [
    'bookings_guest_search',
    `bookings USING gin (workspace_id, (guest_name || ' ' || guest_email) gin_trgm_ops) WITH (fastupdate = off)`,
    'Unused since bookings_guest_words.',
  ],
  [
    'bookings_guest_words',
    `bookings USING gin (workspace_id, search_text(${GUEST}) gin_trgm_ops) WITH (fastupdate = off)`,
    'Unused since bookings_guest_plain.',
  ],
  [
    'bookings_by_guest',
    `bookings (workspace_id, lower(guest_email)) WHERE guest_email IS NOT NULL`,
    'Unused since bookings_guest_page.',
  ],
  [
    'bookings_by_guest_address',
    `bookings (workspace_id, guest_address) WHERE guest_address IS NOT NULL`,
    'Unused since bookings_guest_page.',
  ],
  [
    'members_search',
    `members USING gin ((name || ' ' || email) gin_trgm_ops) WITH (fastupdate = off)`,
    'Unused since members_words.',
  ],
  [
    'members_words',
    `members USING gin (search_text(name || ' ' || email) gin_trgm_ops) WITH (fastupdate = off)`,
    'Unused since members_plain.',
  ],
  [
    'invoices_reference_words',
    `invoices USING gin (workspace_id, search_text(accounting_reference) gin_trgm_ops) WITH (fastupdate = off)
     WHERE accounting_reference <> 'Holdfast #' || number::text`,
    'Unused since invoices_reference_plain.',
  ],
  [
    'payments_reference_words',
    `payments USING gin (workspace_id, search_text(reference) gin_trgm_ops) WITH (fastupdate = off)
     WHERE reference IS NOT NULL`,
    'Unused since payments_reference_plain.',
  ],
];

/**
 * A booking is inserted and changed three times until it is paid, and every index of trigrams takes some tens of entries each
 * time. A process of an older build searches more slowly until it is replaced.
 */
export class UnusedIndexes1764385000000 implements MigrationInterface {
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    for (const [name] of UNUSED) await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [name, on, comment] of UNUSED) {
      await runner.query(`DROP INDEX CONCURRENTLY IF EXISTS ${name}`);
      await runner.query(`CREATE INDEX CONCURRENTLY ${name} ON ${on}`);
      await runner.query(`COMMENT ON INDEX ${name} IS '${comment}'`);
    }
  }
}
