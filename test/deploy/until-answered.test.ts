import { ServiceError } from '@temporalio/client';
import test from 'ava';
import { SCHEDULES } from '../../contract/jobs.js';
import { ensureSchedules } from '../../deploy/schedules.js';

const failure = (code: number): Error =>
  new ServiceError('Failed to describe schedule', { cause: Object.assign(new Error(`${code}`), { code }) });

/** A client whose first calls fail. */
function client(...failures: Error[]) {
  const calls: string[] = [];
  const create = async ({ scheduleId }: { scheduleId: string }): Promise<void> => {
    calls.push(scheduleId);
    const next = failures.shift();
    if (next) throw next;
  };
  return { calls, client: { schedule: { create } } as never };
}

test('a Schedule is prepared by another attempt if Temporal answers late', async (t) => {
  const late = client(failure(4), failure(14));
  await ensureSchedules(late.client, 'holdfast');
  const jobs = Object.values(SCHEDULES).length;
  t.is(late.calls.length, jobs + 2);
  t.is(new Set(late.calls).size, jobs);
});

test('what Temporal refuses is not tried again', async (t) => {
  const refused = client(failure(7));
  await t.throwsAsync(() => ensureSchedules(refused.client, 'holdfast'), { instanceOf: ServiceError });
  t.is(refused.calls.length, 1);
});
