import { DefaultLogger, Runtime } from '@temporalio/worker';
import type { Logger } from 'pino';

/**
 * Configures the SDK of this process: warnings and errors of the SDK, including its native core, go to `log`.
 * With an address, its metrics are served there for Prometheus. Must be called before anything else in the
 * SDK.
 */
export function installRuntime(log: Logger, metricsAddress: string | null): void {
  Runtime.install({
    logger: new DefaultLogger('WARN', ({ level, message, meta }) => {
      log[level === 'ERROR' ? 'error' : 'warn'](meta ?? {}, message);
    }),
    telemetryOptions: {
      logging: { filter: { core: 'WARN', other: 'ERROR' }, forward: {} },
      ...(metricsAddress && {
        metrics: {
          prometheus: { bindAddress: metricsAddress, useSecondsForDurations: true, unitSuffix: true },
        },
      }),
    },
  });
}
