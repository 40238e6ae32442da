import { setTimeout as sleep } from 'node:timers/promises';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { openDatabase } from '../../db/data-source.js';
import { applyMigrations, openForMigrations } from '../../db/run-migrations.js';
import { storePast } from './past.js';

const PAST = { workspaces: 1_000, roomsEach: 2, bookings: 1_000_000 };
/** How long traffic is measured before the first migration. */
const IDLE_MS = 5_000;
const FOLDER = fileURLToPath(new URL('../../db/migrations/', import.meta.url));

/** What the previous release does meanwhile, on the tables with a row for each booking. */
const STATEMENTS: Record<string, string> = {
  'reading a booking': `SELECT * FROM bookings WHERE id = $1`,
  "listing a workspace's bookings": `
    SELECT id FROM bookings WHERE workspace_id = (SELECT workspace_id FROM bookings WHERE id = $1) AND published_at IS NOT NULL
    ORDER BY start_at, id LIMIT 20`,
  'changing a booking': `UPDATE bookings SET updated_at = now() WHERE id = $1`,
  'changing an invoice': `UPDATE invoices SET updated_at = now() WHERE booking_id = $1`,
  'changing a payment': `UPDATE payments SET updated_at = now() WHERE booking_id = $1`,
  'changing a checkout': `UPDATE checkouts SET updated_at = now() WHERE booking_id = $1`,
  'changing a workspace': `
    UPDATE workspaces SET updated_at = now() WHERE id = (SELECT workspace_id FROM bookings WHERE id = $1)`,
  'changing a room': `
    UPDATE rooms SET updated_at = now() WHERE id = (SELECT room_id FROM bookings WHERE id = $1)`,
};

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
  const results = [
    { name: 'without a migration', ms: IDLE_MS, longest_ms: idle.ms, longest: idle.statement },
  ];
  for (const [n, module] of later.entries()) {
    const name = module.slice(FOLDER.length, -'.js'.length);
    say(name);
    const began = performance.now();
    await migrate(url, [initial, ...later.slice(0, n + 1)]);
    const ms = performance.now() - began;
    // What waited for it has ended by then.
    await sleep(100);
    const { ms: longest_ms, statement: longest } = traffic.take();
    results.push({ name, ms, longest_ms, longest });
  }
  return results;
}

export function printMigrations(results: MigrationResult[]): void {
  console.log('\nMigrations on a million bookings, and the longest statement of the service meanwhile');
  for (const { name, ms, longest_ms, longest } of results)
    console.log(
      `  ${name.padEnd(48)}${ms.toFixed(0).padStart(8)} ms${longest_ms.toFixed(0).padStart(8)} ms  ${longest}`,
    );
}
