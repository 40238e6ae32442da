import { untilInterrupted } from '../launcher/interrupted.js';
import { createReport } from '../launcher/report.js';
import { separateSettings } from '../launcher/settings.js';
import { runChecks } from './checks.js';
import { findTestFiles, groupFiles } from './groups.js';
import { Results } from './results.js';
import { Runner } from './run.js';
import { SimulatorTests } from './simulators.js';

/**
 * `npm run check`: format, lint, types and the rules of dev/lint/, and the tests that need
 * neither a stack nor a browser.
 */
const results = new Results(createReport(process.stdout), separateSettings('test').home);
const interrupted = untilInterrupted();
const runner = new Runner(results, interrupted);
const groups = groupFiles(new SimulatorTests().needed(findTestFiles())).filter(
  ({ kind, needsBrowser }) => kind === 'pure' && !needsBrowser,
);
await Promise.all([runChecks(results, interrupted), runner.run(groups, {}, 2)]);
await runner.repeat();
process.exit(results.end());
