import { fork, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { REQUIRED_SETTINGS } from './settings.js';
import { dev } from './stack.js';

export interface ApiProcess {
  baseUrl: string;
  /** Where it serves internal actions. */
  internalUrl: string;
  child: ChildProcess;
  stop(): void;
}

/**
 * Starts another API process on the stack's database with other settings. It ends with the test process at
 * the latest. `options` are those of Node.js.
 */
export async function startApi(
  settings: Record<string, string>,
  options: string[] = [],
): Promise<ApiProcess> {
  const child = fork(fileURLToPath(new URL('../../api/main.js', import.meta.url)), {
    execArgv: [...process.execArgv, ...options],
    env: {
      ...process.env,
      ...REQUIRED_SETTINGS,
      DATABASE_URL: dev.databaseUrl,
      TEMPORAL_ADDRESS: dev.temporalAddress,
      TEMPORAL_NAMESPACE: dev.temporalNamespace,
      INTERNAL_TOKEN: dev.internalToken,
      ENCRYPTION_KEY: randomBytes(32).toString('base64'),
      ALLOW_HTTP: 'true',
      HOST: '127.0.0.1',
      PORT: '0',
      INTERNAL_PORT: '0',
      LOG_LEVEL: 'error',
      ...settings,
    },
  });
  const [message] = (await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => {
      throw new Error(`The API process ended with exit code ${code}.`);
    }),
  ])) as [{ port: number; internalPort: number }];
  const [baseUrl, internalUrl] = [message.port, message.internalPort].map(
    (port) => `http://127.0.0.1:${port}`,
  );
  return { baseUrl: baseUrl!, internalUrl: internalUrl!, child, stop: () => child.disconnect() };
}
