import { randomBytes } from 'node:crypto';
import { client, type ApiClient } from './api-client.js';
import type { ApiResponse } from './api-response.js';
import { db } from './stack.js';
import { startApi } from './api-process.js';
import { once } from './once.js';

// A tenth of every limit: calendar bucket 50 with a refill of one every 6 s, key bucket 60 with one a second,
// address bucket 6 with one every 10 s.
const SETTINGS = {
  RATE_LIMIT_SCALE: '0.1',
  TRUSTED_PROXIES: '1',
  // Both processes sign links with it.
  ENCRYPTION_KEY: randomBytes(32).toString('base64'),
};
// A fiftieth: calendar bucket 10 with a refill of one every 30 s, key bucket 12, throttled bucket 1.
const STRICTER = { RATE_LIMIT_SCALE: '0.02' };
/** API processes with lower limits: two with a tenth, one with a fiftieth. */
export const addresses = once(async () => {
  const [here, there, strict] = await Promise.all(
    [SETTINGS, SETTINGS, STRICTER].map((settings) => startApi(settings)),
  );
  const { baseUrl, internalUrl } = here!;
  return { here: baseUrl, internalUrl, there: there!.baseUrl, strict: strict!.baseUrl };
});

/** The client of the same token at another process. */
export const on = (base: string, { token }: ApiClient): ApiClient => client(token, base);
/** The size of the bucket, and its remaining tokens. */
export const readLimit = ({ headers }: ApiResponse): number[] =>
  ['limit', 'remaining'].map((name) => Number(headers.get(`x-ratelimit-${name}`)));
export const anyAddress = (): string => `100.64.${randomBytes(1)[0]}.${randomBytes(1)[0]}`;

/** The id of a workspace's first key. */
export const firstKeyId = async (workspaceId: string): Promise<string> =>
  (await db.query(`SELECT id FROM api_keys WHERE workspace_id = $1 ORDER BY created_at`, [workspaceId]))[0]
    .id;
