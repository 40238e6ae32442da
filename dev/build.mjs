// Compiles the sources to JavaScript with source maps in build/. It runs before anything is compiled, so it is JavaScript
// itself. Entry points of the service are bundled (bundles/), everything else is compiled file by file, for the tests and
// the bundle of workflows. `--all` adds development tools and tests; `--shipped` leaves only what a deployment needs.
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { bundle, unbundled } from './bundles/bundle.mjs';

const SERVICE = [
  'activities',
  'api',
  'commands',
  'contract',
  'db',
  'deploy',
  'domain',
  'ops',
  'web',
  'worker',
  'workflows',
];
const DEVELOPMENT = ['dev', 'test'];
const ROOT_FILES = [
  'config.ts',
  'lean-heap.ts',
  'settings.ts',
  'secret-files.ts',
  'stack-traces.ts',
  'temporal-connection.ts',
];
const OUT = 'build';

const isSource = (path) => /\.tsx?$/.test(path) && !path.endsWith('.d.ts');
/**
 * What the service reads at run time, such as SQL. Tests read their data from the sources, and nothing reads that of
 * `ops`.
 */
const isAsset = (path) => !/\.(ts|tsx|mjs|md)$/.test(path) && !/^(test|ops)\b/.test(path);

const filesIn = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));

/** Compiles all sources. Returns the content of each output file by its path. */
async function compile(sources) {
  const { outputFiles } = await build({
    entryPoints: sources,
    outdir: OUT,
    outbase: '.',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: true,
    sourcesContent: false,
    write: false,
  });
  return outputFiles.map(({ path, contents, text }) => {
    const to = unbundled(relative('.', path));
    const named = `sourceMappingURL=${basename(path)}.map`;
    const isRenamed = basename(to) !== basename(path) && to.endsWith('.js');
    return [
      to,
      isRenamed ? Buffer.from(text.replace(named, `sourceMappingURL=${basename(to)}.map`)) : contents,
    ];
  });
}

/** Replaces a file in one step, and only if its content is new: processes that run may load it at any moment. */
function write(path, contents) {
  try {
    if (readFileSync(path).equals(contents)) return;
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
    mkdirSync(dirname(path), { recursive: true });
  }
  const draft = join(OUT, `.draft-${process.pid}`);
  writeFileSync(draft, contents);
  renameSync(draft, path);
}

/** Removes the empty folders in a folder. */
function removeEmpty(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (!entry.isDirectory()) continue;
    const path = join(folder, entry.name);
    removeEmpty(path);
    if (readdirSync(path).length === 0) rmdirSync(path);
  }
}

/** Chunks of the build before may be loaded by processes that run. */
const KEPT_MS = 24 * 60 * 60 * 1_000;
const isStale = (path) =>
  !path.startsWith(join(OUT, 'chunks')) || Date.now() - statSync(path).mtimeMs > KEPT_MS;
/** What `worker/bundle.ts` has made. */
const isWorkflows = (path) => /^workflow-bundle(-traced)?\.js$/.test(basename(path));

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const isShipped = process.argv.includes('--shipped');
const folders = process.argv.includes('--all') ? [...SERVICE, ...DEVELOPMENT] : SERVICE;
const files = folders.flatMap(filesIn);
const assets = files.filter(isAsset).map((path) => [join(OUT, path), readFileSync(path)]);
const compiled = isShipped ? [] : await compile([...ROOT_FILES, ...files.filter(isSource)]);
const outputs = new Map([...compiled, ...assets, ...(await bundle())]);
for (const [path, contents] of outputs) write(path, contents);
const cleaned = isShipped ? [OUT] : [...folders, 'chunks'].map((folder) => join(OUT, folder));
for (const path of cleaned.flatMap(filesIn))
  if (!outputs.has(path) && !isWorkflows(path) && (isShipped || isStale(path))) rmSync(path, { force: true });
if (isShipped) removeEmpty(OUT);
