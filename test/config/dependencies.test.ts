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

test('every package with an install script is allowed to run it, and another one fails the install', (t) => {
  t.regex(readFileSync('.npmrc', 'utf8'), /^strict-allow-scripts=true$/m);
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const { allowScripts } = JSON.parse(readFileSync('package.json', 'utf8'));
  const scripted = Object.keys(packages)
    .filter((path) => packages[path].hasInstallScript)
    .map((path) => path.replace(/.*node_modules\//, ''));
  t.deepEqual(Object.keys(allowScripts).toSorted(), [...new Set(scripted)].toSorted());
});

test('files with secrets are not committed', (t) => {
  const ignored = readFileSync('.gitignore', 'utf8').split('\n');
  for (const pattern of ['.env', '.env.*', '.holdfast*/']) t.true(ignored.includes(pattern), pattern);
});

test('the service imports only packages that npm ci --omit=dev installs', (t) => {
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  const files = SERVICE.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => join(folder, file)),
  ).filter((file) => /\.tsx?$/.test(file));
  const imported = new Map(files.flatMap((file) => packagesOf(file).map((name) => [name, file])));
  t.true(imported.has('typeorm') && imported.has('@temporalio/worker'), 'imports are found');
  for (const [name, file] of imported) t.true(name in dependencies, `${file} imports ${name}`);
});
