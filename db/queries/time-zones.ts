import type { DataSource } from 'typeorm';
import { DAY_MS, HOUR_MS } from '../../domain/durations.js';
import { isKnownZone, isZoneName, zoneChanges, wallClock } from '../../domain/time-zone.js';
import { column, many } from '../query.js';
import type { Tx } from '../transaction.js';

/** For each database, the names of its zones in IANA's letter case, keyed by lower case. */
const zoneNames = new WeakMap<DataSource, Promise<Map<string, string>>>();

async function readNames(tx: Tx): Promise<Map<string, string>> {
  const names = await column<string>(tx, 'SELECT name FROM pg_timezone_names');
  return new Map(names.map((name) => [name.toLowerCase(), name]));
}

/**
 * Returns the name of a zone that Postgres knows, in IANA's letter case; null if it does not know it.
 * Postgres reads hundreds of files to list them, so each process does it only once, in a separate statement.
 */
export async function findZoneName(
  { connection }: Pick<Tx, 'connection'>,
  zone: string,
): Promise<string | null> {
  let names = zoneNames.get(connection);
  if (!names) {
    names = readNames(connection.manager);
    zoneNames.set(connection, names);
    names.catch(() => zoneNames.delete(connection));
  }
  return (await names).get(zone.toLowerCase()) ?? null;
}

/**
 * True for a stored zone that settings would accept unchanged: `Area/Place` or UTC, known to the process and
 * to Postgres.
 */
export const isStoredZone = async (tx: Pick<Tx, 'connection'>, zone: string): Promise<boolean> =>
  isZoneName(zone) && (await findZoneName(tx, zone)) === zone;

/** A workspace or a room in use, with its zone. */
export interface ZoneInUse {
  /** The id of the workspace or the room. */
  id: string;
  /** Null for the workspace. */
  room_name: string | null;
  time_zone: string;
  since: Date;
}

/**
 * Lists the zones of a workspace and its rooms that settings would not accept
 * (docs/rules/workspace.md#time-zones).
 */
export async function listWrongZones(tx: Tx, workspaceId: string): Promise<ZoneInUse[]> {
  const zones = await many<ZoneInUse>(
    tx,
    `SELECT id, NULL AS room_name, time_zone, updated_at AS since FROM workspaces WHERE id = $1
     UNION ALL SELECT id::text, name, time_zone, updated_at FROM rooms WHERE workspace_id = $1
       AND NOT archived`,
    [workspaceId],
  );
  const wrong = new Set<string>();
  for (const zone of new Set(zones.map(({ time_zone }) => time_zone)))
    if (!(await isStoredZone(tx, zone))) wrong.add(zone);
  return zones.filter(({ time_zone }) => wrong.has(time_zone));
}

/** A zone in use about which the process and Postgres disagree. */
export interface ZoneDifference {
  time_zone: string;
  workspaces: string[];
  /**
   * `process`, `database`: which of them does not know it. `clock`: they differ, from a time on.
   */
  differs: 'process' | 'database' | 'clock';
  from?: Date;
}

/** How far ahead the clocks are compared, and the interval between the changes that the process knows. */
const AHEAD_MS = 731 * DAY_MS;
const EVERY_MS = 12 * HOUR_MS;
/** The maximum number of workspaces listed for a zone. */
const NAMED = 20;

/**
 * Compares the zones in use, two years ahead, since the process and Postgres have separate zone databases
 * (docs/rules/workspace.md#time-zones).
 */
export async function compareZones(tx: Tx, now = new Date()): Promise<ZoneDifference[]> {
  const used = await many<{ time_zone: string; workspaces: string[] }>(
    tx,
    `SELECT time_zone, (array_agg(DISTINCT workspace_id))[1:$1] AS workspaces FROM (
       SELECT time_zone, id AS workspace_id FROM workspaces
       UNION ALL SELECT time_zone, workspace_id FROM rooms WHERE NOT archived) used
     GROUP BY time_zone ORDER BY time_zone`,
    [NAMED],
  );
  const differences: ZoneDifference[] = [];
  for (const { time_zone, workspaces } of used) {
    const found = await compareZone(tx, time_zone, now);
    if (found) differences.push({ time_zone, workspaces, ...found });
  }
  return differences;
}

async function compareZone(
  tx: Tx,
  zone: string,
  now: Date,
): Promise<Pick<ZoneDifference, 'differs' | 'from'> | null> {
  if (!isKnownZone(zone)) return { differs: 'process' };
  if ((await findZoneName(tx, zone)) === null) return { differs: 'database' };
  const from = await firstDifference(tx, zone, { start: now.getTime(), end: now.getTime() + AHEAD_MS });
  return from && { differs: 'clock', from };
}

/**
 * Returns the first of many instants of a range at which a zone that both know has another clock in Postgres;
 * null if there is none. The instants are twice a day, and around the changes that the process knows.
 */
export async function firstDifference(
  tx: Tx,
  zone: string,
  { start, end }: { start: number; end: number },
): Promise<Date | null> {
  const changes = zoneChanges({ start, end }, zone).flatMap((at) => [at - 1_000, at]);
  const regular = Array.from({ length: Math.ceil((end - start) / EVERY_MS) }, (_, n) => start + n * EVERY_MS);
  const instants = [...regular, ...changes]
    .map((at) => Math.floor(at / 1_000) * 1_000)
    .toSorted((a, b) => a - b);
  const clocks = await column<number>(
    tx,
    `SELECT (extract(epoch FROM at AT TIME ZONE $1) * 1000)::bigint
      FROM unnest($2::timestamptz[]) WITH ORDINALITY u (at, n) ORDER BY n`,
    [zone, instants.map((at) => new Date(at))],
  );
  const different = instants.find((at, n) => clocks[n] !== wallClock(at, zone));
  return different === undefined ? null : new Date(different);
}
