import { Registry } from 'prom-client';
import test from 'ava';
import { watchBacklog } from '../../ops/metrics/backlog.js';
import { createStepMetrics } from '../../ops/metrics/steps.js';

test('a backlog that cannot be read keeps its latest values and is counted', async (t) => {
  const registry = new Registry();
  let now = 0;
  let pending: number | null = 3;
  const refresh = watchBacklog(
    registry,
    async () => {
      if (pending === null) throw new Error('away');
      return new Proxy({}, { get: (_, name) => (name === 'failing_jobs' ? [] : pending) }) as never;
    },
    () => now,
  );
  const value = async (name: string) => (await registry.getSingleMetric(name)!.get()).values[0]?.value;
  await refresh();
  t.is(await value('holdfast_bookings'), 3);
  pending = null;
  await refresh();
  t.is(await value('holdfast_backlog_read_failures_total'), 0, 'it was read a moment ago');
  now += 10_000;
  await refresh();
  t.is(await value('holdfast_bookings'), 3);
  t.is(await value('holdfast_backlog_read_failures_total'), 1);
});

test('activities are counted by their outcome', async (t) => {
  const registry = new Registry();
  const steps = createStepMetrics(registry);
  const settle = (source: string | null, already: boolean) =>
    steps.succeeded('settleReport', { report: { source } }, { outcome: { kind: 'confirmed', already } });
  settle('scheduler_self_heal', false);
  settle('platform_webhook', true);
  settle(null, false);
  steps.succeeded('expireBooking', {}, { status: 'expired' });
  steps.succeeded('expireBooking', {}, { status: 'confirmed' });
  steps.succeeded('releaseAbandoned', {}, { released: 2, failed: [], last: null });
  steps.failed(new Error('not one of ours'));
  const text = await registry.metrics();
  t.regex(text, /holdfast_booking_outcomes_total\{outcome="confirmed"\} 2\n/);
  t.regex(text, /holdfast_booking_outcomes_total\{outcome="expired"\} 1\n/);
  t.regex(text, /holdfast_self_heal_finds_total\{kind="payment"\} 1\n/);
  t.regex(text, /holdfast_self_heal_finds_total\{kind="slot"\} 2\n/);
  // Series with an alert begin at 0: an increase is only seen in a series that has begun.
  t.regex(text, /holdfast_self_heal_finds_total\{kind="run"\} 0\n/);
  t.deepEqual(text.match(/holdfast_outside_call_failures_total\{.*/g), [
    'holdfast_outside_call_failures_total{type="ProcessorKeyRefused"} 0',
  ]);
});
