import { Client, Connection } from '@temporalio/client';
import type { DataSource } from 'typeorm';
import { openDatabase } from '../../db/data-source.js';
import { readJson } from '../../dev/launcher/home.js';
import type { RecordedProcess } from '../../dev/launcher/process-identity.js';
import type { Stack } from '../../dev/launcher/stack.js';
import { WORKFLOWS } from '../../contract/names.js';
import { searchAttributes } from '../../contract/search-attributes.js';
import { benchConnection, startFloor, type Floor } from './floor.js';
import { openHouse, type House } from './house.js';
import { reservations } from './reservations.js';

const ROOMS = 8;

/** The environment of a run. */
export interface Scene {
  db: DataSource;
  temporal: Client;
  house: House;
  floor: Floor;
  reserve(): Promise<void>;
  /** Pids of the measured processes, by name. */
  pids: Record<string, number>;
  close(): Promise<void>;
}

export async function setScene({ home, dev }: Stack): Promise<Scene> {
  const connection = await Connection.connect(benchConnection(dev.temporalAddress));
  const temporal = new Client({ connection, namespace: dev.temporalNamespace });
  const db = await openDatabase({ url: dev.databaseUrl, poolSize: 20 });
  const [house, other, floor] = await Promise.all([
    openHouse(dev, ROOMS),
    openHouse(dev, ROOMS),
    startFloor(dev),
  ]);
  const parts = (readJson<RecordedProcess[]>(home.processes) ?? []).map(({ name, pid }) => [name, pid]);
  return {
    db,
    temporal,
    house,
    floor,
    reserve: await reservations(db, other),
    pids: { ...Object.fromEntries(parts), ...floor.pids, load: process.pid },
    async close() {
      floor.stop();
      await db.destroy();
      await connection.close();
    },
  };
}

/**
 * How many bookings have a workflow, open or closed. Visibility is eventually consistent: polls until the count is
 * stable.
 */
export async function countWorkflows({ temporal, house }: Scene, atLeast: number): Promise<number> {
  const query = `WorkflowType = '${WORKFLOWS.booking}' AND ${searchAttributes.workspace.name} = '${house.workspaceId}'`;
  let seen = -1;
  for (let tries = 0; tries < 40; tries++) {
    const { count } = await temporal.workflow.count(query);
    if (count === seen && count >= atLeast) break;
    seen = count;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  return seen;
}

/** The history of a booking that awaits payment: event counts by type. */
export async function historyOf({ temporal }: Scene, bookingId: string): Promise<string[]> {
  const { events } = await temporal.workflow.getHandle(bookingId).fetchHistory();
  return (events ?? []).map((event) => Object.keys(event).find((key) => key.endsWith('EventAttributes'))!);
}
