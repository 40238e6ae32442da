/**
 * The least that a read can cost: a bare Koa route that runs the same query as our route and sends the same bytes, in a
 * process configured as the API's.
 */
import Koa from 'koa';
import { openDatabase } from '../../db/data-source.js';
import type { ReadPlan } from './reads.js';
import { QUERIES } from './reads-queries.js';

const db = await openDatabase({ url: process.env.DATABASE_URL!, poolSize: 20 });
let plan: ReadPlan | undefined;
let bytes = Buffer.alloc(0);

const app = new Koa();
app.use(async (ctx) => {
  const { read, house } = plan!;
  await QUERIES[read](db.manager, house);
  ctx.type = 'application/json; charset=utf-8';
  ctx.body = bytes;
});
const server = app.listen(0, '127.0.0.1', () => {
  process.send!({ ready: true, port: (server.address() as { port: number }).port });
});
process.on('message', (next: ReadPlan) => {
  plan = next;
  bytes = Buffer.from(next.body);
  process.send!({ ready: true });
});
process.on('disconnect', () => process.exit(0));
