import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { untilInterrupted } from '../../dev/launcher/interrupted.js';
import { reservePorts } from '../../dev/launcher/ports.js';
import { createReport } from '../../dev/launcher/report.js';
import { separateSettings } from '../../dev/launcher/settings.js';
import { withStack } from '../../dev/launcher/stack.js';
import { Supervisor } from '../../dev/launcher/supervisor.js';
import { findTemporal, temporalProgram } from '../../dev/launcher/temporal.js';

/*
 * `npm run histories`: records the missing histories in test/histories/, which has one of every workflow type
 * and of every state of a booking. It uses its own stack, and takes two to three minutes
 * (CONTRIBUTING.md#add-a-workflow-or-change-one).
 */

/** Few enough that runs that continue as new have a readable history, and more than any other run has. */
const EVENTS_UNTIL_CONTINUE_AS_NEW = 140;

Object.assign(process.env, {
  SELF_HEAL_AFTER_SECONDS: '1',
  WEBHOOK_RETRY_SCALE: '0.001',
  RATE_LIMIT_SCALE: '100',
});

const report = createReport(process.stdout);
const interrupted = untilInterrupted();
const folder = mkdtempSync(join(tmpdir(), 'holdfast-histories-'));
const supervisor = new Supervisor({ logs: folder, report, onChange: () => undefined });
try {
  const [port, uiPort] = await reservePorts([
    { variable: 'TEMPORAL_PORT', port: 0 },
    { variable: 'TEMPORAL_UI_PORT', port: 0 },
  ]);
  const command = await findTemporal(
    () => undefined,
    (program) => supervisor.run(program),
  );
  const database = join(folder, 'temporal.db');
  const temporal = temporalProgram({
    command,
    database,
    port: port!,
    uiPort: uiPort!,
    settings: { 'limit.historyCount.suggestContinueAsNew': EVENTS_UNTIL_CONTINUE_AS_NEW },
  });
  await report.step('Temporal', () => supervisor.startBase(temporal));

  await withStack(
    { ...separateSettings('histories'), temporalAddress: `127.0.0.1:${port}` },
    report,
    { fresh: true },
    async ({ home }) => {
      process.env.HOLDFAST_DEV_JSON = home.devJson;
      const { recordAll } = await import('./recordings/all.js');
      await recordAll((line) => report.line(line));
    },
    interrupted,
  );
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  await supervisor.stop();
  report.close();
  rmSync(folder, { recursive: true, force: true });
}
process.exit();
