import { Readable } from 'node:stream';
import { ApiError } from '../../domain/errors.js';
import type { Handler } from './context.js';

/** The most requests of a workspace to one such route in progress in a process. */
const MAX_IN_PROGRESS = 10;
const RETRY_AFTER_MS = 1_000;

/** The most bulk requests and imports of a workspace in progress in a process, by route. */
export const MAX_BULK = 2;

/** The most PDFs and exports of a workspace in progress in a process, by route. */
export const MAX_DOCUMENTS = 4;

/**
 * For routes that start a run for each request and wait for it, and for those that cost much CPU. Runs occupy the worker, which
 * all workspaces share: with a hundred of one workspace concurrently, the bookings of others took seconds or failed. Errors:
 * 429 `rate_limited`.
 */
export function limitConcurrent<Body, Query>(
  handler: Handler<Body, Query> = (_ctx, next) => next(),
  max = MAX_IN_PROGRESS,
): Handler<Body, Query> {
  const inProgress = new Map<string, number>();
  return async (ctx, next) => {
    const { workspace_id } = ctx.state.principal;
    const others = inProgress.get(workspace_id) ?? 0;
    if (others >= max) {
      const message = `At most ${max} requests like this can be in progress. Wait for the others.`;
      throw new ApiError('rate_limited', message, { retry_after_ms: RETRY_AFTER_MS });
    }
    inProgress.set(workspace_id, others + 1);
    const end = (): void => {
      const left = inProgress.get(workspace_id)! - 1;
      if (left > 0) inProgress.set(workspace_id, left);
      else inProgress.delete(workspace_id);
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
