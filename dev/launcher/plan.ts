import { join } from 'node:path';
import { stackAddresses, type Addresses } from './addresses.js';
import { prepareFolders, writePrivately, type Home } from './home.js';
import type { Program } from './part.js';
import { choosePorts, type Ports } from './ports.js';
import { proxyHeaders } from './proxy.js';
import type { Report } from './report.js';
import { readSecrets, type Secrets } from './secrets.js';
import { serviceEnvironment } from './service-environment.js';
import type { LauncherSettings } from './settings.js';
import type { Supervisor } from './supervisor.js';
import type { TemporalSettings } from './temporal.js';

export interface StackOptions {
  /** First removes the data of earlier runs. */
  fresh: boolean;
  /**
   * A folder for the data of Postgres and Temporal, used instead of the home. It is removed when the stack
   * has stopped.
   */
  databases?: string;
  /** Settings of the service in addition to those of this process. */
  env?: Record<string, string>;
  /** Node flags for API and worker; by default those of the `api` and `worker` scripts. */
  nodeFlags?: string[];
  /** Counts statements, if the stack starts a Postgres that can. */
  countsStatements?: boolean;
  /** Settings for Postgres and Temporal, if the stack starts them. */
  postgresSettings?: Record<string, string>;
  temporalSettings?: TemporalSettings;
}

/** Everything a start needs: given, or chosen before anything is started. */
export interface Plan {
  settings: LauncherSettings;
  home: Home;
  supervisor: Supervisor;
  report: Report;
  options: StackOptions;
  ports: Ports;
  secrets: Secrets;
  addresses: Addresses;
  /** The service's environment, except for its database role and the secrets of webhook endpoints. */
  environment: Record<string, string>;
  /** The headers that make a request to the API look as if it came through a proxy. */
  proxyHeaders: Record<string, string>;
}

type Given = Pick<Plan, 'settings' | 'home' | 'supervisor' | 'report' | 'options'>;

/** Chooses ports, secrets and addresses, and creates the folders. */
export async function planStart(given: Given): Promise<Plan> {
  const { settings, home, options } = given;
  const ports = await choosePorts(settings, home, options);
  prepareFolders(home, options.fresh);
  writePrivately(home.ports, ports);
  const secrets = readSecrets(home);
  const addresses = stackAddresses(settings, ports, secrets.postgresPassword);
  const env = { PICTURES_FOLDER: home.pictures, ...process.env, ...options.env };
  const environment = serviceEnvironment(settings, ports, addresses, secrets, env);
  return { ...given, ports, secrets, addresses, environment, proxyHeaders: proxyHeaders(environment) };
}

interface Script {
  env?: Record<string, string>;
  /** Flags of Node. */
  flags?: string[];
  args?: string[];
}

/** How to run one of our scripts. */
export const node = (name: string, script: string, { env, flags = [], args = [] }: Script = {}): Program => ({
  name,
  command: process.execPath,
  args: ['--import', './build/ops/source-maps.js', ...flags, join('build', script), ...args],
  env: { ...process.env, ...env },
});
