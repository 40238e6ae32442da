import { readFileSync } from 'node:fs';
import type { MigrationInterface, QueryRunner } from 'typeorm';
import { dropFunctions } from '../functions.js';

/** The files of `initial-schema/`, each after those whose tables it references. */
const SUBJECTS = [
  'extensions',
  'workspaces',
  'members',
  'access',
  'rooms',
  'events',
  'bookings',
  'invoices',
  'payments',
  'collections',
  'subscriptions',
  'reconciliations',
  'accounting',
  'mail',
];

const readSql = (name: string): string =>
  readFileSync(new URL(`./initial-schema/${name}.sql`, import.meta.url), 'utf8');

/**
 * The tables, indexes and constraints. Constraints, not only code, forbid what must never happen: two live bookings in
 * one slot, one idempotency key with two bookings, one payment intent with two payments, one processor account in two
 * workspaces. Functions are in `db/functions/`.
 */
export class InitialSchema1764000000000 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const subject of SUBJECTS) await runner.query(readSql(subject));
  }

  async down(runner: QueryRunner): Promise<void> {
    await dropFunctions(runner);
    const tables = SUBJECTS.flatMap((subject) => [...readSql(subject).matchAll(/^CREATE .*?TABLE (\w+)/gm)]);
    await runner.query(`DROP TABLE ${tables.map(([, name]) => name).join()}`);
  }
}
