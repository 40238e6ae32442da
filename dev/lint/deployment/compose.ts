import { parse } from 'yaml';
import { SERVER_SETTINGS } from '../../launcher/temporal.js';
import { differences, edited, unless, type Rule } from '../rule.js';
import { readCompose, sourcePath, readVariables } from './manifests.js';
import { defaults, PROCESSES, settingFaults, type Process } from './settings.js';

const COMPOSE = 'compose.yaml';
/** The key of each Temporal client, and Temporal's own. */
const KEYS: Record<string, string> = {
  ...Object.fromEntries(['api', 'worker', 'prepare'].map((name) => [name, 'service.key'])),
  temporal: 'temporal.key',
  'temporal-ui': 'temporal-ui.key',
};

/** compose.yaml starts existing processes with existing settings, and gives each only what it needs. */
export const compose: Rule = {
  name: 'compose.yaml',
  *check(tree) {
    const { services, secrets } = readCompose(tree);
    const shared = readVariables(tree, 'ops/compose/holdfast.env');
    const has = (value: unknown, expected: object): Iterable<string> =>
      differences(
        COMPOSE,
        Object.fromEntries(
          Object.keys(expected).map((key) => [key, (value as Record<string, unknown>)[key]]),
        ),
        expected,
      );
    for (const name of Object.keys(PROCESSES) as Process[]) {
      const { command, environment, depends_on } = services[name]!;
      yield* unless(
        tree.has(sourcePath(command)),
        `${COMPOSE}: ${name} starts ${command[0]}, which does not exist`,
      );
      yield* settingFaults(COMPOSE, name, { ...shared, ...environment });
      for (const other of Object.keys(depends_on))
        yield* unless(other in services, `${COMPOSE}: ${name} depends on ${other}, which does not exist`);
      yield* has(services[name], { read_only: true, security_opt: ['no-new-privileges:true'] });
    }
    for (const [name, { cap_drop, volumes = [], environment = {} }] of Object.entries(services)) {
      yield* differences(`${COMPOSE}: cap_drop of ${name}`, cap_drop, ['ALL']);
      for (const volume of volumes)
        yield* unless(
          !volume.startsWith('./') || tree.has(volume.slice(2).split(':')[0]!),
          `${COMPOSE}: ${volume} does not exist`,
        );
      yield* unless(
        name === 'postgres' || !JSON.stringify(environment).includes('${POSTGRES_PASSWORD'),
        `${COMPOSE}: ${name} has the superuser`,
      );
    }

    const scraped = parse(tree.read('ops/prometheus/prometheus.yaml')).scrape_configs as {
      dns_sd_configs: [{ names: [string]; port: number }];
    }[];
    for (const { dns_sd_configs } of scraped) {
      const [{ names, port }] = dns_sd_configs;
      yield* unless(
        names[0] in services && [shared.METRICS_PORT, shared.METRICS_SDK_PORT].includes(String(port)),
        `ops/prometheus/prometheus.yaml: there is no ${names[0]}:${port}`,
      );
    }
    const caddyfile = tree.read('ops/compose/Caddyfile');
    const [, keptByProxy] = /keepalive (\d+)s/.exec(caddyfile)!;
    yield* unless(
      Number(defaults.get('KEEP_ALIVE_SECONDS')) > Number(keptByProxy),
      'ops/compose/Caddyfile: the proxy has to be the one that closes an idle connection',
    );
    yield* unless(
      !/dynamic a[^]*health_/.test(caddyfile),
      'ops/compose/Caddyfile: Caddy does not check dynamic upstreams',
    );
    const backup = services.backup!;
    yield* unless(
      backup.volumes!.includes('backup:/backup') &&
        backup.volumes!.includes('./ops/backup/backup.sh:/backup.sh:ro'),
      `${COMPOSE}: the dumps are kept on a volume`,
    );
    yield* has(backup.environment, {
      DATABASE_OWNER_URL: services.migrate!.environment.DATABASE_OWNER_URL,
    });
    yield* unless(
      services.prometheus!.volumes!.includes('prometheus:/prometheus') &&
        services.prometheus!.command.includes('--storage.tsdb.path=/prometheus'),
      `${COMPOSE}: Prometheus keeps its data on a volume`,
    );

    // Twice as many while a release replaces them.
    const processes = (['api', 'worker'] as const).map((name) => 2 * services[name].deploy.replicas);
    const ours = (processes[0]! + processes[1]!) * Number(defaults.get('DATABASE_POOL_SIZE'));
    // Temporal's image runs four services, each with 20 connections to its default store and 10 to the
    // visibility store.
    const temporal = 4 * (20 + 10);
    const [, limit] = /max_connections=(\d+)/.exec(services.postgres.command.join(' '))!;
    yield* unless(
      Number(limit) >= ours + temporal,
      `${COMPOSE}: ${limit} connections for ${ours + temporal}`,
    );

    const roles = tree.read('ops/compose/create-roles.sh');
    for (const line of [
      "CREATE ROLE temporal LOGIN PASSWORD :'temporal_password';",
      ...['temporal', 'temporal_visibility'].map((name) => `CREATE DATABASE ${name} OWNER temporal;`),
      ...['holdfast', 'temporal', 'temporal_visibility'].map(
        (name) => `REVOKE CONNECT ON DATABASE ${name} FROM PUBLIC;`,
      ),
    ])
      yield* unless(roles.split('\n').includes(line), `ops/compose/create-roles.sh: ${line} is missing`);
    yield* unless(
      roles.includes('--set temporal_password="$TEMPORAL_PASSWORD"'),
      'ops/compose/create-roles.sh: the password of temporal is missing',
    );
    const password = '${TEMPORAL_PASSWORD:?}';
    yield* has(services.postgres.environment, { TEMPORAL_PASSWORD: password });
    yield* has(services.temporal!.environment, {
      POSTGRES_USER: 'temporal',
      POSTGRES_PWD: password,
      SKIP_DB_CREATE: true,
      TEMPORAL_TLS_REQUIRE_CLIENT_AUTH: true,
      TEMPORAL_TLS_FRONTEND_SERVER_NAME: 'temporal',
      TEMPORAL_TLS_INTERNODE_SERVER_NAME: 'temporal',
    });
    yield* has(services['temporal-ui']!.environment, { TEMPORAL_TLS_ENABLE_HOST_VERIFICATION: true });
    for (const [name, { secrets: given = [], environment = {} }] of Object.entries(services)) {
      const all = KEYS[name] === 'service.key' ? { ...shared, ...environment } : environment;
      const named = Object.values(all).flatMap(
        (value) => /^\/run\/secrets\/(.*)$/.exec(String(value))?.[1] ?? [],
      );
      yield* differences(`${COMPOSE}: secrets of ${name}`, [...new Set(named)], given);
      const keys = given.filter((secret) => secret.endsWith('.key'));
      yield* differences(`${COMPOSE}: keys of ${name}`, keys, KEYS[name] ? [KEYS[name]] : []);
    }
    for (const [name, { file }] of Object.entries(secrets))
      yield* differences(`${COMPOSE}: ${name}`, file, `.certificates/${name.replace('temporal-ca', 'ca')}`);

    const { environment, volumes } = services.temporal!;
    yield* unless(
      volumes!.includes(`./ops/compose/temporal.yaml:${environment.DYNAMIC_CONFIG_FILE_PATH}:ro`),
      `${COMPOSE}: Temporal has no ops/compose/temporal.yaml`,
    );
    // As often as the launcher's Temporal reads its queues.
    const polls = Object.entries(SERVER_SETTINGS).filter(([name]) => name.endsWith('ProcessorMaxPollRPS'));
    yield* differences(
      'ops/compose/temporal.yaml',
      parse(tree.read('ops/compose/temporal.yaml')),
      Object.fromEntries(polls.map(([name, value]) => [name, [{ value }]])),
    );
  },
  refused: [
    edited(COMPOSE, 'cap_drop: [ALL]', 'cap_drop: []'),
    edited(COMPOSE, 'build/worker/main.js', 'build/worker/gone.js'),
    edited(COMPOSE, /max_connections=\d+/, 'max_connections=100'),
    edited('ops/compose/holdfast.env', /^METRICS_PORT=/m, 'METRIC_PORT='),
    edited(
      'ops/compose/create-roles.sh',
      'REVOKE CONNECT ON DATABASE temporal FROM',
      'GRANT CONNECT ON DATABASE temporal TO',
    ),
  ],
};
