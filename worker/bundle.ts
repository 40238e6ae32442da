import { mkdir, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';

/** Path of the prebuilt workflow bundle: `npm run build` writes it, the worker loads it. */
export const BUNDLE_PATH = fileURLToPath(new URL('../workflow-bundle.js', import.meta.url));

/** The same bundle with the interceptors for traces, which workers load instead if traces are on. */
export const TRACED_BUNDLE_PATH = fileURLToPath(new URL('../workflow-bundle-traced.js', import.meta.url));

const { resolve } = createRequire(import.meta.url);
const INTERCEPTORS = '@temporalio/interceptors-opentelemetry/lib/workflow-interceptors';

/**
 * Workflow modules have no state, so they are loaded and frozen once per worker instead of once per run: that saves half
 * a millisecond per booking, and memory of each cached run.
 */
async function build(path: string, workflowInterceptorModules: string[] = []): Promise<void> {
  const workflowsPath = resolve('../workflows/index.js');
  const { code } = await bundleWorkflowCode({
    workflowsPath,
    preloadModules: [resolve('../workflows/no-stack-traces.js'), workflowsPath],
    workflowInterceptorModules,
    logger: new DefaultLogger('WARN'),
  });
  await mkdir(dirname(path), { recursive: true });
  // Renamed into place: another worker may be loading it, and an interrupted build must not leave a partial file.
  const draft = `${path}.${process.pid}`;
  await writeFile(draft, code);
  await rename(draft, path);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await build(BUNDLE_PATH);
  if (process.argv.includes('--traced')) await build(TRACED_BUNDLE_PATH, [resolve(INTERCEPTORS)]);
}
