import type { ApiResponse } from './api-response.js';
import { until } from './until.js';

/**
 * Payments of an account are paused until it has been read again, and tests of lost rows trigger that for
 * other accounts too.
 */
const isRecovering = ({ body }: ApiResponse<unknown>): boolean =>
  (body as { error?: { details?: { reason?: string } } } | null)?.error?.details?.reason === 'recovering';

/**
 * The response to a repeatable request: the first one that mentions no recovery. On a stack whose processes
 * tests kill, the first response that is not a 5xx, as for a client; elsewhere a 5xx is an error immediately.
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
