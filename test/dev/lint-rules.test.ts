import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import test from 'ava';

/** What design.md's table lets a file of a room import, and what it does not. */
interface Room {
  /** Folders to try it in: the room itself and one inside it. */
  folders: string[];
  refused: string[];
  accepted: string[];
}

const from = (target: string) => `import * as it from '${target}';`;
const typesFrom = (target: string) => `import type * as it from '${target}';`;

/** Imports are written with `~/` for the top of the project. */
const ROOMS: Record<string, Room> = {
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
      ...['~/api/app.js', '~/workflows/contract.js', '~/activities/index.js', '~/worker/main.js'].map(from),
      ...['~/dev/seed.js', '~/test/support/stack.js', '~/config.js'].map(from),
      typesFrom('~/api/app.js'),
      `export * from '~/api/app.js';`,
    ],
    accepted: ['~/domain/errors.js', '~/db/ids.js', 'typeorm'].map(from),
  },
  workflows: {
    folders: ['workflows'],
    refused: [
      ...['~/activities/index.js', '~/db/ids.js', '~/api/app.js', '~/worker/main.js'].map(from),
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
      ...['~/activities/index.js', '~/worker/main.js', '~/dev/seed.js', '~/test/support/stack.js'].map(from),
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

const written: string[] = [];
test.after.always(() => {
  for (const file of written) rmSync(file, { force: true });
});

/** A file in the folder with one import, as a person there would write it. */
function scratch(folder: string, statement: string): Scratch {
  const file = join(folder, `scratch-${randomBytes(6).toString('hex')}.ts`);
  const local = statement.replace(/~\/([^']+)/, (_, target: string) => {
    const path = relative(dirname(file), target);
    return path.startsWith('.') ? path : `./${path}`;
  });
  written.push(file);
  writeFileSync(file, `${local}\n${/\bit\b/.test(local) ? 'export { it };\n' : 'export {};\n'}`);
  return { file, statement };
}

/** The files that oxlint refuses for what they import. */
async function refusedImports(files: string[]): Promise<Set<string>> {
  const output = await new Promise<string>((resolve) => {
    execFile('node_modules/.bin/oxlint', ['--format=json', ...files], { maxBuffer: 1e8 }, (_, stdout) =>
      resolve(stdout),
    );
  });
  const { diagnostics } = JSON.parse(output) as { diagnostics: { code: string; filename: string }[] };
  return new Set(
    diagnostics.filter(({ code }) => code.includes('no-restricted-imports')).map(({ filename }) => filename),
  );
}

for (const [name, room] of Object.entries(ROOMS)) {
  test(`the linter holds ${name}/ to the imports that the design allows it`, async (t) => {
    const make = (statements: string[]) =>
      room.folders.flatMap((folder) => statements.map((statement) => scratch(folder, statement)));
    const [bad, good] = [make(room.refused), make(room.accepted)];
    try {
      const refused = await refusedImports([...bad, ...good].map(({ file }) => file));
      for (const { file, statement } of bad)
        t.true(refused.has(file), `${dirname(file)}: ${statement} is refused`);
      for (const { file, statement } of good)
        t.false(refused.has(file), `${dirname(file)}: ${statement} is accepted`);
    } finally {
      for (const { file } of [...bad, ...good]) rmSync(file, { force: true });
    }
  });
}

test('only entry points read the configuration', async (t) => {
  const refused = await refusedImports(['api/main.ts', 'worker/main.ts', 'db/migrate.ts']);
  t.deepEqual([...refused], [], 'the entry points that are here now may');
});
