import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { mintToken } from '../../api/http/tokens.js';
import { openDatabase } from '../../db/data-source.js';
import { insertApiKey } from '../../commands/access/api-keys.js';
import { LEAN } from '../../dev/launcher/service-parts.js';
import type { DevJson } from '../../dev/launcher/stack.js';
import { DAY_MS } from '../../domain/durations.js';
import { drive, median } from './measure.js';
import { aim, type Aim } from './print.js';

const IN_FLIGHT = 16;

/** The routes of authentication-server.ts, and the keys that call them: of one workspace, or of one workspace each. */
const KINDS = {
  bare: { path: '/bare', keys: 1, of: 'one' },
  'bare, one statement': { path: '/query', keys: 1, of: 'one' },
  'key and limits': { path: '/v1/admitted', keys: 1, of: 'one' },
  'key and limits, 16 keys': { path: '/v1/admitted', keys: IN_FLIGHT, of: 'one' },
  'key and limits, 16 workspaces': { path: '/v1/admitted', keys: IN_FLIGHT, of: 'each' },
} as const;
type Kind = keyof typeof KINDS;

/** Requests a second with 16 in flight, and the p50 in ms with one; medians over the rounds. */
export type RequestResults = Record<Kind, { per_second: number; p50_ms: number; to_one_statement: number }>;

/** A persistent connection without Node's HTTP client: the load generator must be cheap. */
class Connection {
  private constructor(
    private readonly socket: Socket,
    private readonly token: string,
  ) {}

  static async open(port: number, token: string): Promise<Connection> {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }).setEncoding('latin1');
    await once(socket, 'connect');
    return new Connection(socket, token);
  }

  /** A response fits in one packet. */
  get(path: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.socket.once('data', (response: string) =>
        response.startsWith('HTTP/1.1 200 ') ? resolve() : reject(new Error(`${path} returned ${response}`)),
      );
      this.socket.write(`GET ${path} HTTP/1.1\r\nHost: bench\r\nAuthorization: Bearer ${this.token}\r\n\r\n`);
    });
  }

  close(): void {
    this.socket.destroy();
  }
}

/** Creates API keys of the seeded workspace's owner. */
async function mintKeys(dev: DevJson, count: number): Promise<string[]> {
  const db = await openDatabase({ url: dev.databaseUrl, poolSize: 1 });
  const [{ id: member_id }] = await db.query(
    `SELECT id FROM members WHERE workspace_id = $1 AND role = 'owner'`,
    [dev.workspaceId],
  );
  const tokens: string[] = [];
  for (let n = 0; n < count; n++) {
    const { token, record } = mintToken();
    await insertApiKey(db.manager, {
      workspace_id: dev.workspaceId,
      member_id,
      name: `Bench ${randomUUID()}`,
      token: record,
      resources: ['calendar'],
      actions: ['read'],
      expires_at: new Date(Date.now() + DAY_MS),
    });
    tokens.push(token);
  }
  await db.destroy();
  return tokens;
}

/** Creates workspaces. Returns a key of each. */
function openWorkspaces({ internalUrl, internalToken }: DevJson, count: number): Promise<string[]> {
  const open = async (): Promise<string> => {
    const response = await fetch(`${internalUrl}/internal/actions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${internalToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        action: 'create_workspace',
        name: 'Bench house',
        owner_email: `bench-${randomUUID()}@example.com`,
      }),
    });
    return ((await response.json()) as { token: string }).token;
  };
  return Promise.all(Array.from({ length: count }, open));
}

/**
 * The cost of authentication and rate limits: a route behind the service's `authenticated`, against the bare route, and
 * against the route after reading a row by its primary key, the least that a request can do with the database. The kinds
 * alternate within each round.
 */
export async function measureRequests(
  dev: DevJson,
  rounds: number,
  seconds: number,
): Promise<RequestResults> {
  const env = { ...process.env, BENCH_DATABASE: dev.databaseUrl };
  const server = fork(fileURLToPath(new URL('./authentication-server.js', import.meta.url)), {
    env,
    execArgv: LEAN,
  });
  const [{ port }] = (await once(server, 'message')) as [{ port: number }];
  const tokens = { one: await mintKeys(dev, IN_FLIGHT), each: await openWorkspaces(dev, IN_FLIGHT) };
  const names = Object.keys(KINDS) as Kind[];
  const rates = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Kind, number[]>;
  const p50s = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Kind, number[]>;
  try {
    // The first round is a warm-up.
    for (let round = -1; round < rounds; round++) {
      for (const name of round % 2 ? names.toReversed() : names) {
        const { path, keys, of } = KINDS[name];
        const free = await Promise.all(
          Array.from({ length: IN_FLIGHT }, (_, n) => Connection.open(port, tokens[of][n % keys]!)),
        );
        const all = [...free];
        const one = async (): Promise<void> => {
          const connection = free.pop()!;
          await connection.get(path);
          free.push(connection);
        };
        const alone = await drive({ inFlight: 1, seconds: seconds / 4 }, one);
        const together = await drive({ inFlight: IN_FLIGHT, seconds }, one);
        for (const connection of all) connection.close();
        if (round < 0) continue;
        p50s[name].push(median(alone.latenciesMs));
        rates[name].push(together.rate);
      }
    }
  } finally {
    server.disconnect();
  }
  const statement = rates['bare, one statement'];
  return Object.fromEntries(
    names.map((name) => [
      name,
      {
        per_second: median(rates[name]),
        p50_ms: median(p50s[name]),
        to_one_statement: median(rates[name].map((rate, round) => rate / statement[round]!)),
      },
    ]),
  ) as RequestResults;
}

/** Targets. */
export function aimsOfRequests(results: RequestResults): Aim[] {
  return (Object.keys(KINDS) as Kind[])
    .filter((name) => KINDS[name].path === '/v1/admitted')
    .map((name) =>
      aim(`${name}, to a bare route with one statement`, results[name].to_one_statement, { atLeast: 0.6 }),
    );
}

export function printRequests(results: RequestResults): void {
  console.log(`\nA request                per s, ${IN_FLIGHT} in flight    p50 ms alone    to one statement`);
  for (const [name, { per_second, p50_ms, to_one_statement }] of Object.entries(results)) {
    const cells = [
      per_second.toFixed(0).padStart(12),
      p50_ms.toFixed(2).padStart(16),
      to_one_statement.toFixed(2).padStart(16),
    ];
    console.log(`  ${name.padEnd(30)}${cells.join('')}`);
  }
}
