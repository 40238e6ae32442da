import { randomBytes } from 'node:crypto';
import { DAY_MS } from '../../../domain/durations.js';
import test from 'ava';
import { mintToken } from '../../../api/http/tokens.js';
import { openDatabase } from '../../../db/data-source.js';
import { getPool } from '../../../db/pool.js';
import { insertApiKey } from '../../../commands/api-keys/api-keys.js';
import {
  createAuthenticateAndLimit,
  type RequestCredentials,
} from '../../../commands/api-keys/authenticate-and-limit.js';
import { once } from '../../support/once.js';
import { db, dev } from '../../support/stack.js';
import { newWorkspace, type TestWorkspace } from '../../support/workspaces.js';

// Like two API processes, with the limits in docs/rules/api.md#rate-limits.
const connect = once(() =>
  Promise.all([1, 2].map(() => openDatabase({ url: dev.databaseUrl, poolSize: 4 }))),
);

const anyAddress = (): string => `100.65.${randomBytes(1)[0]}.${randomBytes(1)[0]}`;
const unknown = (address: string): RequestCredentials => ({ token: null, address, calendar: false, cost: 1 });

async function newToken({ id, ownerId }: TestWorkspace, ip_allowlist?: string[]): Promise<Buffer> {
  const { record } = mintToken();
  await insertApiKey(db.manager, {
    workspace_id: id,
    member_id: ownerId,
    name: 'Test key',
    token: record,
    resources: ['calendar'],
    actions: ['read'],
    ip_allowlist,
    expires_at: new Date(Date.now() + DAY_MS),
  });
  return record.hash;
}

function shuffled<T>(values: T[]): T[] {
  for (let n = values.length - 1; n > 0; n--) {
    const other = Math.floor(Math.random() * (n + 1));
    [values[n], values[other]] = [values[other]!, values[n]!];
  }
  return values;
}

test('concurrent callers of several workspaces, batched by two processes, get exactly the requests of their buckets', async (t) => {
  const authenticators = (await connect()).map((connection) =>
    createAuthenticateAndLimit(getPool(connection), 1),
  );
  // Per bucket: its size, its refill per second, and the number of allowed requests.
  const buckets: { size: number; perSecond: number; passed: number }[] = [];
  const asked: { request: RequestCredentials; bucket: (typeof buckets)[number] }[] = [];
  const ask = (bucket: (typeof buckets)[number], times: number, request: RequestCredentials): void => {
    for (let n = 0; n < times; n++) asked.push({ request, bucket });
  };
  const newBucket = (size: number, perMinute: number) => {
    const bucket = { size, perSecond: perMinute / 60, passed: 0 };
    buckets.push(bucket);
    return bucket;
  };
  for (const workspace of await Promise.all([1, 2, 3, 4].map(() => newWorkspace()))) {
    const shared = newBucket(500, 100);
    for (let n = 0; n < 4; n++) {
      const token = await newToken(workspace);
      ask(shared, 150, { token, address: anyAddress(), calendar: true, cost: 1 });
    }
    const token = await newToken(workspace);
    const own = newBucket(600, 600);
    // From two addresses, so that two callers in one statement share a bucket.
    for (const address of [anyAddress(), anyAddress()])
      ask(own, 350, { token, address, calendar: false, cost: 1 });
    const address = anyAddress();
    const byAddress = newBucket(60, 60);
    ask(byAddress, 40, unknown(address));
    const token_of_elsewhere = await newToken(workspace, ['192.0.2.0/24']);
    ask(byAddress, 40, { token: token_of_elsewhere, address, calendar: true, cost: 1 });
  }

  const began = Date.now();
  shuffled(asked);
  const client = async (n: number): Promise<void> => {
    for (let next = asked.pop(); next; next = asked.pop()) {
      const { allowed } = await authenticators[n % 2]!(next.request);
      if (allowed) next.bucket.passed++;
    }
  };
  await Promise.all(Array.from({ length: 64 }, (_, n) => client(n)));
  const seconds = (Date.now() - began) / 1000;
  for (const { size, perSecond, passed } of buckets)
    t.true(passed >= size && passed <= size + perSecond * seconds, `${passed} of ${size} in ${seconds} s`);
});

test('all keys of a workspace share its bucket for all routes, exact to one request', async (t) => {
  const connections = await connect();
  // A hundredth: the bucket of a key has 6 tokens, the workspace's bucket 60, with one more per second.
  const [first, second] = connections.map((connection) =>
    createAuthenticateAndLimit(getPool(connection), 0.01),
  );
  const workspace = await newWorkspace();
  const tokens = await Promise.all(Array.from({ length: 14 }, () => newToken(workspace)));
  const began = Date.now();
  const verdicts = await Promise.all(
    tokens.flatMap((token) =>
      [first!, second!, first!, second!, first!, second!].map((ask) =>
        ask({ token, address: anyAddress(), calendar: false, cost: 1 }),
      ),
    ),
  );
  const passed = verdicts.filter(({ allowed }) => allowed).length;
  const refilled = Math.ceil((Date.now() - began) / 1000);
  t.true(passed >= 60 && passed <= 60 + refilled, `${passed} of 84`);
  const refused = verdicts.find(({ allowed }) => !allowed)!;
  t.like(refused, { size: 60, remaining: 0 }, 'the headers describe the bucket that refused');
  t.true(refused.retry_after_ms > 0);
});

test('invalid input of one caller fails for that caller only', async (t) => {
  const authenticators = (await connect()).map((connection) =>
    createAuthenticateAndLimit(getPool(connection), 1),
  );
  const workspace = await newWorkspace();
  const token = await newToken(workspace);
  const began = Date.now();
  const [first, bad, last] = await Promise.allSettled(
    [anyAddress(), 'no address', anyAddress()].map((address) =>
      authenticators[0]!({ token, address, calendar: false, cost: 1 }),
    ),
  );
  t.is(bad?.status, 'rejected');
  t.true(first?.status === 'fulfilled' && first.value.principal?.workspace_id === workspace.id);
  // The refill is ten a second.
  const most = 598 + Math.ceil((Date.now() - began) / 100);
  t.true(
    last?.status === 'fulfilled' && last.value.remaining >= 598 && last.value.remaining <= most,
    'nothing is counted twice',
  );
});
