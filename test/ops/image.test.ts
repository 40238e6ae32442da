import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import { read, sourceOf } from './manifests.js';

test('the image runs Node 24 without root, from files that exist, and ignores no source', (t) => {
  const dockerfile = read('Dockerfile');
  for (const [, image] of dockerfile.matchAll(/^FROM (\S+)/gm))
    t.regex(image!, /^node:24-slim(@sha256:[0-9a-f]{64})?$/);
  t.regex(dockerfile, /^USER node$/m);
  const [, command] = /^CMD \["(.*)"\]$/m.exec(dockerfile)!;
  t.true(existsSync(sourceOf([command!])));
  const ignored = read('.dockerignore').trim().split('\n');
  const built = /const SERVICE = \[([^\]]*)\]/.exec(read('dev/build.mjs'))![1]!;
  for (const [, folder] of built.matchAll(/'(\w+)'/g)) t.false(ignored.includes(folder!), folder);
  for (const needed of ['dev', 'package.json', 'package-lock.json', 'tsconfig.json'])
    t.false(ignored.includes(needed), needed);
  const flags = /^ENTRYPOINT \["node", (.*)\]$/m.exec(dockerfile)![1]!.replaceAll(/[",]/g, '');
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  t.is(scripts.api, `exec node ${flags} build/api/main.js`);
  t.is(scripts.worker, `exec node ${flags} build/worker/main.js`);
  // Else Node would compile its own modules at each start, which is a tenth of it.
  const tagWith = (...flags: string[]): string =>
    execFileSync(process.execPath, [...flags, '--print', 'v8.cachedDataVersionTag()'], { encoding: 'utf8' });
  if (process.version.startsWith('v24.'))
    t.is(tagWith(...flags.split(' ')), tagWith(), 'V8 takes what was compiled without the flags');
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
  t.regex(read('Dockerfile'), /^RUN npm run --silent sbom > sbom\.cdx\.json$/m);
  t.regex(read('Dockerfile'), /^COPY --from=build \/app\/package\.json \/app\/sbom\.cdx\.json \.\/$/m);
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

test('the image has no packages beside the bundles, which come with their licenses', (t) => {
  const copied = [...read('Dockerfile').matchAll(/^COPY --from=build (.*) \S+$/gm)].map(([, files]) => files);
  t.deepEqual(copied, ['/app/package.json /app/sbom.cdx.json', '/app/build']);
  const licenses = readFileSync('build/LICENSES.txt', 'utf8');
  const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Record<string, string> };
  for (const [name, version] of Object.entries(dependencies))
    t.true(licenses.includes(`\n${name} ${version} (`), name);
  t.regex(licenses, /Permission is hereby granted, free of charge/);
});
