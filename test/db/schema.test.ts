import { readFileSync } from 'node:fs';
import test from '../support/suite.js';
import { openForMigrations } from '../../db/run-migrations.js';
import { insert, insertIfAbsent, remove, repository, update, NOW } from '../../db/tables.js';
import { readCatalog } from '../../dev/db-types/catalog.js';
import { renderSchema } from '../../dev/db-types/render.js';
import { withScratchDatabase } from './scratch.js';

const columnTypes = (): string => readFileSync('db/column-types.ts', 'utf8');

test('db/schema.ts is what the migrations create: after a change of either run `npm run db:types`', async (t) => {
  await withScratchDatabase(async (_, url) => {
    const db = await openForMigrations(url);
    const rendered = await renderSchema(await readCatalog(db), columnTypes());
    t.is(readFileSync('db/schema.ts', 'utf8'), rendered);

    await db.query(`ALTER TABLE rooms ADD floor integer`);
    const changed = await renderSchema(await readCatalog(db), columnTypes());
    t.true(changed.includes('floor: number | null;'), 'a new column is seen');
    await db.query(`ALTER TABLE rooms ADD plan jsonb`);
    await t.throwsAsync(
      readCatalog(db).then((catalog) => renderSchema(catalog, columnTypes())),
      {
        message: /rooms\.plan/,
      },
    );
    await db.query(`ALTER TABLE rooms DROP plan, DROP tiers`);
    await t.throwsAsync(
      readCatalog(db).then((catalog) => renderSchema(catalog, columnTypes())),
      {
        message: /There is no column rooms\.tiers/,
      },
    );
    await db.destroy();
  });
});

test('rows are inserted, updated and deleted by column name, JSON and database time included', async (t) => {
  await withScratchDatabase(async ({ manager: tx }) => {
    const workspace = await insert(tx, 'workspaces', {
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

    t.is(await update(tx, 'workspaces', { id: 'ws_1' }, { tax_codes: [], return_url: undefined }), 1);
    t.is(await update(tx, 'workspaces', { id: 'ws_1' }, {}), 0, 'nothing to change');
    t.is(await update(tx, 'workspaces', { id: 'ws_2' }, { name: 'Other' }), 0);
    const stored = await repository(tx, 'workspaces').findOneByOrFail({ id: 'ws_1' });
    t.deepEqual(stored, { ...workspace, tax_codes: [] });

    const company = { id: '01890000-0000-7000-8000-000000000000', workspace_id: 'ws_1', name: 'Acme' };
    const inserted = await insertIfAbsent(tx, 'companies', { ...company, billing_anchor: '2026-03-29' });
    t.is(inserted?.billing_anchor, '2026-03-29', 'a date stays a date');
    t.is(await insertIfAbsent(tx, 'companies', company), null);
    t.is(await remove(tx, 'companies', { workspace_id: 'ws_1' }), 1);
    // @ts-expect-error: a column of another table does not compile, and is not sent either.
    await t.throwsAsync(async () => update(tx, 'companies', { id: company.id }, { email: 'a@example.com' }), {
      message: /Unknown column companies\.email/,
    });
    await t.throwsAsync(async () => remove(tx, 'companies', {}), { message: /has no columns/ });
  });
});
