import { statSync, readdirSync } from 'node:fs';
import { mkdir, rename, utimes, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The path of the prebuilt workflow bundle, which `npm run build` writes and the worker loads. */
export const BUNDLE_PATH = fileURLToPath(new URL('../workflow-bundle.js', import.meta.url));

/** The same bundle with the interceptors for traces, which workers load instead if traces are enabled. */
export const TRACED_BUNDLE_PATH = fileURLToPath(new URL('../workflow-bundle-traced.js', import.meta.url));

const { resolve } = createRequire(import.meta.url);
const INTERCEPTORS = '@temporalio/interceptors-opentelemetry/lib/workflow-interceptors';

const root = fileURLToPath(new URL('..', import.meta.url));
/** The sources of a bundle. A compiled file is only written if its content has changed. */
const SOURCES = ['workflows', 'domain', 'worker/bundle.js', '../package-lock.json'];

/**
 * Returns the modification time of a file, or of the newest file in a folder, in ms since 1970; 0 if there is
 * none.
 */
function changedAt(path: string): number {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat?.isDirectory()) return stat?.mtimeMs ?? 0;
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => changedAt(join(path, name))));
}

const isCurrent = (path: string): boolean =>
  SOURCES.every((source) => changedAt(join(root, source)) < changedAt(path));

/**
 * Builds a bundle. Workflow modules have no state, so they are loaded and frozen once per worker instead of
 * once per run: a cached run takes less memory.
 */
async function build(path: string, workflowInterceptorModules: string[] = []): Promise<void> {
  const startedAt = new Date();
  const { bundleWorkflowCode, DefaultLogger } = await import('@temporalio/worker');
  const workflowsPath = resolve('../workflows/index.js');
  const { code } = await bundleWorkflowCode({
    workflowsPath,
    preloadModules: [workflowsPath],
    workflowInterceptorModules,
    logger: new DefaultLogger('WARN'),
  });
  await mkdir(dirname(path), { recursive: true });
  // Renamed into place, because another worker may be loading it, and an interrupted build must not leave a
  // partial file.
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, code);
  // A source that changed during the build is newer than the bundle.
  await utimes(draft, startedAt, startedAt);
  await rename(draft, path);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const isDue = (path: string): boolean => !process.argv.includes('--if-changed') || !isCurrent(path);
  if (isDue(BUNDLE_PATH)) await build(BUNDLE_PATH);
  if (process.argv.includes('--traced') && isDue(TRACED_BUNDLE_PATH))
    await build(TRACED_BUNDLE_PATH, [resolve(INTERCEPTORS)]);
}
