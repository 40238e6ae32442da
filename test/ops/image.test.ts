import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';

const read = (path: string): string => readFileSync(path, 'utf8');

// Else Node would compile its own modules at each start, which is a tenth of it.
test('V8 takes what was compiled without the flags of the image', (t) => {
  const flags = /^ENTRYPOINT \["node", (.*)\]$/m.exec(read('Dockerfile'))![1]!.replaceAll(/[",]/g, '');
  const tagWith = (...all: string[]): string =>
    execFileSync(process.execPath, [...all, '--print', 'v8.cachedDataVersionTag()'], { encoding: 'utf8' });
  if (process.version.startsWith('v24.')) t.is(tagWith(...flags.split(' ')), tagWith());
  else t.pass();
});

test('the image compiles the entries of the service and what the thread of the workflows loads', (t) => {
  const [, entries] = /^RUN for entry in (.*); do /m.exec(read('Dockerfile'))!;
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-compiled-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const compiled = (): number =>
    readdirSync(folder, { recursive: true }).filter((name) => /[0-9a-f]{8}$/.test(String(name))).length;
  for (const entry of entries!.split(' ')) {
    const before = compiled();
    const env = { NODE_COMPILE_CACHE: folder };
    t.is(spawnSync(process.execPath, [`build/${entry}.js`], { env, stdio: 'ignore' }).status, 1, entry);
    t.true(compiled() > before, entry);
  }
  t.true(entries!.includes('chunks/workflow-worker-thread'));
});

test('the list of what the image contains has the packages of the bundles, and none for development', (t) => {
  const printed = execFileSync('npm', ['run', '--silent', 'sbom'], {
    encoding: 'utf8',
    maxBuffer: 10_000_000,
  });
  const { bomFormat, components } = JSON.parse(printed) as {
    bomFormat: string;
    components: { purl: string; hashes: object[] }[];
  };
  t.is(bomFormat, 'CycloneDX');
  const { dependencies, devDependencies } = JSON.parse(read('package.json')) as Record<string, object>;
  const purls = components.map(({ purl }) => decodeURIComponent(purl));
  const has = ([name, version]: [string, string]): boolean => purls.includes(`pkg:npm/${name}@${version}`);
  t.deepEqual(
    Object.entries(dependencies!).filter((each) => !has(each as [string, string])),
    [],
  );
  for (const name of ['ava', 'typescript', 'esbuild'] as const)
    t.false(has([name, (devDependencies as Record<string, string>)[name]!]), name);
  t.true(components.every(({ hashes }) => hashes.length > 0));
});

test('the bundles come with the licenses of their packages', (t) => {
  const licenses = readFileSync('build/LICENSES.txt', 'utf8');
  const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Record<string, string> };
  for (const [name, version] of Object.entries(dependencies))
    t.true(licenses.includes(`\n${name} ${version} (`), name);
  t.regex(licenses, /Permission is hereby granted, free of charge/);
});
