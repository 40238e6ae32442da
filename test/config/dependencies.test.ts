import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';

const SERVICE = [
  'activities',
  'api',
  'commands',
  'contract',
  'db',
  'deploy',
  'domain',
  'web',
  'worker',
  'workflows',
];

/** The packages that a source file imports at run time; type imports don't count. */
function packagesOf(path: string): string[] {
  const imports = readFileSync(path, 'utf8').matchAll(
    /^(?:import|export|\}) (?!type ).*?from '([^'.][^']*)';$/gm,
  );
  return [...imports]
    .map(([, name]) => name!)
    .filter((name) => !name.startsWith('node:'))
    .map((name) =>
      name
        .split('/')
        .slice(0, name.startsWith('@') ? 2 : 1)
        .join('/'),
    );
}

test('the service imports only packages that npm ci --omit=dev installs', (t) => {
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  const files = SERVICE.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  ).filter((file) => /\.tsx?$/.test(file));
  const imported = new Map(files.flatMap((file) => packagesOf(file).map((name) => [name, file])));
  t.true(imported.has('typeorm') && imported.has('@temporalio/worker'), 'imports are found');
  for (const [name, file] of imported) t.true(name in dependencies, `${file} imports ${name}`);
});
