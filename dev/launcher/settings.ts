import { LaunchProblem } from './problem.js';

/** The launcher's own settings, read from the environment. */
export interface LauncherSettings {
  home: string;
  ports: Record<PortName, number>;
  apiProcesses: number;
  workerProcesses: number;
  /** The following settings each replace a part that the launcher otherwise starts. */
  databaseUrl?: string;
  /** The owner's URL, if `databaseUrl` is for the service's role. */
  databaseOwnerUrl?: string;
  temporalAddress?: string;
  temporalNamespace: string;
  stripeSecretKey?: string;
  xeroClientId?: string;
}

const DEFAULT_PORTS = {
  PORT: 8080,
  INTERNAL_PORT: 0,
  POSTGRES_PORT: 5442,
  TEMPORAL_PORT: 7243,
  TEMPORAL_UI_PORT: 8243,
  PROCESSOR_PORT: 8181,
  ACCOUNTING_PORT: 8126,
  MAIL_PORT: 8125,
  SMTP_PORT: 2525,
};
export type PortName = keyof typeof DEFAULT_PORTS;

function wholeNumber(name: string, fallback: number, most: number): number {
  const given = process.env[name];
  if (given === undefined || given === '') return fallback;
  const value = Number(given);
  if (Number.isInteger(value) && value >= 0 && value <= most) return value;
  throw new LaunchProblem(`${name} is "${given}": set it to a whole number from 0 to ${most}.`);
}

/** Reads the launcher's settings. */
export function readSettings(): LauncherSettings {
  const { env } = process;
  const names = Object.keys(DEFAULT_PORTS) as PortName[];
  return {
    home: env.HOLDFAST_HOME || '.holdfast',
    ports: Object.fromEntries(
      names.map((name) => [name, wholeNumber(name, DEFAULT_PORTS[name], 65_535)]),
    ) as never,
    apiProcesses: Math.max(1, wholeNumber('API_PROCESSES', 1, 16)),
    workerProcesses: Math.max(1, wholeNumber('WORKER_PROCESSES', 1, 16)),
    databaseUrl: env.DATABASE_URL || undefined,
    databaseOwnerUrl: (env.DATABASE_URL && env.DATABASE_OWNER_URL) || undefined,
    temporalAddress: env.TEMPORAL_ADDRESS || undefined,
    temporalNamespace: env.TEMPORAL_NAMESPACE || 'default',
    stripeSecretKey: env.STRIPE_SECRET_KEY || undefined,
    xeroClientId: env.XERO_CLIENT_ID || undefined,
  };
}

/**
 * Returns the settings of a stack that leaves `npm start` alone: any free ports, another folder, whose name
 * ends in `-name`, and none of the services that replace a part.
 */
export function separateSettings(name: string): LauncherSettings {
  const { home, apiProcesses, workerProcesses } = readSettings();
  const ports = { ...DEFAULT_PORTS };
  for (const port of Object.keys(ports) as PortName[]) ports[port] = 0;
  return { home: `${home}-${name}`, ports, apiProcesses, workerProcesses, temporalNamespace: 'default' };
}
