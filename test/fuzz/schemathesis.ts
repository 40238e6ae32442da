import { spawn, spawnSync } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { programCache } from '../../dev/launcher/go-install.js';
import { LaunchProblem } from '../../dev/launcher/problem.js';

const VERSION = '4.32.5';

/** True if Python 3.10 or newer with venv is installed. */
export function hasPython(): boolean {
  const probe = 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 10))';
  return spawnSync('python3', ['-c', probe], { stdio: 'ignore' }).status === 0;
}

/** The path of schemathesis in the cache. Installs it if necessary. */
function install(): string {
  const home = join(programCache(), `schemathesis-${VERSION}`);
  const program = join(home, 'bin', 'schemathesis');
  if (existsSync(program)) return program;
  const run = (command: string, args: string[]): boolean =>
    spawnSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'] }).status === 0;
  const installed =
    run('python3', ['-m', 'venv', home]) &&
    run(join(home, 'bin', 'pip'), ['install', '--quiet', `schemathesis==${VERSION}`]);
  if (!installed) throw new LaunchProblem('Schemathesis could not be installed from PyPI; see above.');
  return program;
}

/**
 * Responses are not server errors and conform to the document, and invalid and unauthenticated requests are
 * rejected. Valid requests may be rejected too: a slot may be taken, a time may have passed.
 */
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'negative_data_rejection',
  'missing_required_header',
  'unsupported_method',
  'allow_header_conformance',
  'ignored_auth',
];

/** PDF files are sent like any other bytes; schemathesis sends no media type that it does not know. */
const HOOKS = `import schemathesis
schemathesis.serializer.alias("application/pdf", "application/octet-stream")
`;

/** Runs schemathesis on a document. True if it found nothing. */
export async function runSchemathesis(options: {
  document: string;
  url: string;
  token: string;
  examples: number;
  seed?: string;
}): Promise<boolean> {
  const { document, url, token, examples, seed } = options;
  const settings = {
    url,
    header: `Authorization: Bearer ${token}`,
    checks: CHECKS.join(','),
    phases: 'examples,coverage,fuzzing',
    'max-examples': examples,
    workers: 2,
    'request-timeout': 30,
    warnings: 'off',
    'suppress-health-check': 'all',
    ...(seed && { seed }),
  };
  const named = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const args = ['run', document, '--continue-on-failure', ...named];
  // It writes files to its working directory.
  const cwd = dirname(document);
  const hooks = join(cwd, 'hooks.py');
  writeFileSync(hooks, HOOKS);
  const child = spawn(install(), args, {
    cwd,
    env: { ...process.env, SCHEMATHESIS_HOOKS: hooks },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const code = await new Promise((resolve) => child.once('exit', resolve));
  return code === 0;
}
