import { readFileSync } from 'node:fs';
import type { Program } from '../../dev/launcher/part.js';
import type { Supervisor } from '../../dev/launcher/supervisor.js';
import { graceMs, type ComposeService } from './deployment.js';

/** An API or worker process. */
export interface ServiceProcess {
  name: string;
  /** The deployment's grace period for stopping, in milliseconds. */
  graceMs: number;
  metrics: string[];
  /** Without the proxy; for a worker, that of its health. */
  url: string;
  /** For an API: where it serves internal actions. */
  internalUrl: string;
  /** Starts it, and waits until the health check of the deployment succeeds. */
  start(): Promise<void>;
  /** Stops it as the deployment does. Returns how it ended. */
  stop(): Promise<string>;
}

/** For requests, internal actions, metrics, and the SDK's metrics. Each container has them to itself. */
export const PORTS_OF_A_PROCESS = 4;

export const at = (port: number): string => `http://127.0.0.1:${port}`;

/** How the image runs an entry point. */
const [, ...FLAGS] = JSON.parse(
  /^ENTRYPOINT (\[.*\])$/m.exec(readFileSync('Dockerfile', 'utf8'))![1]!,
) as string[];

/** A part that runs an entry point. */
export const node = (name: string, command: string[], env: Record<string, string>): Program => ({
  name,
  command: process.execPath,
  args: [...FLAGS, ...command],
  env,
});

/** The processes of a service in compose.yaml, one for each of its replicas. */
export function serviceProcesses(of: {
  kind: 'api' | 'worker';
  service: ComposeService;
  ports: number[];
  env: Record<string, string>;
  supervisor: Supervisor;
}): ServiceProcess[] {
  const { kind, service, ports, env, supervisor } = of;
  return Array.from({ length: service.deploy!.replicas }, (_, n) => {
    const own = ports.slice(n * PORTS_OF_A_PROCESS, (n + 1) * PORTS_OF_A_PROCESS);
    const [port, internal, metrics, sdk] = own as [number, number, number, number];
    const listens = {
      PORT: String(port),
      INTERNAL_PORT: String(internal),
      METRICS_PORT: String(metrics),
      METRICS_SDK_PORT: String(sdk),
    };
    const program = node(`${kind}-${n + 1}`, service.command, { ...env, ...listens });
    const url = at(kind === 'api' ? port : metrics);
    const health = healthPath(service);
    const isReady = (): Promise<boolean> =>
      fetch(url + health).then(
        ({ ok }) => ok,
        () => false,
      );
    return {
      name: program.name,
      graceMs: graceMs(service),
      metrics: [metrics, ...(kind === 'worker' ? [sdk] : [])].map((each) => `${at(each)}/metrics`),
      url,
      internalUrl: at(internal),
      start: () => supervisor.startService({ ...program, isReady }),
      stop: () => supervisor.stopPart(program.name, graceMs(service)),
    };
  });
}

/** The path that a health check in compose.yaml requests. */
function healthPath({ healthcheck }: ComposeService): string {
  const [, path] = /fetch\('http:\/\/127\.0\.0\.1:\d+([^']*)'\)/.exec(healthcheck!.test.join(' '))!;
  return path!;
}
