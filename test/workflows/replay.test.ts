import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { historyFromJSON } from '@temporalio/common/lib/proto-utils.js';
import { bundleWorkflowCode, DefaultLogger, Runtime, Worker, type WorkerOptions } from '@temporalio/worker';
import test from 'ava';
import { BUNDLE_PATH } from '../../worker/bundle.js';

const folder = 'test/histories';
const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
const workflowsPath = createRequire(import.meta.url).resolve('../../workflows/index.js');
const logger = new DefaultLogger('ERROR');
Runtime.install({ logger });

const { resolve } = createRequire(import.meta.url);
const tracedBundle = () =>
  bundleWorkflowCode({
    workflowsPath,
    workflowInterceptorModules: [resolve('@temporalio/interceptors-opentelemetry/lib/workflow-interceptors')],
    logger,
  });

/** Receives what traced workflows report. */
const sinks = { exporter: { export: { fn: () => undefined } } };

const read = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8'));

/** Replays histories with one worker. Returns the error of each; null if it replays. */
async function replay(
  workflowBundle: WorkerOptions['workflowBundle'],
  histories: [name: string, history: unknown][],
): Promise<Map<string, unknown>> {
  const named = histories.map(([workflowId, history]) => ({ workflowId, history: historyFromJSON(history) }));
  const errors = new Map<string, unknown>();
  for await (const { workflowId, error } of Worker.runReplayHistories({ workflowBundle, sinks }, named))
    errors.set(workflowId, error ?? null);
  return errors;
}

const replayed = replay(
  { codePath: BUNDLE_PATH },
  files.map((file) => [file, read(file)]),
);
replayed.catch(() => undefined);

for (const file of files)
  test(`the workflows replay ${file}`, async (t) => t.is((await replayed).get(file), null));

const TRACED = ['booking-changed.json', 'booking-cancelled.json', 'refund-failed.json', 'self-heal.json'];

test('the workflows replay with traces what was recorded without', async (t) => {
  const errors = await replay(
    await tracedBundle(),
    TRACED.map((file) => [file, read(file)]),
  );
  for (const file of TRACED) t.is(errors.get(file), null, file);
});

test('the replay refuses a history that does not match the code', async (t) => {
  const history = read('adopt-refunds.json');
  const scheduled = history.events.find(
    (event: { activityTaskScheduledEventAttributes?: object }) => event.activityTaskScheduledEventAttributes,
  );
  scheduled.activityTaskScheduledEventAttributes.activityType.name = 'somethingElse';
  const errors = await replay({ codePath: BUNDLE_PATH }, [['changed', history]]);
  t.regex(String(errors.get('changed')), /Nondeterminism|DeterminismViolation/);
});
