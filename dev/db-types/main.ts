import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openForMigrations, runMigrations } from '../../db/run-migrations.js';
import { reservePorts } from '../launcher/ports.js';
import { postgresUrl, preparePostgres } from '../launcher/postgres.js';
import { createReport } from '../launcher/report.js';
import { readSettings } from '../launcher/settings.js';
import { Supervisor } from '../launcher/supervisor.js';
import { readCatalog } from './catalog.js';
import { renderSchema } from './render.js';

/*
 * `npm run db:types`: writes db/schema.ts from a scratch database with all migrations, on DATABASE_URL's server or on
 * a Postgres that is started for it.
 */

/** Runs `work` against an empty cluster, and deletes it afterwards. */
async function withPostgres<T>(work: (url: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-db-types-'));
  const report = createReport(process.stdout);
  const supervisor = new Supervisor({ logs: folder, report, onChange: () => undefined });
  try {
    const [port] = await reservePorts([{ variable: 'POSTGRES_PORT', port: 0 }]);
    const password = randomBytes(16).toString('hex');
    const cluster = { folder: join(folder, 'cluster'), port: port!, password, fresh: true };
    await supervisor.startBase(
      await preparePostgres({ ...cluster, run: (program) => supervisor.run(program) }),
    );
    return await work(postgresUrl(port!, password));
  } finally {
    await supervisor.stop();
    report.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Runs `work` against a new database on the server, and drops it afterwards. */
async function withScratchDatabase<T>(url: string, work: (url: string) => Promise<T>): Promise<T> {
  const name = `db_types_${randomBytes(6).toString('hex')}`;
  const server = await openForMigrations(url);
  try {
    await server.query(`CREATE DATABASE ${name}`);
    const scratch = new URL(url);
    scratch.pathname = `/${name}`;
    return await work(scratch.href);
  } finally {
    await server.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await server.destroy();
  }
}

async function writeSchema(url: string): Promise<void> {
  await runMigrations(url);
  const db = await openForMigrations(url);
  const text = await renderSchema(await readCatalog(db), readFileSync('db/column-types.ts', 'utf8'));
  await db.destroy();
  writeFileSync('db/schema.ts', text);
}

const { databaseUrl } = readSettings();
if (databaseUrl) await withScratchDatabase(databaseUrl, writeSchema);
else await withPostgres(writeSchema);
