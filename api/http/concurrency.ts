import { Readable } from 'node:stream';
import type { Principal } from '../../domain/policies.js';
import { ApiError } from '../../domain/errors.js';
import { clientAddress } from './client.js';
import type { Handler } from './context.js';

/** The maximum number of requests of a workspace to one such route that are in progress in a process. */
export const MAX_IN_PROGRESS = 10;
const RETRY_AFTER_MS = 1_000;

/** The most bulk requests and imports of a workspace in progress in a process, by route. */
export const MAX_BULK = 2;

/** The most PDFs and exports of a workspace in progress in a process, by route. */
export const MAX_DOCUMENTS = 4;

/**
 * For routes that start a run for each request and wait for it, and for routes that use much CPU. All
 * workspaces share the worker: with a hundred concurrent runs of one workspace, bookings of others took
 * seconds or failed. `of` returns the key under which requests are counted together. Errors: 429
 * `rate_limited`.
 */
export function limitConcurrent<Body, Query>(
  handler: Handler<Body, Query> = (_ctx, next) => next(),
  max = MAX_IN_PROGRESS,
  of: (principal: Principal) => string = ({ workspace_id }) => workspace_id,
): Handler<Body, Query> {
  const inProgress = new Map<string, number>();
  return async (ctx, next) => {
    const counted = of(ctx.state.principal);
    const others = inProgress.get(counted) ?? 0;
    if (others >= max) {
      const message =
        `At most ${max} requests of this kind can be in progress at once. Wait until one of them ends, ` +
        'then try again.';
      throw new ApiError('rate_limited', message, { retry_after_ms: RETRY_AFTER_MS });
    }
    inProgress.set(counted, others + 1);
    const end = (): void => {
      const left = inProgress.get(counted)! - 1;
      if (left > 0) inProgress.set(counted, left);
      else inProgress.delete(counted);
    };
    try {
      await handler(ctx, next);
    } catch (error) {
      end();
      throw error;
    }
    // An export is in progress until the client has read it.
    if (ctx.body instanceof Readable && !ctx.res.closed) ctx.res.once('close', end);
    else end();
  };
}

/**
 * The maximum number of uploads in progress in a process, of a workspace and in total: each needs several
 * times its size in memory.
 */
const MAX_UPLOADS = 2;
const MAX_UPLOADS_OF_ALL = 4;
/** How long a client may take to send an upload, in ms. */
const SEND_WITHIN_MS = 60_000;

const sentInTime: Handler = async (ctx, next) => {
  const timer = setTimeout(() => ctx.req.complete || ctx.req.destroy(), SEND_WITHIN_MS);
  await next().finally(() => clearTimeout(timer));
};

/** For routes that accept a file; runs before the file is read. Errors: 429 `rate_limited`. */
export const UPLOADING: Handler[] = [
  limitConcurrent(undefined, MAX_UPLOADS),
  limitConcurrent(undefined, MAX_UPLOADS_OF_ALL, () => 'all'),
  sentInTime,
];

/** How many responses a client address reads at once in a process, and how long one may take it, in ms. */
const MAX_READ_AT_ONCE = 16;
const READ_WITHIN_MS = 120_000;

/**
 * For large responses that need no key and are not rate-limited: a client address reads a few at once, and
 * its other requests wait. A response that is read too slowly is cut off.
 */
export function readInTurns(): Handler {
  const byAddress = new Map<string, { reading: number; waiting: (() => void)[] }>();
  return async (ctx, next) => {
    const address = clientAddress(ctx);
    const turns = byAddress.get(address) ?? { reading: 0, waiting: [] };
    byAddress.set(address, turns);
    if (turns.reading < MAX_READ_AT_ONCE) turns.reading++;
    else await new Promise<void>((resolve) => turns.waiting.push(resolve));
    const timer = setTimeout(() => ctx.res.destroy(), READ_WITHIN_MS);
    const end = (): void => {
      clearTimeout(timer);
      // A waiting request takes the place.
      const following = turns.waiting.shift();
      if (following) following();
      else if (--turns.reading === 0) byAddress.delete(address);
    };
    if (ctx.res.closed) return end();
    ctx.res.once('close', end);
    await next();
  };
}
