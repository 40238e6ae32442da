import { randomUUID } from 'node:crypto';
import { isGrpcServiceError, WorkflowUpdateRPCTimeoutOrCancelledError } from '@temporalio/client';
import type { Middleware } from 'koa';
import type { Logger } from 'pino';
import { ApiError } from '../../domain/errors.js';

/** Postgres and the network saying that the database can't be had now; SQLSTATE classes 08, 53 and 57. */
function isDatabaseAway(error: unknown): boolean {
  const { code, message } = (error ?? {}) as { code?: string; message?: string };
  if (/^(08|53|57P)/.test(code ?? '') || /^E(CONN|PIPE|TIMEDOUT)/.test(code ?? '')) return true;
  return /Connection terminated|timeout exceeded when trying to connect|Query read timeout/.test(
    message ?? '',
  );
}

/** The 503 that may be retried with the same idempotency key. */
export function serviceUnavailable(what: string): ApiError {
  return new ApiError('service_unavailable', `${what} Try again with the same idempotency key.`);
}

/** The error that a client is meant to read, if it is one; also Temporal or the database being away. */
export function asApiError(error: unknown): ApiError | null {
  if (error instanceof ApiError) return error;
  if (error instanceof WorkflowUpdateRPCTimeoutOrCancelledError || isGrpcServiceError(error)) {
    return serviceUnavailable('The booking engine did not answer in time.');
  }
  return isDatabaseAway(error) ? serviceUnavailable('The database is away.') : null;
}

/**
 * Gives every answer an `x-request-id`, and every error the shape of spec.md, "Errors". What we don't know is a
 * bare `internal_error`: its reason goes to the log, never to the client.
 */
export function errorAnswers(log: Logger): Middleware {
  return async (ctx, next) => {
    const requestId = randomUUID();
    ctx.state.requestId = requestId;
    ctx.set('x-request-id', requestId);
    try {
      await next();
      // The router has set Allow by then.
      if (ctx.status === 405 || ctx.status === 501) {
        throw new ApiError('method_not_allowed', 'This path does not take this method.');
      }
      if (ctx.status === 404 && ctx.body === undefined)
        throw new ApiError('not_found', 'There is nothing here.');
    } catch (error) {
      const known = asApiError(error);
      if (!known || known.status >= 500)
        log.error({ err: error, requestId, path: ctx.path }, 'request failed');
      const answer = known ?? new ApiError('internal_error', 'Something went wrong on our side.');
      const { param, details, errors, retry_after_ms } = answer.context;
      ctx.status = answer.status;
      if (answer.status === 503) ctx.set('Retry-After', '2');
      if (retry_after_ms !== undefined) ctx.set('Retry-After', String(Math.ceil(retry_after_ms / 1000)));
      ctx.body = {
        error: {
          code: answer.code,
          message: answer.message,
          request_id: requestId,
          param,
          details,
          errors,
          retry_after_ms,
        },
      };
    }
  };
}
