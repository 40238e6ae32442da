import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { fileURLToPath } from 'node:url';
import { LEAN } from '../../dev/launcher/service-parts.js';
import type { DevJson } from '../../dev/launcher/stack.js';
import { REQUIRED_SETTINGS } from '../support/settings.js';
import { drive, median } from './measure.js';
import { aim, type Aim } from './print.js';
import { PATHS, type Read, type ReadHouse } from './reads-queries.js';
import { storeHouse, type StoredHouse } from './stored.js';

/** Stored bookings, and how many of them are in the requested 31 days. */
const SIZES = {
  few: { stored: 1_000, standing: 1_000 },
  usual: { stored: 100_000, standing: 4_000 },
  many: { stored: 1_000_000, standing: 1_000 },
};
type Size = keyof typeof SIZES;
const IN_FLIGHT = 16;
/** What the rate is to be, of the bare route's. */
const LEAST: Record<Read, number> = { availability: 0.7, list: 0.65 };

/** What the bare server does: run a query and send bytes. */
export interface ReadPlan {
  read: Read;
  house: ReadHouse;
  body: string;
}

export interface ReadResult {
  read: Read;
  bytes: number;
  /** p50 in ms with one request at a time: of the bare route, and of ours by the number of stored bookings. */
  p50_ms: Record<'bare' | Size, number>;
  /** Rate of our route divided by that of the bare one, with 1 and 16 in flight; medians over the rounds. */
  rate_to_bare: number;
  rate_to_bare_16: number;
  /** p50 with many stored bookings divided by that with few. */
  growth: number;
}

/** A running server. `get` reads a response without parsing it. */
interface Server {
  get(path: string): Promise<Buffer>;
  process: ChildProcess;
}

/** Starts a server that tells its port. Each request has the headers. */
export async function startServer(
  script: string,
  env: NodeJS.ProcessEnv,
  headers: Record<string, string> = {},
): Promise<Server> {
  const child = fork(fileURLToPath(new URL(script, import.meta.url)), { env, execArgv: LEAN });
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  // Shorter than the server's keep-alive timeout: the pause until its next turn may be longer.
  const agent = new Agent({ keepAlive: true, timeout: 3_000 });
  const options = { agent, port, host: '127.0.0.1', headers };
  return {
    process: child,
    get: (path) =>
      new Promise((resolve, reject) => {
        const sent = request({ ...options, path }, (response) => {
          const parts: Buffer[] = [];
          response.on('data', (part: Buffer) => parts.push(part));
          response.on('end', () => {
            const body = Buffer.concat(parts);
            if (response.statusCode === 200) resolve(body);
            else reject(new Error(`${path} returned ${response.statusCode} ${body.toString()}`));
          });
        });
        sent.on('error', reject).end();
      }),
  };
}

/**
 * Availability and the bookings list, each against a bare Koa route that runs the same query and sends the same
 * bytes, and with a thousand times as many bookings stored. Each size has a separate database and API process on
 * the stack's server, so that they take turns within each round.
 */
export async function measureReads(
  dev: DevJson,
  rounds: number,
  seconds: number,
  say: (what: string) => void,
): Promise<ReadResult[]> {
  const houses: Partial<Record<Size, StoredHouse>> = {};
  const servers: Partial<Record<Size | 'bare', Server>> = {};
  try {
    for (const size of Object.keys(SIZES) as Size[]) {
      const { stored, standing } = SIZES[size];
      say(`storing ${stored} bookings`);
      const house = (houses[size] = await storeHouse(dev.databaseUrl, stored, standing));
      const env = {
        ...process.env,
        ...REQUIRED_SETTINGS,
        DATABASE_URL: house.url,
        PORT: '0',
        HOST: '127.0.0.1',
        ALLOW_HTTP: 'true',
      };
      servers[size] = await startServer('../../api/main.js', env, { authorization: `Bearer ${house.token}` });
      if (size === 'usual') servers.bare = await startServer('./bare-server.js', env);
    }
    const results: ReadResult[] = [];
    for (const read of Object.keys(PATHS) as Read[]) {
      say(read);
      results.push(
        await measure(read, houses as Record<Size, StoredHouse>, servers as Servers, rounds, seconds),
      );
    }
    return results;
  } finally {
    await Promise.all(Object.values(servers).map(stopServer));
    for (const house of Object.values(houses)) await house.close();
  }
}

/** Stops a server before its database is dropped. */
export async function stopServer({ process }: Server): Promise<void> {
  const gone = once(process, 'exit');
  process.disconnect();
  await gone;
}

type Servers = Record<Size | 'bare', Server>;

async function measure(
  read: Read,
  houses: Record<Size, StoredHouse>,
  servers: Servers,
  rounds: number,
  seconds: number,
): Promise<ReadResult> {
  const usual = asked(houses.usual);
  const body = (await servers.usual.get(PATHS[read](usual))).toString();
  servers.bare.process.send({ read, house: usual, body } satisfies ReadPlan);
  await once(servers.bare.process, 'message');
  const work = (name: keyof Servers) => {
    const path = PATHS[read](asked(houses[name === 'bare' ? 'usual' : name]));
    return () => servers[name].get(path);
  };
  const names = ['bare', 'usual', 'few', 'many'] as const;
  const p50s = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<
    Size | 'bare',
    number[]
  >;
  const rates = { bare: [] as number[], usual: [] as number[] };
  for (const name of names) await drive({ inFlight: 4, seconds: Math.max(1, seconds) }, work(name));
  for (let round = 0; round < rounds; round++) {
    for (const name of round % 2 ? names.toReversed() : names) {
      p50s[name].push(median((await drive({ inFlight: 1, seconds }, work(name))).latenciesMs));
      if (name !== 'bare' && name !== 'usual') continue;
      rates[name].push((await drive({ inFlight: IN_FLIGHT, seconds }, work(name))).rate);
    }
  }
  const ratio = (a: number[], b: number[]): number => median(a.map((value, round) => value / b[round]!));
  return {
    read,
    bytes: body.length,
    p50_ms: Object.fromEntries(names.map((name) => [name, median(p50s[name])])) as ReadResult['p50_ms'],
    rate_to_bare: ratio(p50s.bare, p50s.usual),
    rate_to_bare_16: ratio(rates.usual, rates.bare),
    growth: ratio(p50s.many, p50s.few),
  };
}

const asked = ({ workspaceId, from, to }: StoredHouse): ReadHouse => ({
  workspaceId,
  from: from.toISOString(),
  to: to.toISOString(),
});

/** Targets for reads. */
export function aimsOfReads(results: ReadResult[]): Aim[] {
  return results.flatMap(({ read, rate_to_bare, rate_to_bare_16, growth }) => [
    aim(`${read} to a bare route, one at a time`, rate_to_bare, { atLeast: LEAST[read] }),
    aim(`${read} to a bare route, ${IN_FLIGHT} in flight`, rate_to_bare_16, { atLeast: LEAST[read] }),
    aim(`${read}, p50 with 1,000,000 stored to 1,000`, growth, { atMost: 1.5 }),
  ]);
}

export function printReads(results: ReadResult[]): void {
  console.log('\nReads, p50 in ms        bare      ours     1,000 stored   1,000,000    kB');
  for (const { read, p50_ms, bytes } of results) {
    const cells = [p50_ms.bare, p50_ms.usual, p50_ms.few, p50_ms.many].map((ms) =>
      ms.toFixed(2).padStart(10),
    );
    console.log(`  ${read.padEnd(16)}${cells.join('  ')}${(bytes / 1024).toFixed(0).padStart(8)}`);
  }
}
