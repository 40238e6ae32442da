import test from 'ava';
import { newId } from '../../../db/ids.js';
import { DAY_MS } from '../../../domain/durations.js';
import type { ApiClient } from '../../support/api-client.js';
import { once } from '../../support/once.js';
import { storePayments, type Row } from '../../support/rows.js';
import { db } from '../../support/stack.js';
import { newWorkspace } from '../../support/workspaces.js';

const NOW = Math.floor(Date.now() / DAY_MS) * DAY_MS;
const daysAgo = (days: number): Date => new Date(NOW - days * DAY_MS);

/** Payments recorded on other days than their money arrived, some of them on the same days. */
const stored = once(async () => {
  const { api, id: workspace_id } = await newWorkspace();
  const rows = Array.from({ length: 30 }, (_, n): Row<'payments'> & { id: string; created_at: Date } => ({
    id: newId('pay'),
    workspace_id,
    kind: 'manual',
    settled_at: daysAgo((n * 7) % 10),
    created_at: daysAgo((n * 3) % 7),
  }));
  // Without a date of its money, like a refused payment.
  rows.push({ id: newId('pay'), workspace_id, status: 'failed', created_at: daysAgo(2) });
  await storePayments(
    db,
    rows.map((row) => ({ settled_at: null, ...row })),
  );
  return { api, rows };
});

const recordedAt = ({ created_at }: Row<'payments'>): Date => created_at!;
const movedAt = ({ settled_at, created_at }: Row<'payments'>): Date => settled_at ?? created_at!;

/** The ids in the order of the list: the newest first, by default by their money. */
const inOrder = (rows: Row<'payments'>[], at = movedAt): string[] =>
  rows.toSorted((a, b) => at(b).getTime() - at(a).getTime() || (a.id! < b.id! ? 1 : -1)).map(({ id }) => id!);

/** All pages of a query, starting at a cursor. */
async function walk(api: ApiClient, query: Record<string, string>): Promise<string[]> {
  const ids: string[] = [];
  for (let after: string | null | undefined; after !== null;) {
    const search = new URLSearchParams({ limit: '7', ...query, ...(after && { cursor: after }) });
    const { status, body } = await api.get(`/v1/payments?${search}`);
    if (status !== 200 || ids.length > 1_000) throw new Error(JSON.stringify(body));
    ids.push(...body.data.map(({ id }) => id));
    after = body.next_cursor;
  }
  return ids;
}

test('payments are listed by the day of their money, page by page, without duplicates or gaps', async (t) => {
  const { api, rows } = await stored();
  t.deepEqual(await walk(api, {}), inOrder(rows));
  t.deepEqual(
    await walk(api, { kind: 'manual', limit: '1' }),
    inOrder(rows.filter(({ kind }) => kind === 'manual')),
  );
});

test('from and to filter by the money’s date, created_from and created_to by the record’s, which is the order then, and all can be combined', async (t) => {
  const { api, rows } = await stored();
  const [from, to, created_from, created_to] = [daysAgo(6), daysAgo(3), daysAgo(4), daysAgo(1)];
  const ofMoney = rows.filter((row) => movedAt(row) >= from && movedAt(row) < to);
  const recorded = rows.filter((row) => row.created_at >= created_from && row.created_at < created_to);
  const both = ofMoney.filter((row) => recorded.includes(row));
  t.true(both.length > 0 && both.length < ofMoney.length && both.length < recorded.length);
  const text = (times: Record<string, Date>): Record<string, string> =>
    Object.fromEntries(Object.entries(times).map(([name, at]) => [name, at.toISOString()]));
  t.deepEqual(await walk(api, text({ from, to })), inOrder(ofMoney));
  t.deepEqual(await walk(api, text({ created_from, created_to })), inOrder(recorded, recordedAt));
  t.deepEqual(await walk(api, text({ from, to, created_from, created_to })), inOrder(both, recordedAt));
  const { status, body } = await api.get(
    `/v1/payments?${new URLSearchParams(text({ created_from: created_to, created_to: created_from }))}`,
  );
  t.is(status, 422);
  t.is(body.error!.param, 'created_to');
});
