import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import { bundleWorkflowCode, DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import test from '../support/suite.js';
import { WORKFLOWS } from '../../workflows/contract.js';

const folder = 'test/histories';
const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
const workflowsPath = createRequire(import.meta.url).resolve('../../workflows/index.js');
const logger = new DefaultLogger('ERROR');
Runtime.install({ logger });
const bundle = bundleWorkflowCode({ workflowsPath, logger });

const read = (file: string): any => JSON.parse(readFileSync(join(folder, file), 'utf8'));

async function replay(history: unknown): Promise<void> {
  await Worker.runReplayHistory({ workflowBundle: await bundle }, historyFromJSON(history), 'replayed');
}

test('there is a history of every workflow and of every state of a booking', (t) => {
  const states = [
    'pending',
    'confirmed',
    'changed',
    'cancelled',
    'cancelled-unpaid',
    'expired',
    'refused',
    'free',
  ].map((state) => `booking-${state}.json`);
  for (const file of [...states, 'webhook-delivery-retried.json']) t.true(files.includes(file), file);
  const types = files.map(
    (file) => read(file).events[0].workflowExecutionStartedEventAttributes.workflowType.name,
  );
  for (const type of Object.values(WORKFLOWS)) t.true(types.includes(type), `a history of ${type}`);
});

for (const file of files) {
  test(`the workflows of now go on with the run of ${file}`, async (t) => {
    await t.notThrowsAsync(replay(read(file)));
  });
}

test('a long run of before, which did not go on anew, still goes on', async (t) => {
  const history = read('refund.json');
  for (const { workflowTaskStartedEventAttributes: started } of history.events)
    if (started) started.suggestContinueAsNew = true;
  await t.notThrowsAsync(replay(history));
});

test('a history that does not fit the code is refused, so that a replay that passes says something', async (t) => {
  const history = read('booking-confirmed.json');
  const scheduled = history.events.find((event: any) => event.activityTaskScheduledEventAttributes);
  scheduled.activityTaskScheduledEventAttributes.activityType.name = 'somethingElse';
  await t.throwsAsync(replay(history));
});
