import { Client, Connection } from '@temporalio/client';
import type { DataSource } from 'typeorm';
import { openDatabase } from '../../db/data-source.js';
import { readJson } from '../../dev/launcher/home.js';
import type { RecordedProcess } from '../../dev/launcher/process-identity.js';
import type { DevJson, Stack } from '../../dev/launcher/stack.js';
import { benchConnection, startFloor, type Floor } from './floor.js';
import { openBenchWorkspace, type BenchWorkspace } from './workspace.js';

/** The environment of a run. */
export interface Scene {
  dev: DevJson;
  db: DataSource;
  temporal: Client;
  workspace: BenchWorkspace;
  floor: Floor;
  /** Pids of the measured processes, by name. */
  pids: Record<string, number>;
}

/** Calls `work` with a workspace and the floor's processes, and closes them afterwards. */
export async function withScene<T>({ home, dev }: Stack, work: (scene: Scene) => Promise<T>): Promise<T> {
  const connection = await Connection.connect(benchConnection(dev.temporalAddress));
  const temporal = new Client({ connection, namespace: dev.temporalNamespace });
  const db = await openDatabase({ url: dev.databaseUrl, poolSize: 2 });
  const [workspace, floor] = await Promise.all([openBenchWorkspace(dev), startFloor(dev)]);
  const parts = (readJson<RecordedProcess[]>(home.processes) ?? []).map(({ name, pid }) => [name, pid]);
  const pids = { ...Object.fromEntries(parts), ...floor.pids, load: process.pid };
  try {
    return await work({ dev, db, temporal, workspace, floor, pids });
  } finally {
    floor.stop();
    await db.destroy();
    await connection.close();
  }
}
