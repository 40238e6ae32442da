import { resolve } from 'node:path';
import { untilInterrupted } from '../../dev/launcher/interrupted.js';
import { sentenceFor } from '../../dev/launcher/problem.js';
import { createReport } from '../../dev/launcher/report.js';
import { readSettings } from '../../dev/launcher/settings.js';
import { findChromium } from '../../dev/testing/chromium.js';
import { startSuiteStack, TEST_ENVIRONMENT } from '../support/suite-stack.js';
import { readOptions } from './options.js';

/**
 * `npm run gallery -- [--only=text] [--width=N] [--scheme=light|dark] [--out=folder]
 * [--checks-only] [--running]`: every page and mail in its states, photographed and checked
 * (docs/internals/testing.md#gallery). On its own stack, or with `--running` on that of `npm start`. The exit
 * code is 1 if a view has a fault.
 */
const report = createReport(process.stdout);
let isFine = false;
try {
  const options = readOptions();
  process.env.CHROMIUM_PATH = await findChromium();
  for (const [name, value] of Object.entries(TEST_ENVIRONMENT)) process.env[name] ||= value;
  const fail = (error: unknown): never => {
    throw error;
  };
  const stack = options.running
    ? undefined
    : await startSuiteStack('gallery', report, untilInterrupted(), fail);
  Object.assign(process.env, stack?.env ?? { HOLDFAST_DEV_JSON: resolve(readSettings().home, 'dev.json') });
  try {
    const { runGallery } = await import('./run.js');
    isFine = await runGallery(options, report);
  } finally {
    await stack?.stop();
  }
} catch (error) {
  report.line(sentenceFor(error));
}
report.close();
process.exit(isFine ? 0 : 1);
