import { randomUUID } from 'node:crypto';
import {
  isGrpcServiceError,
  ServiceError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client';
import type { Middleware } from 'koa';
import type { Logger } from 'pino';
import { PictureStoreError } from '../../commands/rooms/pictures/store.js';
import { isContention, isOutage, isTooSlow } from '../../db/outage.js';
import { ApiError } from '../../domain/errors.js';
import { routePattern } from './telemetry.js';

/** A 503: the request can be retried with the same idempotency key. */
export function serviceUnavailable(reason: string): ApiError {
  return new ApiError(
    'service_unavailable',
    `${reason} Try again, with the same idempotency key if you sent one.`,
  );
}

/** The row that a request has stored. Errors: 503 if it was lost in a failover or by restoring a backup. */
export function stillStored<T>(row: T | null): T {
  if (!row) throw serviceUnavailable('The data that this request stored has been lost.');
  return row;
}

const NOT_IN_TIME = 'The request could not be completed in time.';

/**
 * The error that clients may see. It is a 503 if Temporal, the database or the picture store is unavailable,
 * another request holds a lock for too long, or a run ended before it handled an update. Null for all other
 * errors.
 */
export function asApiError(error: unknown): ApiError | null {
  if (error instanceof ApiError) return error;
  // The client reports a deadline as any of these, depending on the call.
  const ofTemporal = [WorkflowUpdateRPCTimeoutOrCancelledError, ServiceError];
  if (ofTemporal.some((type) => error instanceof type) || isGrpcServiceError(error)) {
    return serviceUnavailable(NOT_IN_TIME);
  }
  if (error instanceof WorkflowUpdateFailedError)
    return serviceUnavailable('The object changed while the request was processed.');
  if (error instanceof PictureStoreError)
    return serviceUnavailable('The storage for pictures is unavailable.');
  if (isContention(error)) return serviceUnavailable('Another request is changing the same data.');
  if (isTooSlow(error)) return serviceUnavailable(NOT_IN_TIME);
  return isOutage(error) ? serviceUnavailable('The database is unavailable.') : null;
}

/** The error that clients get instead of an unexpected error. */
export const internalError = (): ApiError =>
  new ApiError('internal_error', 'An internal error occurred. To report it, quote the request_id.');

/** The body of an error response. */
export function errorBody({ code, message, context }: ApiError, request_id: string): object {
  const { param, details, errors, retry_after_ms } = context;
  const listed = errors?.map(({ param, message }) => ({ param, message }));
  return { error: { code, message, request_id, param, details, errors: listed, retry_after_ms } };
}

/**
 * Sets `x-request-id` on every response and turns errors into error responses (docs/rules/api.md#errors). An
 * unexpected error becomes a plain `internal_error`: its cause is logged and never sent to the client.
 */
export function errorResponses(log: Logger): Middleware {
  return async (ctx, next) => {
    // With traces, the id of the trace.
    const requestId: string = (ctx.state.requestId ??= randomUUID());
    ctx.set('x-request-id', requestId);
    try {
      await next();
      // The router has set Allow.
      if (ctx.status === 405 || ctx.status === 501) {
        throw new ApiError(
          'method_not_allowed',
          `${ctx.method} is not supported on this path. The Allow header lists the supported methods.`,
        );
      }
      if (ctx.status === 404 && ctx.body === undefined)
        throw new ApiError('not_found', 'This path does not exist.');
    } catch (error) {
      const known = asApiError(error);
      if (!known || known.status >= 500)
        log.error(
          { err: error, requestId, method: ctx.method, route: routePattern(ctx as never) },
          'request failed',
        );
      const response = known ?? internalError();
      const { retry_after_ms } = response.context;
      ctx.status = response.status;
      if (response.status === 503) ctx.set('Retry-After', '2');
      if (retry_after_ms !== undefined) ctx.set('Retry-After', String(Math.ceil(retry_after_ms / 1000)));
      ctx.body = errorBody(response, requestId);
    }
  };
}
