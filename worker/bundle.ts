import { mkdir, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';

/** Path of the prebuilt workflow bundle: `npm run build` writes it, the worker loads it. */
export const BUNDLE_PATH = fileURLToPath(new URL('../workflow-bundle.js', import.meta.url));

/**
 * Workflow modules have no state, so they are loaded and frozen once per worker instead of once per run: that saves half
 * a millisecond per booking, and memory of each cached run.
 */
async function build(): Promise<void> {
  const { resolve } = createRequire(import.meta.url);
  const workflowsPath = resolve('../workflows/index.js');
  const preloadModules = [resolve('../workflows/no-stack-traces.js'), workflowsPath];
  const logger = new DefaultLogger('WARN');
  const { code } = await bundleWorkflowCode({ workflowsPath, preloadModules, logger });
  await mkdir(dirname(BUNDLE_PATH), { recursive: true });
  // Renamed into place: another worker may be loading it, and an interrupted build must not leave a partial file.
  const draft = `${BUNDLE_PATH}.${process.pid}`;
  await writeFile(draft, code);
  await rename(draft, BUNDLE_PATH);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await build();
