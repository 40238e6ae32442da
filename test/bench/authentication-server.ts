import { createServer } from 'node:http';
import Router from '@koa/router';
import Koa from 'koa';
import { authenticated } from '../../api/http/auth.js';
import { route, type Handler } from '../../api/http/context.js';
import { openDatabase } from '../../db/data-source.js';
import { poolOf } from '../../db/pool.js';
import { createAuthenticateAndLimit } from '../../commands/access/authenticate-and-limit.js';

/**
 * A Koa process with three routes that send the same bytes: `/bare` immediately, `/query` after reading a row by its
 * primary key, and `/v1/admitted` after the service's own `authenticated`.
 */
const db = await openDatabase({ url: process.env.BENCH_DATABASE!, poolSize: 20 });
const pool = poolOf(db);
const bytes = JSON.stringify({ id: 'ws_01h455vb4pex5vsknk084sn02q', name: 'Bench house', currency: 'GBP' });

const send: Handler = async (ctx) => {
  ctx.type = 'json';
  ctx.body = bytes;
};
const look: Handler = async (_ctx, next) => {
  await pool.query({ name: 'look', text: 'SELECT * FROM workspaces WHERE id = $1', values: ['ws_none'] });
  await next();
};

const signedIn = authenticated({ authenticateAndLimit: createAuthenticateAndLimit(pool, 100_000) });
const router = new Router();
router.get('/bare', ...route(send));
router.get('/query', ...route(look, send));
router.get('/v1/admitted', ...route(signedIn, send));
const app = new Koa();
app.use(router.routes());
const server = createServer(app.callback());
server.listen(0, '127.0.0.1', () => process.send!({ port: (server.address() as { port: number }).port }));
process.once('disconnect', () => process.exit());
