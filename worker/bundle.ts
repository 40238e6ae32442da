import { mkdir, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';

/** Where the prebuilt workflow bundle lies; `npm run build` writes it, the worker loads it. */
export const BUNDLE_PATH = fileURLToPath(new URL('../workflow-bundle.js', import.meta.url));

/**
 * Our workflow modules keep no state, so they are loaded once a worker and frozen, and not once a run: that is half a
 * millisecond of each booking, and some memory of each run in the cache.
 */
async function build(): Promise<void> {
  const workflowsPath = createRequire(import.meta.url).resolve('../workflows/index.js');
  const logger = new DefaultLogger('WARN');
  const { code } = await bundleWorkflowCode({ workflowsPath, preloadModules: [workflowsPath], logger });
  await mkdir(dirname(BUNDLE_PATH), { recursive: true });
  // In one step: a worker of another start may be loading it, and Ctrl-C must not leave half of it.
  const draft = `${BUNDLE_PATH}.${process.pid}`;
  await writeFile(draft, code);
  await rename(draft, BUNDLE_PATH);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await build();
