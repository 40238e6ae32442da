import { readFileSync } from 'node:fs';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { dropFunctions } from '../functions.js';

/** The functions that defaults, indexes and triggers name; all others are applied after the migrations. */
const FUNCTIONS = [
  'new_booking_reference',
  'search_text',
  'chain_audit_entry',
  'claim_linked_part',
  'claim_parts',
  'keep_document',
  'lock_leaf',
  'name_member',
  'name_people',
];

/** The files of `initial-schema/`, each after those whose tables it references. */
const SUBJECTS = [
  'extensions',
  'workspaces',
  'members',
  'access',
  'sso',
  'rooms',
  'booking-pages',
  'events',
  'bookings',
  'extras',
  'discounts',
  'invoices',
  'payments',
  'payouts',
  'collections',
  'subscriptions',
  'reconciliations',
  'accounting',
  'mail',
];

const readSql = (path: string): string => readFileSync(new URL(`${path}.sql`, import.meta.url), 'utf8');
const readSubject = (subject: string): string => readSql(`./initial-schema/${subject}`);

/**
 * The tables, indexes, constraints and triggers. Constraints, not only code, forbid what must never happen:
 * two live bookings in one slot, one idempotency key with two bookings, one payment intent with two payments,
 * one processor account in two workspaces. Functions are in `db/functions/`.
 */
export class InitialSchema1764000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    // The functions come before the tables that they read.
    await runner.query('SET LOCAL check_function_bodies = off');
    for (const name of FUNCTIONS) await runner.query(readSql(`../functions/${name}`));
    for (const subject of SUBJECTS) await runner.query(readSubject(subject));
  }

  async down(runner: QueryRunner): Promise<void> {
    const tables = SUBJECTS.flatMap((subject) => [
      ...readSubject(subject).matchAll(/^CREATE .*?TABLE (\w+)/gm),
    ]);
    // Functions that take rows go with their tables, the others after the defaults and triggers with them.
    await runner.query(`DROP TABLE ${tables.map(([, name]) => name).join()} CASCADE`);
    await dropFunctions(runner);
  }
}
