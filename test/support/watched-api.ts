import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { startApi, type ApiProcess } from './api-process.js';
import { ACCOUNTING_SETTINGS } from './own-service.js';
import { LEAN } from '../../dev/launcher/service-parts.js';
import { dev } from './stack.js';
import type { Watch } from './watch-loop.js';

export interface WatchedApi extends ApiProcess {
  /**
   * The longest time, in ms of CPU at normal speed, that the event loop of the process was blocked while
   * `work` ran, and its result.
   */
  during<T>(work: () => Promise<T>): Promise<{ block: number; result: T }>;
  /** Blocks the event loop of the process once. */
  block(ms: number): Promise<void>;
}

/**
 * Starts another API process of the stack: with its secrets, as in production, and almost without rate
 * limits.
 */
export async function startWatchedApi(): Promise<WatchedApi> {
  const home = dirname(process.env.HOLDFAST_DEV_JSON!);
  const { encryptionKey } = JSON.parse(readFileSync(join(home, 'secrets.json'), 'utf8'));
  const api = await startApi(
    {
      ...ACCOUNTING_SETTINGS,
      ENCRYPTION_KEY: process.env.ENCRYPTION_KEY || encryptionKey,
      PUBLIC_URL: dev.baseUrl,
      PICTURES_FOLDER: join(home, 'pictures'),
      ALLOW_PRIVATE_WEBHOOKS: 'true',
      RATE_LIMIT_SCALE: '10000',
    },
    [...LEAN, '--import', new URL('watch-loop.js', import.meta.url).href],
  );
  const ask = async (message: Watch): Promise<number> => {
    const answer = once(api.child, 'message');
    api.child.send(message);
    return ((await answer)[0] as { watched: number }).watched;
  };
  return {
    ...api,
    async during(work) {
      await ask({ watch: 'start' });
      const result = await work();
      return { result, block: await ask({ watch: 'read' }) };
    },
    async block(ms) {
      await ask({ watch: 'block', ms });
    },
  };
}
