import { readFileSync } from 'node:fs';
import type { TLSConfig } from '@temporalio/common/lib/internal-non-workflow/index.js';
import { loadClientConfigProfile, toClientOptions, type ClientConfigProfile } from '@temporalio/envconfig';
import joi from 'joi';

const text = () => joi.string().empty('');

/**
 * The settings that Temporal's own tools also use. `TEMPORAL_GRPC_META_*` are further ones, and
 * `TEMPORAL_CONFIG_FILE` can contain all of them. A variable takes precedence over the file.
 */
export const TEMPORAL_SETTINGS = {
  TEMPORAL_ADDRESS: text().default('127.0.0.1:7233').description('Host and port of the Temporal frontend.'),
  TEMPORAL_NAMESPACE: text().default('default').description('Namespace.'),
  TEMPORAL_API_KEY: text().description('API key. Implies TLS.'),
  TEMPORAL_API_KEY_FILE: text().description(
    'File with the API key. It is read again within 10 s of a change.',
  ),
  TEMPORAL_TLS: joi
    .boolean()
    .sensitive()
    .truthy('1')
    .falsy('0')
    .empty('')
    .description(
      '`true` for TLS with public certificates, `false` for no TLS. By default, TLS is used with an ' +
        'API key or one of the next settings.',
    ),
  TEMPORAL_TLS_CLIENT_CERT_PATH: text().description('File with the client certificate (PEM), for mTLS.'),
  TEMPORAL_TLS_CLIENT_CERT_DATA: text().description('The client certificate itself, instead of a file.'),
  TEMPORAL_TLS_CLIENT_KEY_PATH: text().description('File with the key of the client certificate (PEM).'),
  TEMPORAL_TLS_CLIENT_KEY_DATA: text().description('The key itself, instead of a file.'),
  TEMPORAL_TLS_SERVER_CA_CERT_PATH: text().description(
    "File with the server's certificate authority, if it is a private one.",
  ),
  TEMPORAL_TLS_SERVER_CA_CERT_DATA: text().description('The authority itself, instead of a file.'),
  TEMPORAL_TLS_SERVER_NAME: text().description(
    "Name in the server's certificate, if it is not that of the address.",
  ),
  TEMPORAL_CONFIG_FILE: text().description(
    "TOML file with these settings, as Temporal's CLI uses it. Environment variables take precedence. " +
      'No file is read unless this variable or `TEMPORAL_PROFILE` is set.',
  ),
  TEMPORAL_PROFILE: text().description('Profile in that file.'),
};

/** How to connect to a Temporal service, for both `Connection` and `NativeConnection`. */
export interface TemporalConnection {
  options: { address: string; tls?: TLSConfig | boolean; metadata?: Record<string, string> };
  namespace: string;
  /** Returns the current API key, which is read again when its file changes. Null without an API key. */
  apiKey: (() => string) | null;
}

/** How long a key is used before its file is read again. */
const KEY_FRESH_MS = 10_000;

/**
 * Reads the connection from the environment. A configuration file is read only if `TEMPORAL_CONFIG_FILE` or
 * `TEMPORAL_PROFILE` is set, so that a file in the home directory of the user who starts a process has no
 * effect. Throws if a file cannot be read, or a client certificate has no key.
 */
export function readTemporalConnection(env: NodeJS.ProcessEnv): TemporalConnection {
  const given = Object.fromEntries(
    Object.entries(env).filter(([name, value]) => name.startsWith('TEMPORAL_') && value),
  ) as Record<string, string>;
  const load = (): ClientConfigProfile => {
    const profile = loadClientConfigProfile({
      overrideEnvVars: given,
      disableFile: !given.TEMPORAL_CONFIG_FILE && !given.TEMPORAL_PROFILE,
    });
    const file = given.TEMPORAL_API_KEY_FILE;
    return file ? { ...profile, apiKey: readFileSync(file, 'utf8').trim() } : profile;
  };
  const profile = load();
  if (Boolean(profile.tls?.clientCert) !== Boolean(profile.tls?.clientKey))
    throw new Error('a TLS client certificate and its key are needed together');
  const { connectionOptions } = toClientOptions(profile);
  return {
    options: {
      address: profile.address ?? '127.0.0.1:7233',
      tls: connectionOptions.tls ?? false,
      ...(profile.grpcMeta && { metadata: profile.grpcMeta }),
    },
    namespace: profile.namespace ?? 'default',
    apiKey: profile.apiKey ? keepFresh(profile.apiKey, () => load().apiKey) : null,
  };
}

/**
 * Returns a function for the current key. If the file is missing or empty for a moment, for example while it
 * is being replaced, the key stays the same.
 */
export function keepFresh(
  first: string,
  read: () => string | undefined,
  now: () => number = Date.now,
): () => string {
  let key = first;
  let readAt = now();
  return () => {
    if (now() - readAt >= KEY_FRESH_MS) {
      readAt = now();
      try {
        key = read() || key;
      } catch {
        // The last key that was read still applies.
      }
    }
    return key;
  };
}

/**
 * Calls `use` with each new API key until it is stopped, because a `NativeConnection` takes a key and not a
 * function. Returns the function that stops it.
 */
export function followApiKey(
  { apiKey }: TemporalConnection,
  use: (key: string) => Promise<void>,
  onError: (error: unknown) => void,
  everyMs = KEY_FRESH_MS,
): () => void {
  if (!apiKey) return () => undefined;
  let current = apiKey();
  const timer = setInterval(() => {
    const key = apiKey();
    if (key === current) return;
    current = key;
    use(key).catch(onError);
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}
