import { setTimeout as sleep } from 'node:timers/promises';
import { db } from '../support/stack.js';

/** Samples the number of Postgres connections until the process ends. */
export async function watchConnections(): Promise<{ most: number; limit: number }> {
  const [{ max_connections }] = await db.query('SHOW max_connections');
  const connections = { most: 0, limit: Number(max_connections) };
  void (async () => {
    for (;;) {
      const [{ count }] = await db
        .query('SELECT count(*)::int FROM pg_stat_activity WHERE datname IS NOT NULL')
        .catch(() => [{ count: 0 }]);
      connections.most = Math.max(connections.most, count);
      await sleep(300, undefined, { ref: false });
    }
  })();
  return connections;
}
