import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

const read = (path: string): string => readFileSync(path, 'utf8');

/** A service of compose.yaml, with its variables filled in. */
export interface ComposeService {
  image: string;
  /** The entry point and its arguments; for a database server, its arguments. */
  command: string[];
  environment: Record<string, string>;
  stop_grace_period?: string;
  deploy?: { replicas: number };
  healthcheck?: { test: string[] };
}

/** The content of a deployment's files: compose.yaml and ops/compose. */
export interface Deployment {
  services: Record<string, ComposeService>;
  /** Statements that create the roles and the database. */
  roles: string[];
  proxy: { internal: string[] };
  /** How often the proxy checks which processes exist, in milliseconds. */
  refreshMs: number;
}

/** Fills in `${NAME}`, `${NAME:?}` and `${NAME:-default}`, as Compose does from `.env`. */
function fill(value: unknown, secrets: Record<string, string>): unknown {
  if (Array.isArray(value)) return value.map((each) => fill(each, secrets));
  if (value !== null && typeof value === 'object')
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, fill(each, secrets)]));
  if (typeof value !== 'string') return value;
  return value.replaceAll(
    /\$\{(\w+)(?::([-?])([^}]*))?\}/g,
    (_, name: string, kind?: string, rest?: string) => {
      const given = secrets[name];
      if (given !== undefined) return given;
      if (kind === '?') throw new Error(`compose.yaml needs ${name}, which .env does not have`);
      return rest ?? '';
    },
  );
}

const readVariables = (file: string): Record<string, string> =>
  Object.fromEntries([...read(file).matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name!, value!]));

/** The statements that `create-roles.sh` passes to psql, with its variables as literals. */
function roleStatements(environment: Record<string, string>): string[] {
  const script = read('ops/compose/create-roles.sh');
  const [, statements] = /<<'SQL'\n(.*)^SQL$/ms.exec(script)!;
  const variables = Object.fromEntries(
    [...script.matchAll(/--set (\w+)="\$(\w+)"/g)].map(([, name, from]) => [name!, environment[from!]!]),
  );
  return statements!
    .replaceAll(/:'(\w+)'/g, (_, name: string) => `'${variables[name]!.replaceAll("'", "''")}'`)
    .split(';\n')
    .filter((statement) => statement.trim() !== '');
}

/** Reads a deployment's files. `secrets` is what an operator puts into `.env`. */
export function readDeployment(secrets: Record<string, string>): Deployment {
  const { services } = fill(parse(read('compose.yaml'), { merge: true }), secrets) as Deployment;
  for (const service of Object.values(services) as (ComposeService & { env_file?: string[] })[]) {
    const shared = (service.env_file ?? []).map(readVariables);
    const all = Object.assign({}, ...shared, service.environment);
    service.environment = Object.fromEntries(
      // A setting without a value is taken from `.env`, and is not set if `.env` lacks it.
      Object.entries(all)
        .map(([name, value]) => [name, value ?? secrets[name]])
        .filter(([, value]) => value !== undefined)
        .map(([name, value]) => [name, String(value)]),
    );
  }
  const caddyfile = read('ops/compose/Caddyfile');
  const [, internal] = /^\s*@internal path (.*)$/m.exec(caddyfile)!;
  const [, refresh] = /^\s*refresh (\d+)s$/m.exec(caddyfile)!;
  return {
    services,
    roles: roleStatements(services.postgres!.environment),
    proxy: { internal: internal!.trim().split(/\s+/) },
    refreshMs: Number(refresh) * 1_000,
  };
}

/** True for a path that the proxy refuses: `*` stands for any text, as in a Caddyfile. */
export const matchesPath = (patterns: string[], path: string): boolean =>
  patterns.some((pattern) =>
    pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern,
  );

/** A time such as `45s`, in milliseconds. */
export const graceMs = ({ stop_grace_period = '10s' }: ComposeService): number =>
  Number(/^(\d+)s$/.exec(stop_grace_period)![1]) * 1_000;
