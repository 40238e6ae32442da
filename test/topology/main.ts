import { untilInterrupted } from '../../dev/launcher/interrupted.js';
import { endLeftovers, lockHome, openHome, releaseHome, writePrivately } from '../../dev/launcher/home.js';
import { sentenceFor } from '../../dev/launcher/problem.js';
import { createReport } from '../../dev/launcher/report.js';
import { separateSettings } from '../../dev/launcher/settings.js';
import { Supervisor } from '../../dev/launcher/supervisor.js';
import { startTopology } from './topology.js';

/**
 * `npm run topology`: what compose.yaml describes, as processes of this machine: Temporal on Postgres, TLS in
 * front of two API processes, two workers. Bookings go through it while processes stop and Temporal is killed
 * (docs/internals/verification.md#the-topology-as-processes). The last line is a report in JSON; the exit
 * code is 1 if something was not as it must be.
 */
const report = createReport(process.stdout);
const interrupted = untilInterrupted();
const home = openHome(separateSettings('topology').home);
lockOrExit();
let supervisor: Supervisor | undefined;
try {
  await endLeftovers(home);
  supervisor = new Supervisor({
    logs: home.logs,
    report,
    onChange: (running) => writePrivately(home.processes, running),
  });
  process.env.HOLDFAST_DEV_JSON = home.devJson;
  const run = startTopology(home, supervisor, report).then(async (topology) => {
    const { runScenario } = await import('./scenario.js');
    return runScenario(topology, report);
  });
  run.catch(() => undefined);
  const result = await Promise.race([run, interrupted.then(() => undefined)]);
  report.close();
  if (result) console.log(JSON.stringify(result, null, 2));
  process.exitCode = result?.wrong.length === 0 ? 0 : 1;
} catch (error) {
  report.close();
  console.error(sentenceFor(error));
  process.exitCode = 1;
} finally {
  await supervisor?.stop();
  await endLeftovers(home);
  releaseHome(home);
}
process.exit();

function lockOrExit(): void {
  try {
    lockHome(home);
  } catch (error) {
    console.error(sentenceFor(error));
    process.exit(1);
  }
}
