// Compiles the sources to JavaScript with source maps in build/, file by file. It runs before anything is
// compiled, so it is itself JavaScript. `--all` adds development tools and tests.
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const SERVICE = [
  'activities',
  'api',
  'commands',
  'config',
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
const OUT = 'build';

const isSource = (path) => /\.tsx?$/.test(path) && !path.endsWith('.d.ts');
/**
 * Files that the service reads at run time, such as SQL. Tests read their data from the sources, and nothing
 * reads the files of `ops`.
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
    target: 'node24',
    sourcemap: true,
    sourcesContent: false,
    write: false,
  });
  return outputFiles.map(({ path, contents }) => [relative('.', path), contents]);
}

/**
 * Replaces a file atomically, and only if its content changed: running processes may load it at any moment.
 */
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

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const folders = process.argv.includes('--all') ? [...SERVICE, ...DEVELOPMENT] : SERVICE;
const files = folders.flatMap(filesIn);
const assets = files.filter(isAsset).map((path) => [join(OUT, path), readFileSync(path)]);
const outputs = new Map([...(await compile(files.filter(isSource))), ...assets]);
for (const [path, contents] of outputs) write(path, contents);
for (const path of folders.map((folder) => join(OUT, folder)).flatMap(filesIn))
  if (!outputs.has(path)) rmSync(path, { force: true });
