import { readdirSync, readFileSync } from 'node:fs';
import test from 'ava';
import { NOW } from '../../db/database-time.js';
import { entityColumns, ENTITIES } from '../../db/entities.js';
import { Company } from '../../db/entities/members.js';
import { Workspace } from '../../db/entities/workspaces.js';
import { KEY_KINDS } from '../../domain/api-keys/key-scope.js';
import { BOOKING_SOURCES } from '../../domain/bookings/origin.js';
import { DISPUTE_EVIDENCE } from '../../domain/payments/dispute-words.js';
import { PRICES_ENTERED } from '../../domain/rates/entered-price.js';
import { TIERS } from '../../domain/rates/price.js';
import { CONFIRMATION_SOURCES } from '../../domain/states.js';
import { LANGUAGES } from '../../domain/words/languages.js';
import { insertIfAbsent, insertReturning } from '../../db/insert.js';
import { readCatalog, type CatalogColumn } from './catalog.js';
import { withScratchDatabase } from '../support/scratch-database.js';

const FOLDER = 'db/entities/';

/** The values of the types that text columns have by name; null if a type has no list of values. */
const NAMED: Record<string, readonly string[] | null> = {
  BookingSource: BOOKING_SOURCES,
  ConfirmationSource: CONFIRMATION_SOURCES,
  DisputeEvidence: DISPUTE_EVIDENCE,
  EventType: null,
  KeyKind: KEY_KINDS,
  Language: LANGUAGES,
  MailKind: null,
  PricesEntered: PRICES_ENTERED,
  RecoveryReason: null,
  StoredKey: null,
  SweptJob: null,
  TermsKey: null,
  Tier: TIERS,
};

/** Columns whose values no CHECK constraint lists, so that a release can add one without a migration. */
const UNCHECKED = [
  'api_keys.kind',
  'bookings.locale',
  'bookings.source',
  'disputes.evidence',
  'payments.source',
  'tier_changes.from_tier',
  'tier_changes.to_tier',
  'members.locale',
  'workspaces.locale',
];

/** The TypeScript types of the columns, from the sources, by `table.column`. */
function declaredTypes(): Record<string, string> {
  const source = readdirSync(FOLDER)
    .map((file) => readFileSync(FOLDER + file, 'utf8'))
    .join('\n');
  const classes = source.matchAll(/@Entity\('(\w+)'\)\nexport class \w+ \{\n([\s\S]*?)\n\}/g);
  return Object.fromEntries(
    [...classes].flatMap(([, table, body]) =>
      [...body!.matchAll(/(\w+)!:\s+([^;]+);/g)].map(([, name, type]) => [`${table}.${name}`, type!]),
    ),
  );
}

/** As Postgres prints a default. */
function toSqlDefault(value: unknown): string | null {
  if (value === undefined) return null;
  if (typeof value === 'function') return value();
  if (Array.isArray(value)) return `'{}'`;
  if (typeof value === 'object') return `'${JSON.stringify(value)}'`;
  return typeof value === 'string' ? `'${value}'` : String(value);
}

/** The values of a type of a text column. Errors: a type that is not in NAMED. */
function namedValues(type: string): string[] {
  const name = type.split(' | ')[0]!;
  if (name.startsWith('string')) return [];
  const values = NAMED[name];
  if (values === undefined) throw new Error(`NAMED does not say which values ${name} has`);
  return [...(values ?? [])];
}

/** The columns of all entities, in the terms of the database's catalog. */
function declaredColumns(): Record<string, CatalogColumn> {
  const types = declaredTypes();
  const columns = Object.entries(ENTITIES).flatMap(([table, entity]) =>
    Object.entries(entityColumns(entity)).map(([name, column]): [string, CatalogColumn] => {
      const type = types[`${table}.${name}`]!;
      const values = /^'|\n?\s*\| '/.test(type)
        ? [...type.matchAll(/'(\w+)'/g)].map(([, value]) => value!)
        : column.type === 'text' && !column.array && !UNCHECKED.includes(`${table}.${name}`)
          ? namedValues(type)
          : [];
      return [
        `${table}.${name}`,
        {
          type: String(column.type),
          is_array: column.array ?? false,
          nullable: type.endsWith('| null'),
          default: toSqlDefault(column.default),
          generated: column.insert === false,
          primary: column.primary ?? false,
          values,
        },
      ];
    }),
  );
  return Object.fromEntries(columns);
}

test('entities match what the migrations create', async (t) => {
  await withScratchDatabase(async (db) => {
    const declared = declaredColumns();
    const stored = await readCatalog(db);
    t.deepEqual(Object.keys(declared).toSorted(), Object.keys(stored).toSorted());
    for (const [name, column] of Object.entries(declared)) {
      const json = column.type.startsWith('json') && column.default !== null;
      const found = stored[name]!;
      t.deepEqual(
        column,
        { ...found, default: json ? found.default!.replaceAll(' ', '') : found.default },
        name,
      );
    }
    for (const { tableName, columns } of db.entityMetadatas)
      for (const { propertyName, isNullable } of columns)
        t.is(isNullable, stored[`${tableName}.${propertyName}`]!.nullable, `${tableName}.${propertyName}`);

    await db.query(`ALTER TABLE rooms ADD undeclared integer`);
    t.true('rooms.undeclared' in (await readCatalog(db)), 'a new column is seen');
  });
});

test('rows are inserted, updated and deleted, JSON and database time included', async (t) => {
  await withScratchDatabase(async ({ manager: tx }) => {
    const workspace = await insertReturning(tx, Workspace, {
      id: 'ws_1',
      name: 'Scratch',
      time_zone: 'UTC',
      currency: 'GBP',
      tax_codes: [{ code: 'ZERO', rate_bps: 0, accounting_tax_type: 'NONE' }],
      created_at: NOW,
    });
    t.like(workspace, { checkout_hold_seconds: 1800, return_url: null, maintenance_ends_at: null });
    t.deepEqual(workspace.tax_codes, [{ code: 'ZERO', rate_bps: 0, accounting_tax_type: 'NONE' }]);
    t.true(workspace.created_at instanceof Date);

    const changed = await tx.update(Workspace, { id: 'ws_1' }, { tax_codes: [], return_url: undefined });
    t.is(changed.affected, 1);
    t.is((await tx.update(Workspace, { id: 'ws_2' }, { name: 'Other' })).affected, 0);
    const stored = await tx.findOneByOrFail(Workspace, { id: 'ws_1' });
    t.deepEqual({ ...stored }, { ...workspace, tax_codes: [] });

    const company = { id: '01890000-0000-7000-8000-000000000000', workspace_id: 'ws_1', name: 'Acme' };
    const inserted = await insertIfAbsent(tx, Company, { ...company, billing_anchor: '2026-03-29' });
    t.is(inserted?.billing_anchor, '2026-03-29', 'a date stays a date');
    t.is(await insertIfAbsent(tx, Company, company), null);
    t.is((await tx.delete(Company, { workspace_id: 'ws_1' })).affected, 1);
    await t.throwsAsync(async () => tx.update(Company, { mail: 'a@example.com' }, { name: 'A' }), {
      message: /mail/,
    });
    await t.throwsAsync(async () => tx.delete(Company, {}), { message: /[Ee]mpty/ });
    await t.throwsAsync(async () => tx.delete(Company, { id: undefined }), { message: /[Uu]ndefined/ });
  });
});
