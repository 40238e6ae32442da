import { randomUUID } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { openDatabase } from '../../db/data-source.js';
import { newId, newProfileId } from '../../db/ids.js';
import type { DevJson } from '../../dev/launcher/stack.js';
import { median } from './measure.js';

const CREATES = 1_000;

export interface BulkResults {
  creates: number;
  /**
   * Seconds of one `POST /v1/members.bulk`, which creates rows, events and audit entries in a transaction for each
   * member.
   */
  bulk_seconds: number;
  /** The same with an invite for each, whose mails are sent at the same time. */
  with_invites_seconds: number;
  /** Seconds of as many inserts of a profile and its membership, one statement each, sequentially. */
  plain_seconds: number;
  ratio: number;
}

interface House {
  workspaceId: string;
  token: string;
}

/** A bulk of 1,000 creates against 1,000 plain inserts, alternating. */
export async function measureBulk(dev: DevJson, rounds: number): Promise<BulkResults> {
  const db = await openDatabase({ url: dev.databaseUrl, poolSize: 1 });
  try {
    const house = await openHouse(dev);
    const seconds = async (work: () => Promise<unknown>): Promise<number> => {
      const began = performance.now();
      await work();
      return (performance.now() - began) / 1000;
    };
    // Warm-up.
    await createAll(dev, house, false);
    const [bulk, invited, plain]: number[][] = [[], [], []];
    for (let round = 0; round < rounds; round++) {
      plain!.push(await seconds(() => insertAll(db, house.workspaceId)));
      bulk!.push(await seconds(() => createAll(dev, house, false)));
      invited!.push(await seconds(() => createAll(dev, house, true)));
      await invitesSent(db, house.workspaceId);
    }
    return {
      creates: CREATES,
      bulk_seconds: median(bulk!),
      with_invites_seconds: median(invited!),
      plain_seconds: median(plain!),
      ratio: median(bulk!) / median(plain!),
    };
  } finally {
    await db.destroy();
  }
}

export async function post(url: string, token: string, body: unknown) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`${url} returned ${response.status} ${await response.text()}`);
  return response.json();
}

export async function openHouse({ internalUrl, internalToken }: DevJson): Promise<House> {
  const made = await post(`${internalUrl}/internal/actions`, internalToken, {
    action: 'create_workspace',
    name: 'Bench',
    owner_email: `${randomUUID()}@example.com`,
  });
  return { workspaceId: made.workspace_id, token: made.token };
}

async function createAll({ baseUrl }: DevJson, { token }: House, send_invite: boolean): Promise<void> {
  const operations = Array.from({ length: CREATES }, () => ({
    op: 'create',
    email: `${randomUUID()}@example.com`,
    tier: 'plus',
    send_invite,
  }));
  const { summary } = await post(`${baseUrl}/v1/members.bulk`, token, { operations });
  if (summary.ok !== CREATES) throw new Error(`A bulk call returned ${JSON.stringify(summary)}.`);
}

async function insertAll(db: DataSource, workspaceId: string): Promise<void> {
  for (let n = 0; n < CREATES; n++) {
    await db.query(
      `WITH profile AS (INSERT INTO profiles (id, email) VALUES ($1, $2) RETURNING id, email)
       INSERT INTO members (id, workspace_id, profile_id, name, email, role, tier, status, joined_at)
       SELECT $3, $4, id, 'Ben Bench', email, 'member', 'plus', 'active', now() FROM profile`,
      [newProfileId(), `${randomUUID()}@example.com`, newId('mem'), workspaceId],
    );
  }
}

/** Waits until all mails have been sent, so that they do not affect the next measurement. */
async function invitesSent(db: DataSource, workspaceId: string): Promise<void> {
  for (;;) {
    const [{ pending }] = await db.query(
      `SELECT count(*)::integer AS pending FROM mails WHERE workspace_id = $1 AND status = 'pending'`,
      [workspaceId],
    );
    if (pending === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}
