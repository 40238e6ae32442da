import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { programCache } from '../../dev/launcher/go-install.js';
import { LaunchProblem } from '../../dev/launcher/problem.js';

const VERSION = '4.32.5';

/** Whether there is a Python that schemathesis runs on, and that can make a place of its own for it. */
export function hasPython(): boolean {
  const probe = 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 10))';
  return spawnSync('python3', ['-c', probe], { stdio: 'ignore' }).status === 0;
}

/** Schemathesis from our cache, installed there first where it isn't. */
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
 * An answer is no fault of ours and just what the document says; what the document forbids is refused, and who has no
 * key too. What it allows may be refused: a slot is taken, a time has passed.
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

/** Runs schemathesis on a document; true where it has found nothing. */
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
  // It leaves files where it runs.
  const child = spawn(install(), args, { cwd: dirname(document), stdio: ['ignore', 'inherit', 'inherit'] });
  const code = await new Promise((resolve) => child.once('exit', resolve));
  return code === 0;
}
