import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { openDatabase } from '../../db/data-source.js';
import type { DevJson } from '../../dev/launcher/stack.js';
import { openHouse, post } from './members.js';
import { residentMb } from './processes.js';

const FEW = 1_000;
const MANY = 5_000;
const DAY = '2026-10-01';

export interface SubscriptionResults {
  /** Seconds of one run of the subscription job, by the number of payers. */
  seconds_few: number;
  seconds_many: number;
  /** Time with five times the payers, divided by five times the time with the few: 1 is linear. */
  growth: number;
  /** Resident memory of the worker, before and after. */
  worker_mb_before: number;
  worker_mb_after: number;
}

/** The subscription invoice job for 1,000 and for 5,000 members, each a payer. */
export async function measureSubscriptions(dev: DevJson): Promise<SubscriptionResults> {
  const db = await openDatabase({ url: dev.databaseUrl, poolSize: 1 });
  const [worker] = dev.pids.worker as [number];
  try {
    // Warm-up.
    await invoice(dev, db, FEW);
    const worker_mb_before = residentMb(worker);
    const seconds_few = await invoice(dev, db, FEW);
    const seconds_many = await invoice(dev, db, MANY);
    return {
      seconds_few,
      seconds_many,
      growth: seconds_many / MANY / (seconds_few / FEW),
      worker_mb_before,
      worker_mb_after: residentMb(worker),
    };
  } finally {
    await db.destroy();
  }
}

async function invoice(dev: DevJson, db: DataSource, payers: number): Promise<number> {
  const { workspaceId } = await openHouse(dev);
  await db.query(
    `UPDATE workspaces SET tier_prices = '{"basic": 0, "plus": 0, "pro": 9000, "enterprise": 0}' WHERE id = $1`,
    [workspaceId],
  );
  await db.query(
    `WITH people AS (
       INSERT INTO profiles (id, email)
       SELECT 'prof_' || substr(md5($2 || n), 1, 26), md5($2 || n) || '@example.com'
       FROM generate_series(1, $3::integer) n RETURNING id, email
     )
     INSERT INTO members (id, workspace_id, profile_id, name, email, role, tier, status, joined_at, billing_anchor)
     SELECT 'mem_' || substr(id, 6), $1, id, 'Ben Bench', email, 'member', 'pro', 'active', $4::date, $4::date FROM people`,
    [workspaceId, randomUUID(), payers, DAY],
  );
  await db.query('ANALYZE members');
  const began = performance.now();
  const { created } = await post(`${dev.internalUrl}/internal/actions`, dev.internalToken, {
    action: 'run_job',
    job: 'subscription_invoices',
    workspace_id: workspaceId,
    as_of: DAY,
  });
  if (created.length !== payers) throw new Error(`${payers} payers have ${created.length} invoices.`);
  return (performance.now() - began) / 1000;
}
