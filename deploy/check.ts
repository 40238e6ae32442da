import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Client, Connection } from '@temporalio/client';
import { DefaultLogger, Runtime } from '@temporalio/worker';
import { loadConfigOrExit, loadDatabaseConfig, loadDeployConfig } from '../config/config.js';
import { openDatabase } from '../db/data-source.js';
import { compareZones, type ZoneDifference } from '../db/queries/time-zones.js';
import { replayLiveRuns } from './replay-live.js';

/**
 * The time zones in use that differ between this build's Node and the database; null without a database.
 */
async function findZoneDifferences({
  DATABASE_URL,
  DATABASE_URL_FILE,
}: NodeJS.ProcessEnv): Promise<ZoneDifference[] | null> {
  if (!DATABASE_URL && !DATABASE_URL_FILE) return null;
  const db = await openDatabase({ url: loadConfigOrExit(loadDatabaseConfig).databaseUrl, poolSize: 1 });
  try {
    return await compareZones(db.manager);
  } finally {
    await db.destroy();
  }
}

/**
 * `npm run deploy:check`: replays open runs with this build before it is deployed, and compares the time
 * zones in use (docs/guides/upgrade.md#check-open-runs). Exit code 1 if a run does not replay.
 */
const { values } = parseArgs({
  options: {
    /** Number of runs for each workflow type and age. */
    'per-age': { type: 'string', default: '20' },
    bundle: { type: 'string', default: fileURLToPath(new URL('../workflow-bundle.js', import.meta.url)) },
    /** An additional condition in Temporal's list filter syntax. */
    where: { type: 'string' },
  },
});
const { options, apiKey, namespace, taskQueue } = loadConfigOrExit(loadDeployConfig).temporal;
Runtime.install({
  logger: new DefaultLogger('ERROR', () => undefined),
  telemetryOptions: { logging: { filter: { core: 'ERROR', other: 'ERROR' }, forward: {} } },
});
const connection = await Connection.connect({ ...options, apiKey: apiKey ?? undefined });
const report = await replayLiveRuns(new Client({ connection, namespace }), {
  taskQueue,
  bundlePath: values.bundle,
  perAge: Number(values['per-age']),
  where: values.where,
});
const time_zones = await findZoneDifferences(process.env);
console.log(JSON.stringify({ ...report, time_zones }, null, 2));
await connection.close();
process.exit(report.failed.length > 0 ? 1 : 0);
