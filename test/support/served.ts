import type { ApiResponse } from './api-response.js';
import { until } from './until.js';

/**
 * The response to a repeatable request. On the stack whose processes tests kill, the first response that is
 * not a 5xx, as for a client. Elsewhere the only response, and a 5xx is an error: a test that causes one
 * waits for its end itself.
 */
export async function served<Body>(ask: () => Promise<ApiResponse<Body>>): Promise<ApiResponse<Body>> {
  if (process.env.HOLDFAST_OUTAGES)
    return until(async () => {
      const response = await ask();
      return response.status < 500 && response;
    });
  const response = await ask();
  if (response.status >= 500)
    throw new Error(`${ask.toString()} returned ${response.status} ${JSON.stringify(response.body)}`);
  return response;
}
