// Collects the content of an image in a folder, by default `image`: the compiled service, and the files of
// the installed packages that it loads or reads, as published, with their licenses. Its `sbom.cdx.json` lists
// these packages for scanners (CycloneDX). Run it after `npm run build`.
import { execFileSync } from 'node:child_process';
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { nodeFileTrace } from '@vercel/nft';

const OUT = process.argv[2] ?? 'image';
/** The entry points of processes, jobs and threads. */
const ENTRIES = [
  'api/main',
  'worker/main',
  'commands/invoices/pdf/thread',
  'deploy/check',
  'deploy/migrate',
  'deploy/operator/main',
  'deploy/prepare',
  'deploy/reencrypt',
  'deploy/verify-audit-log',
];
/** The system for which an image has Temporal's library. */
const SYSTEM = `${{ x64: 'x86_64', arm64: 'aarch64' }[process.arch]}-unknown-linux-gnu`;
/** Compilers, which only a build runs, and Temporal's libraries for other systems. */
const LEFT_OUT = [
  /\/(esbuild|@esbuild|@swc\/core-[\w-]+)\//,
  new RegExp(`/core-bridge/releases/(?!${SYSTEM})\\w+-`),
];

const { fileList } = await nodeFileTrace(
  ENTRIES.map((entry) => `build/${entry}.js`),
  { ignore: (path) => LEFT_OUT.some((each) => each.test(path)) },
);
const files = [...fileList].filter((path) => path.startsWith('node_modules/'));
const folders = [...new Set(files.map((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)[0]))];
const licenses = folders.flatMap((folder) =>
  readdirSync(folder)
    .filter((file) => /^(licen[cs]e|notice|copying)/i.test(file))
    .map((file) => join(folder, file)),
);

rmSync(OUT, { recursive: true, force: true });
const manifests = folders.map((folder) => join(folder, 'package.json'));
const isShipped = (path) => !/^build.(dev|test|suites)\b/.test(path);
for (const path of ['build', 'package.json', ...files, ...manifests, ...licenses])
  cpSync(path, join(OUT, path), { recursive: true, filter: isShipped });

const listed = execFileSync('npm', ['sbom', '--sbom-format=cyclonedx', '--package-lock-only'], {
  encoding: 'utf8',
  maxBuffer: 2 ** 26,
});
const sbom = JSON.parse(listed);
const ids = new Set(
  manifests
    .map((path) => JSON.parse(readFileSync(path, 'utf8')))
    .map(({ name, version }) => `${name}@${version}`),
);
const isKept = (ref) => ids.has(ref) || ref === sbom.metadata.component['bom-ref'];
sbom.components = sbom.components.filter((component) => isKept(component['bom-ref']));
sbom.dependencies = sbom.dependencies
  .filter(({ ref }) => isKept(ref))
  .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(isKept) }));
writeFileSync(join(OUT, 'sbom.cdx.json'), `${JSON.stringify(sbom, null, 2)}\n`);
