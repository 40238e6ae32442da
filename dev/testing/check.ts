import { untilInterrupted } from '../launcher/interrupted.js';
import { createReport } from '../launcher/report.js';
import { runChecks } from './checks.js';
import { findTestFiles, groupFiles } from './groups.js';
import { Results } from './results.js';
import { Runner } from './run.js';
import { SimulatorTests } from './simulators.js';

/** `npm run check`: format, lint, types and the rules of dev/lint/, and the tests that need neither a stack nor a browser. */
const results = new Results(createReport(process.stdout));
const interrupted = untilInterrupted();
const runner = new Runner(results, interrupted);
const { computing, pure } = groupFiles(new SimulatorTests().needed(findTestFiles()));
const groups = [...computing, ...pure].filter(({ needsBrowser }) => !needsBrowser);
await Promise.all([runChecks(results, interrupted), ...groups.map((group) => runner.run(group))]);
await runner.repeat();
process.exit(results.end());
