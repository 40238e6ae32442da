import {
  loadApiConfig,
  loadDatabaseConfig,
  loadDeployConfig,
  loadWorkerConfig,
} from '../../../config/config.js';
import { SECRETS } from '../../../config/secret-files.js';
import { listSettings } from '../../../config/settings.js';
import { differences, edited, unless, type Rule, type Tree } from '../rule.js';
import { readCompose, readVariables } from './manifests.js';

const known = listSettings();
/** The default of each setting. */
export const defaults = new Map(known.map((setting) => [setting.name, setting.default]));

/** How each process reads its settings, and the secrets of others that it does not get. */
export const PROCESSES = {
  api: [loadApiConfig, 'SMTP_URL', 'XERO_CLIENT_SECRET', 'STRIPE_SECRET_KEY'],
  worker: [
    loadWorkerConfig,
    'INTERNAL_TOKEN',
    'STRIPE_PLATFORM_WEBHOOK_SECRET',
    'STRIPE_CONNECT_WEBHOOK_SECRET',
  ],
  migrate: [loadDatabaseConfig, ...SECRETS.filter((name) => !name.startsWith('DATABASE'))],
  prepare: [loadDeployConfig, ...SECRETS.filter((name) => name !== 'STRIPE_SECRET_KEY')],
} as const;
export type Process = keyof typeof PROCESSES;

/** Values that an operator fills in, where a name alone is not valid. */
const FILLED_IN: Record<string, string> = {
  ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
  INTERNAL_TOKEN: 'at least 16 characters',
  SMTP_URL: 'smtp://127.0.0.1',
  DATABASE_URL: 'postgres://postgres/holdfast',
  DATABASE_OWNER_URL: 'postgres://postgres/holdfast',
  WEBHOOK_PROXY_URL: 'http://proxy:4750',
  OPERATOR_EMAILS: 'ops@example.com',
  RECOVER_SINCE: '2026-01-01T00:00:00Z',
  STRIPE_PLATFORM_CHANGED_TO: 'acct_1',
  SECURITY_CONTACT: 'mailto:security@example.com',
  ...Object.fromEntries(
    [
      'ACCOUNTING_SIMULATOR_URL',
      'OTEL_EXPORTER_OTLP_ENDPOINT',
      'PICTURES_S3_ENDPOINT',
      'STRIPE_API_URL',
      'TEMPORAL_UI_URL',
    ].map((name) => [name, 'https://example.com']),
  ),
};
/** Files that exist in the container. */
const OF_FILES = /^TEMPORAL_(API_KEY_FILE|API_KEY|TLS.*|CONFIG_FILE|PROFILE)$/;

/**
 * The settings that a process needs to start and lacks in an environment, and the secrets of others that it
 * has.
 */
export function* settingFaults(
  where: string,
  name: Process,
  environment: Record<string, string | null>,
): Iterable<string> {
  const [load, ...others] = PROCESSES[name];
  for (const other of others) yield* unless(!(other in environment), `${where}: ${name} has ${other}`);
  yield* differences(
    `${where}: ${name} has DATABASE_OWNER_URL`,
    'DATABASE_OWNER_URL' in environment,
    name === 'migrate',
  );
  for (const setting of Object.keys(environment))
    yield* unless(
      defaults.has(setting) || setting === 'NODE_OPTIONS',
      `${where}: ${name}: ${setting} is not a setting`,
    );
  const given = Object.entries(environment)
    .filter(([setting]) => !OF_FILES.test(setting))
    .map(([setting, value]) => [
      setting,
      FILLED_IN[setting] ??
        String(value ?? defaults.get(setting) ?? 'filled').replace(/\$\{[^}]*\}/g, 'filled'),
    ]);
  try {
    load(Object.fromEntries(given));
  } catch (error) {
    yield `${where}: ${name}: ${(error as Error).message}`;
  }
}

const COMPOSE = 'compose.yaml';
const SETTINGS = 'ops/kubernetes/settings.env';

/** Commented settings in settings.env, with their default. */
export const optionalSettings = (tree: Tree): Record<string, string> =>
  Object.fromEntries(
    [...tree.read(SETTINGS).matchAll(/^# ([A-Z0-9_]+)=(.*)$/gm)].map(([, name, value]) => [name!, value!]),
  );

/** Every setting is in both deployment methods, and reaches the processes that read it. */
export const deployedSettings: Rule = {
  name: 'deployed settings',
  *check(tree) {
    const { services } = readCompose(tree);
    const fixed = Object.keys(readVariables(tree, 'ops/compose/holdfast.env'));
    const ofCompose = new Set([
      ...fixed,
      ...['api', 'worker', 'migrate'].flatMap((name) => Object.keys(services[name]!.environment)),
    ]);
    const kubernetes = ['settings.env', 'secrets.sh', 'api.yaml', 'worker.yaml']
      .map((file) => tree.read(`ops/kubernetes/${file}`))
      .join('\n');
    for (const { name } of known) {
      yield* unless(ofCompose.has(name), `${COMPOSE}: ${name} is missing`);
      yield* unless(new RegExp(`\\b${name}\\b`).test(kubernetes), `ops/kubernetes: ${name} is missing`);
    }
    for (const [name, value] of Object.entries(optionalSettings(tree)))
      yield* differences(
        `${tree.at(SETTINGS, `# ${name}=`)}: the default of ${name}`,
        value,
        defaults.has(name) ? (defaults.get(name) ?? '') : 'none: it is not a setting',
      );

    // Settings without a value there come from .env.
    for (const name of ['api', 'worker'])
      for (const setting of ['RECOVER_SINCE', 'PICTURES_S3_BUCKET', 'OPERATOR_EMAILS', 'SECURITY_CONTACT'])
        yield* differences(`${COMPOSE}: ${setting} of ${name}`, services[name]!.environment[setting], null);
    yield* differences(
      `${COMPOSE}: WEBHOOK_PROXY_URL of worker`,
      services.worker.environment.WEBHOOK_PROXY_URL,
      null,
    );
    const { HOLDFAST_HOST } = services.proxy!.environment;
    for (const name of ['api', 'worker', 'prepare'])
      yield* differences(
        `${COMPOSE}: PUBLIC_URL of ${name}`,
        services[name]!.environment.PUBLIC_URL,
        `https://${HOLDFAST_HOST}`,
      );
    for (const name of Object.keys(PROCESSES))
      for (const setting of Object.keys(services[name]!.environment))
        yield* unless(!fixed.includes(setting), `${COMPOSE}: ${setting} is set twice for ${name}`);
    const guide = tree.read('docs/guides/install.md');
    for (const [, name] of tree.read(COMPOSE).matchAll(/\$\{(\w+)/g))
      yield* unless(
        defaults.has(name!) || guide.includes(`\`${name}\``),
        `docs/guides/install.md: ${name} of ${COMPOSE} is missing`,
      );
  },
  refused: [
    edited(SETTINGS, '# LOG_LEVEL=info', '# LOG_LEVEL=debug'),
    edited('ops/compose/holdfast.env', /^METRICS_PORT=.*$/m, ''),
  ],
};
