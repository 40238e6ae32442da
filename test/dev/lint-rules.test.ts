import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import test from '../support/suite.js';

/** Imports that a top-level folder allows and refuses (docs/architecture.md#what-may-import-what). */
interface Rules {
  /** Where to test the rules: in the folder itself and in a subfolder. */
  folders: string[];
  refused: string[];
  accepted: string[];
}

const from = (target: string) => `import * as it from '${target}';`;
const typesFrom = (target: string) => `import type * as it from '${target}';`;

/** The rules of each top-level folder. `~/` stands for the root of the project. */
const FOLDERS: Record<string, Rules> = {
  domain: {
    folders: ['domain', 'domain/presenters'],
    refused: [
      ...['~/db/ids.js', '~/api/app.js', '~/workflows/contract.js', '~/activities/index.js'].map(from),
      ...['~/worker/main.js', '~/dev/seed.js', '~/test/support/stack.js', '~/config.js'].map(from),
      ...['joi', 'koa', 'typeorm', 'node:fs', 'node:crypto', '@temporalio/workflow'].map(from),
      typesFrom('~/db/rows.js'),
      `export * from '~/db/ids.js';`,
      `import '~/db/ids.js';`,
    ],
    accepted: ['~/domain/errors.js', '~/domain/states.js', 'decimal.js'].map(from),
  },
  db: {
    folders: ['db', 'db/repositories'],
    refused: [
      ...[
        '~/api/app.js',
        '~/workflows/contract.js',
        '~/activities/index.js',
        '~/worker/main.js',
        '~/deploy/schedules.js',
      ].map(from),
      ...['~/dev/seed.js', '~/test/support/stack.js', '~/config.js'].map(from),
      typesFrom('~/api/app.js'),
      `export * from '~/api/app.js';`,
    ],
    accepted: ['~/domain/errors.js', '~/db/ids.js', 'typeorm'].map(from),
  },
  workflows: {
    folders: ['workflows'],
    refused: [
      ...[
        '~/activities/index.js',
        '~/db/ids.js',
        '~/api/app.js',
        '~/worker/main.js',
        '~/deploy/schedules.js',
      ].map(from),
      ...['~/dev/seed.js', '~/test/support/stack.js', '~/config.js'].map(from),
      typesFrom('~/db/rows.js'),
      typesFrom('~/api/app.js'),
      `export * from '~/activities/index.js';`,
    ],
    accepted: [
      typesFrom('~/activities/index.js'),
      ...['~/domain/states.js', '~/workflows/contract.js', '@temporalio/workflow'].map(from),
    ],
  },
  activities: {
    folders: ['activities', 'activities/gateways'],
    refused: [
      ...['~/api/app.js', '~/worker/main.js', '~/dev/seed.js', '~/test/support/stack.js'].map(from),
      ...['~/config.js', '~/workflows/booking.js', '~/workflows/index.js'].map(from),
      from('~/workflows/contract/names.js'),
      typesFrom('~/api/app.js'),
    ],
    accepted: [
      '~/domain/errors.js',
      '~/db/ids.js',
      '~/workflows/contract.js',
      '~/workflows/starts.js',
      '~/activities/failures.js',
    ].map(from),
  },
  api: {
    folders: ['api', 'api/http'],
    refused: [
      ...['~/activities/index.js', '~/worker/main.js', '~/deploy/schedules.js', '~/dev/seed.js'].map(from),
      from('~/test/support/stack.js'),
      ...['~/config.js', '~/workflows/booking.js', '~/workflows/index.js'].map(from),
      from('~/workflows/contract/names.js'),
      typesFrom('~/activities/index.js'),
      `export * from '~/activities/index.js';`,
    ],
    accepted: [
      '~/domain/errors.js',
      '~/db/ids.js',
      '~/workflows/contract.js',
      '~/workflows/starts.js',
      '~/api/app.js',
      'koa',
    ].map(from),
  },
  worker: {
    folders: ['worker'],
    refused: ['~/api/app.js', '~/dev/seed.js', '~/test/support/stack.js', '~/config.js'].map(from),
    accepted: ['~/domain/errors.js', '~/db/ids.js', '~/workflows/contract.js', '~/activities/index.js'].map(
      from,
    ),
  },
  ops: {
    folders: ['ops/metrics'],
    refused: [
      ...['~/api/app.js', '~/worker/main.js', '~/activities/index.js', '~/workflows/contract.js'].map(from),
      ...['~/deploy/schedules.js', '~/dev/seed.js', '~/test/support/stack.js', '~/config.js'].map(from),
    ],
    accepted: ['~/domain/errors.js', '~/db/ids.js', 'prom-client'].map(from),
  },
  deploy: {
    folders: ['deploy'],
    refused: ['~/api/app.js', '~/worker/main.js', '~/dev/seed.js', '~/config.js'].map(from),
    accepted: ['~/domain/errors.js', '~/workflows/contract.js', '~/activities/gateways/stripe.js'].map(from),
  },
  dev: {
    folders: ['dev', 'dev/launcher'],
    refused: [],
    accepted: ['~/api/http/tokens.js', '~/db/ids.js', '~/domain/errors.js', '~/config.js'].map(from),
  },
  test: {
    folders: ['test/support'],
    refused: [],
    accepted: ['~/api/app.js', '~/db/ids.js', '~/dev/seed.js', '~/activities/index.js', '~/config.js'].map(
      from,
    ),
  },
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
    ['api/main.ts', 'worker/main.ts', 'db/migrate.ts', 'deploy/prepare.ts'],
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
