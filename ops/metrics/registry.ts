import type { Pool } from 'pg';
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';

/** How many of a pool's connections are open and idle, and how many statements wait for one. */
export type PoolUse = Pick<Pool, 'totalCount' | 'idleCount' | 'waitingCount'>;

/**
 * A process's metrics: those of Node, and its use of database connections. Labels have a small, known set of
 * values and never an id or personal data (docs/operations.md#metrics).
 */
export function createRegistry(pool: PoolUse): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const connections = new Gauge({
    name: 'holdfast_db_connections',
    help: 'Connections to the database, by state.',
    labelNames: ['state'],
    registers: [],
    collect() {
      this.set({ state: 'idle' }, pool.idleCount);
      this.set({ state: 'used' }, pool.totalCount - pool.idleCount);
    },
  });
  const waiting = new Gauge({
    name: 'holdfast_db_waiting',
    help: 'Statements and transactions that wait for a connection.',
    registers: [],
    collect() {
      this.set(pool.waitingCount);
    },
  });
  registry.registerMetric(connections);
  registry.registerMetric(waiting);
  return registry;
}
