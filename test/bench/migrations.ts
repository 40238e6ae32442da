import { setTimeout as sleep } from 'node:timers/promises';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { openDatabase } from '../../db/data-source.js';
import { applyMigrations, openForMigrations, untilLocked } from '../../db/run-migrations.js';
import { storePast } from './past.js';

const PAST = { workspaces: 1_000, roomsEach: 2, bookings: 1_000_000 };
const IDLE = 'without a migration';
/** How long traffic is measured before the first migration. */
const IDLE_MS = 5_000;
/** What waited for a migration has ended by then. */
const AFTERWARDS_MS = 100;
const FOLDER = fileURLToPath(new URL('../../db/migrations/', import.meta.url));

/** What the previous release does meanwhile, on the tables with a row for each booking. */
const STATEMENTS: Record<string, string> = {
  'reading a booking': `SELECT * FROM bookings WHERE id = $1`,
  "listing a workspace's bookings": `
    SELECT id FROM bookings WHERE workspace_id = (SELECT workspace_id FROM bookings WHERE id = $1) AND published_at IS NOT NULL
    ORDER BY start_at, id LIMIT 20`,
  'changing a booking': `UPDATE bookings SET updated_at = now() WHERE id = $1`,
  'changing an invoice': `UPDATE invoices SET updated_at = now() WHERE id = 'inv_' || substr($1, 4)`,
  'changing a payment': `UPDATE payments SET updated_at = now() WHERE id = 'pay_' || substr($1, 4)`,
  'changing a checkout': `UPDATE checkouts SET updated_at = now() WHERE booking_id = $1`,
  'changing a workspace': `
    UPDATE workspaces SET updated_at = now() WHERE id = (SELECT workspace_id FROM bookings WHERE id = $1)`,
  'changing a room': `
    UPDATE rooms SET updated_at = now() WHERE id = (SELECT room_id FROM bookings WHERE id = $1)`,
};

/** What `test/db/migration-locks.ts` accepts on a table with a million rows. */
const ALLOWED = [
  `ALTER TABLE bookings ADD extra integer`,
  `ALTER TABLE bookings ADD filled integer NOT NULL DEFAULT 0`,
  `CREATE INDEX CONCURRENTLY bookings_extra ON bookings (extra, created_at)`,
  `ALTER TABLE bookings ADD CONSTRAINT bookings_filled CHECK (filled >= 0) NOT VALID`,
  `ALTER TABLE bookings VALIDATE CONSTRAINT bookings_filled`,
  `ALTER TABLE payments ADD CONSTRAINT payments_of_booking FOREIGN KEY (booking_id) REFERENCES bookings NOT VALID`,
  `ALTER TABLE payments VALIDATE CONSTRAINT payments_of_booking`,
  `DROP INDEX CONCURRENTLY bookings_extra`,
  `ALTER TABLE bookings DROP extra`,
];

/** One migration: how long it took, and the longest statement of the service meanwhile. */
export interface MigrationResult {
  name: string;
  ms: number;
  longest_ms: number;
  longest: string;
}

/** Runs statements over and over on a connection of its own until it is stopped. */
class Traffic {
  longest = { ms: 0, statement: '' };
  #running = true;
  readonly #ended: Promise<unknown>;

  constructor(url: string) {
    this.#ended = Promise.all(Object.entries(STATEMENTS).map((entry) => this.#repeat(url, ...entry)));
  }

  /** The longest statement since the last call. */
  take(): { ms: number; statement: string } {
    const { longest } = this;
    this.longest = { ms: 0, statement: '' };
    return longest;
  }

  async stop(): Promise<void> {
    this.#running = false;
    await this.#ended;
  }

  async #repeat(url: string, what: string, statement: string): Promise<void> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    while (this.#running) {
      const n = 1 + Math.floor(Math.random() * PAST.bookings);
      const began = performance.now();
      await client.query(statement, [`bk_${String(n).padStart(26, '0')}`]);
      const ms = performance.now() - began;
      if (ms > this.longest.ms) this.longest = { ms, statement: what };
      await sleep(5);
    }
    await client.end();
  }
}

/** The modules of the migrations, oldest first. */
const modules = (): string[] =>
  readdirSync(FOLDER)
    .filter((file) => file.endsWith('.js'))
    .toSorted()
    .map((file) => FOLDER + file);

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

async function migrate(url: string, migrations: string[]): Promise<void> {
  const db = await openForMigrations(url, migrations);
  await applyMigrations(db).finally(() => db.destroy());
}

/**
 * Applies every migration after the first one to a million bookings while they are read and changed, on a database of its
 * own. Returns how long statements had to wait (docs/operations.md#before-a-release).
 */
export async function measureMigrations(
  server: string,
  say: (line: string) => void,
): Promise<MigrationResult[]> {
  const name = `bench_migrations_${randomBytes(4).toString('hex')}`;
  const admin = await openDatabase({ url: server, poolSize: 1 });
  await admin.query(`CREATE DATABASE ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  try {
    const [initial, ...later] = modules();
    await migrate(url.href, [initial!]);
    const db = await openDatabase({ url: url.href, poolSize: 1 });
    await storePast(db, PAST, say);
    await db.destroy();
    const traffic = new Traffic(url.href);
    try {
      return await measureEach(traffic, url.href, initial!, later, say);
    } finally {
      await traffic.stop();
    }
  } finally {
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await admin.destroy();
  }
}

async function measureEach(
  traffic: Traffic,
  url: string,
  initial: string,
  later: string[],
  say: (line: string) => void,
): Promise<MigrationResult[]> {
  await sleep(IDLE_MS);
  const idle = traffic.take();
  const results = [{ name: IDLE, ms: IDLE_MS, longest_ms: idle.ms, longest: idle.statement }];
  for (const [n, module] of later.entries()) {
    const name = module.slice(FOLDER.length, -'.js'.length);
    say(name);
    const ms = await timed(() => migrate(url, [initial, ...later.slice(0, n + 1)]));
    await sleep(AFTERWARDS_MS);
    const { ms: longest_ms, statement: longest } = traffic.take();
    results.push({ name, ms, longest_ms, longest });
  }
  const db = await openForMigrations(url);
  for (const statement of ALLOWED) {
    say(statement);
    const ms = await timed(() => untilLocked(() => db.query(statement)));
    await sleep(AFTERWARDS_MS);
    const { ms: longest_ms, statement: longest } = traffic.take();
    results.push({ name: statement, ms, longest_ms, longest });
  }
  await db.destroy();
  return results;
}

/** The longest statement while a table was changed. */
export const longestMeanwhile = (results: MigrationResult[]): number =>
  Math.max(...results.filter(({ name }) => name !== IDLE).map(({ longest_ms }) => longest_ms));

export function printMigrations(results: MigrationResult[]): void {
  console.log('\nMigrations on a million bookings, and the longest statement of the service meanwhile');
  for (const { name, ms, longest_ms, longest } of results)
    console.log(
      `  ${name.slice(0, 70).padEnd(72)}${ms.toFixed(0).padStart(8)} ms${longest_ms.toFixed(0).padStart(8)} ms  ${longest}`,
    );
}
