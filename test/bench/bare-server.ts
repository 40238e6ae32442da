/**
 * The minimum cost of a read: a bare Koa route that runs the same query as our route and sends the same
 * bytes.
 */
import Koa from 'koa';
import type { AddressInfo } from 'node:net';
import { openDatabase } from '../../db/data-source.js';
import { listBookingTexts } from '../../db/queries/bookings/booking.js';
import { findRoomFacts } from '../../db/queries/bookings/availability.js';
import type { ReadPlan } from './reads.js';

const { manager } = await openDatabase({ url: process.env.DATABASE_URL!, poolSize: 20 });
let plan: ReadPlan | undefined;

function query({ read, workspaceId: workspace_id, from, to }: ReadPlan): Promise<unknown> {
  const at = { workspace_id, from: new Date(from), to: new Date(to) };
  if (read === 'list') return listBookingTexts(manager, { ...at, limit: 51 });
  return findRoomFacts(manager, { ...at, of: { tier: 'pro' } });
}

const app = new Koa();
app.use(async (ctx) => {
  await query(plan!);
  ctx.type = 'application/json; charset=utf-8';
  ctx.body = plan!.body;
});
const server = app.listen(0, '127.0.0.1', () =>
  process.send!({ port: (server.address() as AddressInfo).port }),
);
process.on('message', (next: ReadPlan) => {
  plan = next;
  process.send!({ ready: true });
});
process.on('disconnect', () => process.exit(0));
