import { postgresUrl } from './postgres.js';
import type { Ports } from './ports.js';
import type { LauncherSettings } from './settings.js';

/** Addresses of the parts. Null where a setting replaces the part and its address is not needed. */
export interface Addresses {
  baseUrl: string;
  baseUrls: string[];
  /** Where the first API process serves internal actions. */
  internalUrl: string;
  /** The owner's URL. The service runs as another role. */
  databaseUrl: string;
  temporalAddress: string;
  temporalNamespace: string;
  temporalUiUrl: string | null;
  processorUrl: string | null;
  accountingUrl: string | null;
  mailUrl: string;
}

const at = (port: number): string => `http://127.0.0.1:${port}`;

/** The addresses of a stack with these ports. */
export function stackAddresses(
  settings: LauncherSettings,
  ports: Ports,
  databasePassword: string,
): Addresses {
  const { named, api } = ports;
  return {
    baseUrl: at(named.PORT),
    baseUrls: api.map(at),
    internalUrl: at(named.INTERNAL_PORT),
    databaseUrl:
      settings.databaseOwnerUrl ?? settings.databaseUrl ?? postgresUrl(named.POSTGRES_PORT, databasePassword),
    temporalAddress: settings.temporalAddress ?? `127.0.0.1:${named.TEMPORAL_PORT}`,
    temporalNamespace: settings.temporalNamespace,
    temporalUiUrl: settings.temporalAddress
      ? process.env.TEMPORAL_UI_URL || null
      : at(named.TEMPORAL_UI_PORT),
    processorUrl: settings.stripeSecretKey ? null : at(named.PROCESSOR_PORT),
    accountingUrl: settings.xeroClientId ? null : at(named.ACCOUNTING_PORT),
    mailUrl: at(named.MAIL_PORT),
  };
}
