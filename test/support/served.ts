import type { ApiResponse } from './api-response.js';
import { until } from './until.js';

/**
 * The response to a request that may be repeated. On a stack whose processes tests kill, that of the first request that
 * no 5xx refuses, as a client would do; elsewhere a 5xx is an error at once.
 */
export async function served<Body>(ask: () => Promise<ApiResponse<Body>>): Promise<ApiResponse<Body>> {
  if (process.env.HOLDFAST_OUTAGES)
    return until(async () => {
      const response = await ask();
      return response.status < 500 && response;
    });
  const { status, ...response } = await ask();
  if (status >= 500) throw new Error(`${ask.toString()} returned ${status} ${JSON.stringify(response.body)}`);
  return { status, ...response };
}
