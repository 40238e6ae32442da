import test from 'ava';
import { db, freeHour, newRoom, newWorkspace, type ApiClient } from '../support/stack.js';

interface List {
  /** The path of the list, in a new workspace. */
  path: (api: ApiClient) => Promise<string>;
  /** The body that creates one more row. */
  body: () => Record<string, unknown>;
  /** Gives all rows of a workspace the same creation time. */
  align: string;
}

const slot = freeHour();
const LISTS: Record<string, List> = {
  rooms: {
    path: async () => '/v1/rooms',
    body: () => ({ name: 'Room', price_per_hour: { currency: 'GBP', amount_minor: 1 } }),
    align: `UPDATE rooms SET created_at = '2026-01-01T00:00:00Z' WHERE workspace_id = $1`,
  },
  companies: {
    path: async () => '/v1/companies',
    body: () => ({ name: 'Company' }),
    align: `UPDATE companies SET created_at = '2026-01-01T00:00:00Z' WHERE workspace_id = $1`,
  },
  blackouts: {
    path: async (api) => `/v1/rooms/${(await newRoom(api)).id}/blackouts`,
    body: () => slot,
    align: `UPDATE blackouts SET created_at = '2026-01-01T00:00:00Z' WHERE workspace_id = $1`,
  },
};

for (const [name, { path: pathIn, body, align }] of Object.entries(LISTS)) {
  test(`pagination of ${name} returns each once, even with equal timestamps and concurrent inserts`, async (t) => {
    const { api, id } = await newWorkspace();
    const path = await pathIn(api);
    const make = async (): Promise<string> => {
      const made = await api.post(path, body());
      t.is(made.status, 201, JSON.stringify(made.body));
      return made.body.id;
    };
    const there = await Promise.all(Array.from({ length: 9 }, make));
    await db.query(align, [id]);
    for (const limit of [1, 2, 3, 4, 5, 6, 7]) {
      const seen: string[] = [];
      let made = 0;
      for (let cursor: string | null = ''; cursor !== null;) {
        const response = await api.get(`${path}?limit=${limit}${cursor && `&cursor=${cursor}`}`);
        seen.push(...response.body.data.map((row: { id: string }) => row.id));
        cursor = response.body.next_cursor;
        if (made++ < 2) await make();
      }
      t.is(new Set(seen).size, seen.length, `limit ${limit}: none twice`);
      t.deepEqual(
        there.filter((row) => !seen.includes(row)),
        [],
        `limit ${limit}: none lost`,
      );
    }
  });
}
