import { ApiError } from '../../domain/errors.js';
import type { Handler } from './context.js';

/** The most requests of a workspace to one such route in progress in a process. */
const MAX_IN_PROGRESS = 10;
const RETRY_AFTER_MS = 1_000;

/**
 * For routes that start a run for each request and wait for it. Runs occupy the worker, which all workspaces share: with
 * a hundred of one workspace concurrently, the bookings of others took seconds or failed. Errors: 429 `rate_limited`.
 */
export function limitConcurrent<Body, Query>(
  handler: Handler<Body, Query> = (_ctx, next) => next(),
): Handler<Body, Query> {
  const inProgress = new Map<string, number>();
  return async (ctx, next) => {
    const { workspace_id } = ctx.state.principal;
    const others = inProgress.get(workspace_id) ?? 0;
    if (others >= MAX_IN_PROGRESS) {
      const message = `At most ${MAX_IN_PROGRESS} requests like this can be in progress. Wait for the others.`;
      throw new ApiError('rate_limited', message, { retry_after_ms: RETRY_AFTER_MS });
    }
    inProgress.set(workspace_id, others + 1);
    try {
      await handler(ctx, next);
    } finally {
      const left = inProgress.get(workspace_id)! - 1;
      if (left > 0) inProgress.set(workspace_id, left);
      else inProgress.delete(workspace_id);
    }
  };
}
