import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { unless, type Rule } from './rule.js';

/** One file of each folder that has rules, and those of config/. */
const TARGETS = {
  activities: 'activities/index.js',
  api: 'api/app.js',
  commands: 'commands/bookings/bookings.js',
  config: 'config/config.js',
  contract: 'contract/starts.js',
  db: 'db/ids.js',
  deploy: 'deploy/schedules.js',
  dev: 'dev/seed.js',
  domain: 'domain/errors.js',
  ops: 'ops/metrics/registry.js',
  test: 'test/support/stack.js',
  web: 'web/routes.js',
  worker: 'worker/outboxes.js',
  workflows: 'workflows/booking.js',
  settings: 'config/settings.js',
  'secret-files': 'config/secret-files.js',
  'temporal-connection': 'config/temporal-connection.js',
};
type Target = keyof typeof TARGETS;
const ALL = Object.keys(TARGETS) as Target[];
/** Read only by entry points, which pass on what others need. */
const CONFIGURATION: Target[] = ['config', 'settings', 'secret-files', 'temporal-connection'];
const BELOW_ACTIVITIES: Target[] = ['domain', 'contract', 'db', 'commands'];
const IMPURE = ['joi', 'koa', 'typeorm', 'node:fs', 'node:crypto', '@temporalio/workflow'];

/**
 * What the files of a folder may import beside the folder itself (docs/internals/architecture.md#folders),
 * and packages.
 */
const FOLDERS: Record<string, { may: Target[]; packages?: string[]; refused?: string[] }> = {
  domain: { may: [], packages: ['decimal.js'], refused: IMPURE },
  'domain/bookings': { may: [], packages: ['decimal.js'], refused: IMPURE },
  contract: { may: ['domain'], packages: ['@temporalio/common'] },
  db: { may: ['domain'], packages: ['typeorm'] },
  'db/queries/bookings': { may: ['domain'] },
  'commands/bookings': { may: ['domain', 'contract', 'db'], packages: ['typeorm'] },
  activities: { may: BELOW_ACTIVITIES },
  'activities/gateways': { may: BELOW_ACTIVITIES, packages: ['stripe', 'xero-node'] },
  workflows: { may: ['domain', 'contract'], packages: ['@temporalio/workflow'] },
  api: { may: [...BELOW_ACTIVITIES, 'ops'], packages: ['koa'] },
  'api/http': { may: [...BELOW_ACTIVITIES, 'ops'] },
  'api/resources/rooms': { may: [...BELOW_ACTIVITIES, 'ops'] },
  web: { may: [...BELOW_ACTIVITIES, 'api', 'ops'], packages: ['preact'] },
  'web/dashboard/rooms': { may: [...BELOW_ACTIVITIES, 'api', 'ops'] },
  worker: { may: [...BELOW_ACTIVITIES, 'activities', 'workflows', 'ops', 'deploy'] },
  'ops/metrics': { may: ['domain', 'db'], packages: ['prom-client'] },
  deploy: { may: [...BELOW_ACTIVITIES, 'activities', 'workflows', 'ops', ...CONFIGURATION] },
  dev: { may: ALL },
  'dev/launcher': { may: ALL },
  'test/support': { may: ALL },
};

const from = (target: string): string => `import * as it from '${target}';\nexport { it };\n`;
const typesFrom = (target: string): string => from(target).replace('import', 'import type');
const importForms = (target: string): string[] => [
  from(target),
  typesFrom(target),
  `export * from '${target}';\n`,
  `import '${target}';\nexport {};\n`,
];

/**
 * The files, by name, for which the linter reports a violated import rule. Paths decide, so the files are
 * placed elsewhere.
 */
function reported(rule: string, files: Map<string, string>): Set<string> {
  const place = mkdtempSync(join(tmpdir(), 'holdfast-lint-'));
  try {
    copyFileSync('.oxlintrc.json', join(place, '.oxlintrc.json'));
    for (const [file, source] of files) {
      mkdirSync(join(place, dirname(file)), { recursive: true });
      writeFileSync(join(place, file), source);
    }
    const oxlint = resolve('node_modules/.bin/oxlint');
    const { stdout } = spawnSync(oxlint, ['--format=json'], { cwd: place, encoding: 'utf8', maxBuffer: 1e8 });
    const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code: string; filename: string }[] };
    return new Set(diagnostics.filter(({ code }) => code.includes(rule)).map(({ filename }) => filename));
  } finally {
    rmSync(place, { recursive: true });
  }
}

/** `.oxlintrc.json` refuses exactly the imports that a folder may not have, and circular ones. */
export const imports: Rule = {
  name: 'import rules of .oxlintrc.json',
  *check() {
    const files = new Map<string, string>();
    const refused = new Set<string>();
    for (const [folder, { may, packages = [], refused: others = [] }] of Object.entries(FOLDERS)) {
      const allowed = [folder.split('/')[0], ...may];
      const add = (source: string, isRefused: boolean): void => {
        const file = `${folder}/scratch-${files.size}.ts`;
        files.set(file, source);
        if (isRefused) refused.add(file);
      };
      for (const target of ALL) {
        const path = relative(folder, TARGETS[target]);
        const local = path.startsWith('.') ? path : `./${path}`;
        if (allowed.includes(target)) add(from(local), false);
        // The types of activities are the only exception.
        else
          for (const source of importForms(local))
            add(source, folder !== 'workflows' || target !== 'activities' || source !== typesFrom(local));
      }
      for (const name of packages) add(from(name), false);
      for (const name of others) add(from(name), true);
    }
    const found = reported('no-restricted-imports', files);
    for (const [file, source] of files)
      yield* unless(
        found.has(file) === refused.has(file),
        `.oxlintrc.json:1: ${file} is ` +
          `${refused.has(file) ? 'not refused' : 'refused'}: ${source.split('\n')[0]}`,
      );

    const types = (other: string): string =>
      `import type { It } from './${other}.js';\nexport interface It { it?: It }\nexport ` +
      'type { It as Other };\n';
    const circles = new Map([
      ['domain/a.ts', from('./b.js')],
      ['domain/b.ts', from('./a.js')],
      ['api/http/a.ts', types('b')],
      ['api/http/b.ts', types('a')],
    ]);
    const circular = reported('no-cycle', circles);
    for (const file of circles.keys())
      yield* unless(circular.has(file), `.oxlintrc.json:1: ${file} is not refused, which is circular`);
  },
};
