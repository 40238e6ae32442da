import type { Tracer } from '@opentelemetry/api';
import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import type { DataSource } from 'typeorm';
import type { Encryption } from '../db/encryption.js';
import type { InviteLinks, PayLinks, ReturnSecrets, SignedLinks } from '../db/signed-links.js';
import type { Publications } from '../db/publications.js';
import type { ManageLinks } from '../db/manage-links.js';
import type { Buckets, MailQuotas } from '../domain/api-keys/limits.js';
import type { ProofsOfWork } from './proofs-of-work.js';
import type { Quotas } from '../domain/workspaces/quotas.js';
import type { HttpMetrics } from '../ops/metrics/http.js';
import type { AuthenticatePublishable } from '../commands/api-keys/authenticate-publishable.js';
import type { AuthenticateAndLimit } from '../commands/api-keys/authenticate-and-limit.js';
import type { ResponseCache } from './http/response-cache.js';
import type { PictureStore } from '../commands/rooms/pictures/store.js';

/**
 * Fetches a URL that an owner has entered, under the rules for webhook receivers. Rejects if the URL is not
 * allowed, does not respond within 5 s, or responds with more than 256 kB.
 */
export type ProviderFetch = (
  url: string,
  request?: { method?: string; headers?: Record<string, string>; body?: string },
) => Promise<Response>;

/** Everything the API's handlers depend on; `main.ts` builds it from the configuration. */
export interface ApiDependencies {
  db: DataSource;
  publications: Publications;
  temporal: Client;
  taskQueue: string;
  log: Logger;
  metrics: HttpMetrics;
  /** Null without traces. */
  tracer: Tracer | null;
  /** True once the process has been told to stop: load balancers must send requests to others. */
  isDraining(): boolean;
  publicUrl: string;
  /** Null disables the internal endpoint. */
  internalToken: string | null;
  webhookSecrets: { platform: string; connect: string };
  allowHttp: boolean;
  trustedProxies: number;
  encryption: Encryption;
  /** True if an app is registered with the accounting system. */
  hasAccounting: boolean;
  /** Address of the accounting simulator's controls; null outside of development. */
  accountingSimulatorUrl: string | null;
  inviteLinks: InviteLinks;
  manageLinks: ManageLinks;
  payLinks: PayLinks;
  proofLinks: SignedLinks;
  returnSecrets: ReturnSecrets;
  feedLinks: SignedLinks;
  proofs: ProofsOfWork;
  allowPrivateWebhooks: boolean;
  /** Multiplies the delays of outgoing webhooks. */
  webhookRetryScale: number;
  /** Fetches from the identity providers of workspaces. */
  providerFetch: ProviderFetch;
  /** Resolves a host name to its addresses; rejects if it has none. */
  resolveHost(host: string): Promise<string[]>;
  authenticateAndLimit: AuthenticateAndLimit;
  authenticatePublishable: AuthenticatePublishable;
  /** The sizes and rates of the buckets for pages. */
  buckets: Buckets;
  mailQuotas: MailQuotas;
  /** How many objects a workspace may have. */
  quotas: Quotas;
  /** The responses of `GET /v1/availability` in the current minute. */
  writtenAvailability: ResponseCache;
  /** Where uploaded pictures are; null if uploads are not set up. */
  pictures: PictureStore | null;
  temporalUiUrl: string | null;
  /** Where to report a vulnerability. */
  securityContact: string | null;
  /** The addresses, in lower case, of the people who run the service, to whom the dashboard links it. */
  operatorEmails: readonly string[];
}
