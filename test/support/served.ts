import type { ApiResponse } from './api-response.js';
import { until } from './until.js';

/**
 * Payments of an account are paused until it has been read again: tests of lost rows have
 * that read of others too.
 */
const isRecovering = ({ body }: ApiResponse<unknown>): boolean =>
  (body as { error?: { details?: { reason?: string } } } | null)?.error?.details?.reason === 'recovering';

/**
 * The response to a request that may be repeated: the first one that says nothing of a recovery. On a stack
 * whose processes tests kill, that of the first request that no 5xx refuses, as a client would do; elsewhere
 * a 5xx is an error at once.
 */
export async function served<Body>(ask: () => Promise<ApiResponse<Body>>): Promise<ApiResponse<Body>> {
  if (process.env.HOLDFAST_OUTAGES)
    return until(async () => {
      const response = await ask();
      return response.status < 500 && response;
    });
  const { status, ...response } = await until(async () => {
    const response = await ask();
    return !isRecovering(response) && response;
  });
  if (status >= 500) throw new Error(`${ask.toString()} returned ${status} ${JSON.stringify(response.body)}`);
  return { status, ...response };
}
