import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { DataSource } from 'typeorm';
import { entityColumns } from '../../db/entities.js';
import { Booking } from '../../db/entities/bookings.js';
import { DAY_MS } from '../../domain/durations.js';
import { aim, type Aim, type Bench } from './bench.js';
import { openBenchWorkspace, send, type BenchWorkspace } from './workspace.js';
import { drive, median } from './measure.js';
import { withScene, type Scene } from './scene.js';

const ROOMS = 20;
/** Stored bookings, one every three hours in each room. The requested 31 days have some 5,000 of them. */
const STORED = 20_000;
const DAYS = 31;
const IN_FLIGHT = 16;
const READS = ['availability', 'list'] as const;
type Read = (typeof READS)[number];
/** The target rate relative to the bare route's. */
const LEAST: Record<Read, number> = { availability: 0.7, list: 0.65 };

/**
 * What the bare server does: run the query of a read, and send bytes. Times are strings, for another process.
 */
export interface ReadPlan {
  read: Read;
  workspaceId: string;
  from: string;
  to: string;
  body: string;
}

interface ReadResult {
  read: Read;
  bytes: number;
  /** p50 in ms with one request at a time. */
  p50_ms: { bare: number; ours: number };
  /** Rate of our route divided by the bare route's, with 1 and 16 in flight; medians over the rounds. */
  rate_to_bare: number;
  rate_to_bare_16: number;
}

/**
 * Availability and the bookings list, each against a bare Koa route that runs the same query and sends the
 * same bytes. They take turns within each round.
 */
export const benchReads = ({ stack, options, report, figures }: Bench): Promise<Aim[]> =>
  withScene(stack, async (scene) => {
    const results = await report.step('availability and list', async (say) => {
      say(`storing ${STORED} bookings`);
      const workspace = await openBenchWorkspace(scene.dev, { rooms: ROOMS });
      const from = await storeBookings(scene.db, workspace);
      const bare = await startBareServer(scene);
      const measured: ReadResult[] = [];
      try {
        for (const read of READS) {
          say(read);
          measured.push(await measure(read, { scene, workspace, from, bare }, options));
        }
      } finally {
        bare.child.disconnect();
      }
      return measured;
    });
    figures.reads = results;
    print(results);
    return buildAims(results);
  });

/** Stores copies of a booking, confirmed and with their claims. Returns the start of the first. */
async function storeBookings(db: DataSource, workspace: BenchWorkspace): Promise<Date> {
  const { id } = await workspace.book();
  const from = new Date(Math.ceil(Date.now() / DAY_MS) * DAY_MS + 4 * DAY_MS);
  const columns = Object.entries(entityColumns(Booking))
    .filter(([, { insert }]) => insert !== false)
    .map(([name]) => `copy."${name}"`);
  const names = columns.join().replaceAll('copy.', '');
  await db.transaction(async (tx) => {
    await tx.query(`SET LOCAL statement_timeout = 0`);
    await tx.query(
      `WITH rows AS (
         SELECT 'bk_' || lpad(number::text, 26, '0') AS id, lpad(number::text, 7, '0') AS reference,
                room_id, lower(occupies) AS start_at, upper(occupies) AS end_at, occupies,
                'confirmed' AS status, now() AS confirmed_at, null AS remind_at, null AS invoice_id
         FROM unnest($2::uuid[]) WITH ORDINALITY room (room_id, n), generate_series(0, $3::int - 1) slot,
              LATERAL (SELECT slot * $4::int + n AS number,
                              $5::timestamptz + slot * interval '3 hours' AS start) at,
              LATERAL (SELECT tstzrange(start, start + interval '1 hour') AS occupies) taken
       ), claims AS (
         INSERT INTO slot_claims (booking_id, room_id, during) SELECT id, room_id, occupies FROM rows
       )
       INSERT INTO bookings (${names}) SELECT ${columns.join()}
       FROM bookings b, rows, LATERAL jsonb_populate_record(b, to_jsonb(rows)) copy WHERE b.id = $1`,
      [id, workspace.rooms, STORED / ROOMS, ROOMS, from],
    );
  });
  await db.query('VACUUM ANALYZE bookings, slot_claims');
  return from;
}

async function startBareServer({ dev }: Scene) {
  const child = fork(fileURLToPath(new URL('./bare-server.js', import.meta.url)), {
    env: { ...process.env, DATABASE_URL: dev.databaseUrl },
    execArgv: [],
  });
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  return { child, url: `http://127.0.0.1:${port}/` };
}

const readPath = (read: Read, from: string, to: string): string =>
  read === 'availability'
    ? `/v1/availability?${new URLSearchParams({ tier: 'pro', from, to })}`
    : `/v1/bookings?${new URLSearchParams({ from, to, limit: '50' })}`;

async function measure(
  read: Read,
  at: {
    scene: Scene;
    workspace: BenchWorkspace;
    from: Date;
    bare: Awaited<ReturnType<typeof startBareServer>>;
  },
  { rounds, seconds }: { rounds: number; seconds: number },
): Promise<ReadResult> {
  const { workspaceId, token } = at.workspace;
  const [from, to] = [at.from, new Date(at.from.getTime() + DAYS * DAY_MS)].map((time) =>
    time.toISOString(),
  ) as [string, string];
  const url = at.scene.dev.baseUrl + readPath(read, from, to);
  const body = await send('GET', url, token);
  at.bare.child.send({ read, workspaceId, from, to, body } satisfies ReadPlan);
  await once(at.bare.child, 'message');
  const work = { bare: () => send('GET', at.bare.url), ours: () => send('GET', url, token) };
  const names = ['bare', 'ours'] as const;
  const p50s = { bare: [] as number[], ours: [] as number[] };
  const rates = { bare: [] as number[], ours: [] as number[] };
  for (const name of names) await drive({ inFlight: 4, seconds: Math.max(1, seconds) }, work[name]);
  for (let round = 0; round < rounds; round++) {
    for (const name of round % 2 ? names.toReversed() : names) {
      p50s[name].push(median((await drive({ inFlight: 1, seconds }, work[name])).latenciesMs));
      rates[name].push((await drive({ inFlight: IN_FLIGHT, seconds }, work[name])).rate);
    }
  }
  const ratio = (a: number[], b: number[]): number => median(a.map((value, round) => value / b[round]!));
  return {
    read,
    bytes: body.length,
    p50_ms: { bare: median(p50s.bare), ours: median(p50s.ours) },
    rate_to_bare: ratio(p50s.bare, p50s.ours),
    rate_to_bare_16: ratio(rates.ours, rates.bare),
  };
}

const buildAims = (results: ReadResult[]): Aim[] =>
  results.flatMap(({ read, rate_to_bare, rate_to_bare_16 }) => [
    aim(`${read} to a bare route, one at a time`, rate_to_bare, { atLeast: LEAST[read] }),
    aim(`${read} to a bare route, ${IN_FLIGHT} in flight`, rate_to_bare_16, { atLeast: LEAST[read] }),
  ]);

function print(results: ReadResult[]): void {
  console.log(`\nReads, p50 in ms, ${STORED} bookings stored\n  ${''.padEnd(16)}    bare    ours      kB`);
  for (const { read, p50_ms, bytes } of results) {
    const cells = [p50_ms.bare.toFixed(2), p50_ms.ours.toFixed(2), (bytes / 1024).toFixed(0)];
    console.log(`  ${read.padEnd(16)}${cells.map((cell) => cell.padStart(8)).join('')}`);
  }
}
