import type { ColumnOptions } from 'typeorm';
import { columnsOf, ENTITIES, type Table } from '../entities.js';
import { BILLING } from './billing.js';
import { BOOKINGS } from './bookings.js';
import { MEMBERS } from './members.js';
import { RECORDS } from './records.js';
import type { PersonalIds, PersonalTable, ErasureRules } from './erasure-rule.js';

/**
 * What is kept of an erased person in each table (docs/rules/members.md#erasure). A new table does not compile without
 * a line here; a new column of a table with rows about a person is erased until it is listed as kept.
 */
export const PERSONAL_DATA: ErasureRules = {
  ...BILLING,
  ...BOOKINGS,
  ...MEMBERS,
  ...RECORDS,
  account_reads: 'not_personal',
  accounting_charts: 'not_personal',
  accounting_connections: 'not_personal',
  accounting_consents: 'not_personal',
  // A payer's number and a digest of their name and address, which identify nobody.
  accounting_contacts: 'not_personal',
  accounting_documents: 'not_personal',
  accounting_due: 'not_personal',
  // Salted digests; an erasure removes the salt.
  audit_links: 'not_personal',
  blackouts: 'not_personal',
  booking_page_addresses: 'not_personal',
  booking_pages: 'not_personal',
  card_declines: 'not_personal',
  discounts: 'not_personal',
  // Who has used a code is in the booking.
  discount_redemptions: 'not_personal',
  dispute_movements: 'not_personal',
  collections: 'not_personal',
  disputes: 'not_personal',
  document_number_gaps: 'not_personal',
  extra_claims: 'not_personal',
  extras: 'not_personal',
  idempotency_keys: 'not_personal',
  invoice_counters: 'not_personal',
  invoice_number_gaps: 'not_personal',
  job_failures: 'not_personal',
  lost_documents: 'not_personal',
  mail_holds: 'not_personal',
  // Digests and member ids only.
  oauth_artifacts: 'not_personal',
  oauth_clients: 'not_personal',
  platform: 'not_personal',
  processor_events: 'not_personal',
  processor_keys: 'not_personal',
  rate_limit_buckets: 'not_personal',
  reconciliation_charges: 'not_personal',
  reconciliation_disputes: 'not_personal',
  reconciliations: 'not_personal',
  database_marks: 'not_personal',
  recovery: 'not_personal',
  // The processor's id of a card, until it is detached there.
  removed_cards: 'not_personal',
  room_leaves: 'not_personal',
  sign_in_names: 'not_personal',
  sso_candidates: 'not_personal',
  sso_connections: 'not_personal',
  // What a provider has answered is encrypted, and deleted within a day.
  sso_logins: 'not_personal',
  sso_service_keys: 'not_personal',
  sso_subjects: 'deleted',
  room_rates: 'not_personal',
  pictures: 'not_personal',
  rooms: 'not_personal',
  statement_invoices: 'not_personal',
  tier_subscriptions: 'not_personal',
  used_quotas: 'not_personal',
  webhook_endpoints: 'not_personal',
  webhook_retries: 'not_personal',
  workspaces: 'not_personal',
};

/** How to erase a person from a table's rows. */
export interface TableErasure {
  table: Table;
  by: [column: string, ids: keyof PersonalIds];
  /** New column values, the same for every row. */
  values: Record<string, unknown>;
  /** New values of JSON columns, computed from each row. */
  redacted: Record<string, (row: Record<string, unknown>) => unknown>;
}

/**
 * The rule of a table: columns that are not kept become null, unless they are replaced or redacted. Throws if such a
 * column is not nullable.
 */
export function tableErasure(
  table: Table,
  rule: Omit<PersonalTable<Table>, 'redacted'> & { redacted?: object },
  columns: Record<string, ColumnOptions> = columnsOf(ENTITIES[table]),
): TableErasure {
  const { by, kept, replaced = {}, redacted = {} } = rule;
  const isErased = ([name, { insert }]: [string, ColumnOptions]): boolean =>
    insert !== false &&
    !(kept as readonly string[]).includes(name) &&
    !(name in replaced) &&
    !(name in redacted);
  const erased = Object.entries(columns).filter(isErased);
  for (const [name, { nullable }] of erased) {
    if (!nullable)
      throw new Error(`${table}.${name} cannot be null: keep, replace or redact it in db/personal-data/.`);
  }
  const values = { ...Object.fromEntries(erased.map(([name]) => [name, null])), ...replaced };
  return { table, by, values, redacted: redacted as TableErasure['redacted'] };
}

/** The rules of all tables whose rows about a person are kept and change. */
export const TABLE_ERASURES: TableErasure[] = Object.entries(PERSONAL_DATA)
  .flatMap(([table, rule]) =>
    typeof rule === 'object' ? tableErasure(table as Table, rule as PersonalTable<Table>) : [],
  )
  .filter(({ values, redacted }) => Object.keys({ ...values, ...redacted }).length > 0);
