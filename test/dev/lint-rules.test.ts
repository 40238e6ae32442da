import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import test from 'ava';

/** Imports that a top-level folder allows and refuses (docs/architecture.md#folders). */
interface Rules {
  /** Where to test the rules: in the folder itself and in a subfolder. */
  folders: string[];
  refused: string[];
  accepted: string[];
}

const from = (target: string) => `import * as it from '${target}';`;
const typesFrom = (target: string) => `import type * as it from '${target}';`;

/** A file of each folder that has rules, and the files at the root. */
const FILES = {
  activities: '~/activities/index.js',
  api: '~/api/app.js',
  commands: '~/commands/bookings/bookings.js',
  config: '~/config.js',
  contract: '~/contract/starts.js',
  db: '~/db/ids.js',
  deploy: '~/deploy/schedules.js',
  dev: '~/dev/seed.js',
  domain: '~/domain/errors.js',
  ops: '~/ops/metrics/registry.js',
  test: '~/test/support/stack.js',
  web: '~/web/routes.js',
  worker: '~/worker/outboxes.js',
  workflows: '~/workflows/booking.js',
  settings: '~/settings.js',
  'secret-files': '~/secret-files.js',
  'temporal-connection': '~/temporal-connection.js',
};
type Folder = keyof typeof FILES;

/** The rules of a folder that may import itself, these others and these packages. */
function only(folders: string[], others: Folder[], packages: string[] = []): Rules {
  const own = folders[0]!.split('/')[0] as Folder;
  const allowed = new Set<Folder>([own, ...others]);
  const refused = (Object.keys(FILES) as Folder[]).filter((folder) => !allowed.has(folder));
  return {
    folders,
    refused: refused.flatMap((folder) => {
      const target = FILES[folder];
      return [from(target), typesFrom(target), `export * from '${target}';`, `import '${target}';`];
    }),
    accepted: [...[...allowed].map((folder) => FILES[folder]), ...packages].map(from),
  };
}

const refusing = (rules: Rules, ...statements: string[]): Rules => ({
  ...rules,
  refused: [...rules.refused, ...statements],
});

/** Read by entry points only, which pass on what others need. */
const CONFIGURATION: Folder[] = ['config', 'settings', 'secret-files', 'temporal-connection'];
const BELOW_ACTIVITIES: Folder[] = ['domain', 'contract', 'db', 'commands'];

/** `workflows/` may import the types of activities. */
const workflows = only(['workflows'], ['domain', 'contract'], ['@temporalio/workflow']);
workflows.refused = workflows.refused.filter((statement) => statement !== typesFrom(FILES.activities));
workflows.accepted.push(typesFrom(FILES.activities));

/** The rules of each top-level folder. `~/` stands for the root of the project. */
const FOLDERS: Record<string, Rules> = {
  domain: refusing(
    only(['domain', 'domain/presenters'], [], ['decimal.js']),
    ...['joi', 'koa', 'typeorm', 'node:fs', 'node:crypto', '@temporalio/workflow'].map(from),
  ),
  contract: only(['contract'], ['domain'], ['@temporalio/common']),
  db: only(['db', 'db/queries/bookings'], ['domain'], ['typeorm']),
  commands: only(['commands/bookings'], ['domain', 'contract', 'db'], ['typeorm']),
  activities: only(['activities', 'activities/gateways'], BELOW_ACTIVITIES, ['stripe', 'xero-node']),
  workflows,
  api: only(['api', 'api/http', 'api/resources/rooms'], [...BELOW_ACTIVITIES, 'ops'], ['koa']),
  web: only(['web', 'web/dashboard/rooms'], [...BELOW_ACTIVITIES, 'api', 'ops'], ['preact']),
  worker: only(['worker'], [...BELOW_ACTIVITIES, 'activities', 'workflows', 'ops', 'deploy']),
  ops: only(['ops/metrics'], ['domain', 'db'], ['prom-client']),
  deploy: only(['deploy'], [...BELOW_ACTIVITIES, 'activities', 'workflows', 'ops', ...CONFIGURATION]),
  dev: only(['dev', 'dev/launcher'], Object.keys(FILES) as Folder[]),
  test: only(['test/support'], Object.keys(FILES) as Folder[]),
};

interface Scratch {
  file: string;
  statement: string;
}

/** Outside the project, so that no other check sees the files: the rules depend on paths only. */
const place = mkdtempSync(join(tmpdir(), 'holdfast-lint-'));
copyFileSync('.oxlintrc.json', join(place, '.oxlintrc.json'));
test.after.always(() => rmSync(place, { recursive: true, force: true }));

/** Writes a file with one import. */
function scratch(folder: string, statement: string): Scratch {
  const file = join(folder, `scratch-${randomBytes(6).toString('hex')}.ts`);
  const local = statement.replace(/~\/([^']+)/, (_, target: string) => {
    const path = relative(dirname(file), target);
    return path.startsWith('.') ? path : `./${path}`;
  });
  mkdirSync(join(place, folder), { recursive: true });
  writeFileSync(join(place, file), `${local}\n${/\bit\b/.test(local) ? 'export { it };\n' : 'export {};\n'}`);
  return { file, statement };
}

/** The files for which oxlint reports a rule. */
async function filesReportedBy(rule: string, files: string[], cwd: string): Promise<Set<string>> {
  const output = await new Promise<string>((settle) => {
    execFile(
      resolve('node_modules/.bin/oxlint'),
      ['--format=json', ...files],
      { cwd, maxBuffer: 1e8 },
      (_, stdout) => settle(stdout),
    );
  });
  const { diagnostics } = JSON.parse(output) as { diagnostics: { code: string; filename: string }[] };
  return new Set(diagnostics.filter(({ code }) => code.includes(rule)).map(({ filename }) => filename));
}

for (const [name, rules] of Object.entries(FOLDERS)) {
  test(`the linter restricts what ${name}/ may import`, async (t) => {
    const make = (statements: string[]) =>
      rules.folders.flatMap((folder) => statements.map((statement) => scratch(folder, statement)));
    const [bad, good] = [make(rules.refused), make(rules.accepted)];
    const files = [...bad, ...good].map(({ file }) => file);
    const refused = await filesReportedBy('no-restricted-imports', files, place);
    for (const { file, statement } of bad)
      t.true(refused.has(file), `${dirname(file)}: ${statement} is refused`);
    for (const { file, statement } of good)
      t.false(refused.has(file), `${dirname(file)}: ${statement} is accepted`);
  });
}

test('only entry points read the configuration', async (t) => {
  const refused = await filesReportedBy(
    'no-restricted-imports',
    ['api/main.ts', 'worker/main.ts', 'deploy/migrate.ts', 'deploy/prepare.ts'],
    '.',
  );
  t.deepEqual([...refused], [], 'none of the accepted imports is refused');
});

/** Writes two files that import each other. */
function circle(folder: string, write: (other: string) => string): string[] {
  const names = [1, 2].map(() => `scratch-${randomBytes(6).toString('hex')}`);
  return names.map((name, n) => {
    const file = join(folder, `${name}.ts`);
    mkdirSync(join(place, folder), { recursive: true });
    writeFileSync(join(place, file), write(names[1 - n]!));
    return file;
  });
}

test('the linter refuses circular imports, including those of types only', async (t) => {
  const values = circle('domain', (other) => `import * as it from './${other}.js';\nexport { it };\n`);
  const types = circle(
    'api/http',
    (other) =>
      `import type { It } from './${other}.js';\nexport interface It { it?: It }\nexport type { It as Other };\n`,
  );
  const reported = await filesReportedBy('no-cycle', [...values, ...types], place);
  t.deepEqual([...reported].sort(), [...values, ...types].sort());
});
