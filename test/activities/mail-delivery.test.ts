import { MockActivityEnvironment } from '@temporalio/testing';
import type { DataSource } from 'typeorm';
import {
  createMailActivities,
  type MailDependencies,
  type MailReport,
} from '../../activities/mail/delivery.js';
import { enqueueMail } from '../../commands/mail/mails.js';
import { transaction } from '../../db/transaction.js';
import { newPlace, withScratchDatabase } from '../db/scratch.js';
import { storeMembers } from '../support/rows.js';
import { until } from '../support/stack.js';
import test from 'ava';

const TASKS_AT_ONCE = 10;

/** A workspace with one due mail to its owner. Returns its id. */
async function withDueMail(scratch: DataSource): Promise<string> {
  const { workspace_id } = await newPlace(scratch);
  const [start, end] = ['2027-01-01T09:00:00Z', '2027-01-01T10:00:00Z'];
  await storeMembers(scratch, [{ workspace_id, email: 'o@example.com', role: 'owner' }]);
  await scratch.query(
    `UPDATE workspaces SET maintenance_starts_at = $2, maintenance_ends_at = $3 WHERE id = $1`,
    [workspace_id, start, end],
  );
  const about = `${workspace_id}/${start}/${end}`;
  await transaction(scratch, (tx) => enqueueMail(tx, { workspace_id, kind: 'maintenance_announced', about }));
  return workspace_id;
}

test('a mail server that does not respond occupies few workflow tasks', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const workspaceId = await withDueMail(scratch);
    const waiting: (() => void)[] = [];
    const mailer = { send: () => new Promise<void>((accept) => waiting.push(accept)) };
    const deps = { db: scratch, mailer, publicUrl: 'https://book.example' } as unknown as MailDependencies;
    const { sendMails } = createMailActivities(deps);
    const send = (isLocal: boolean): Promise<MailReport> =>
      new MockActivityEnvironment({ isLocal }).run(sendMails, workspaceId) as Promise<MailReport>;

    const reports: MailReport[] = [];
    const inTasks = Array.from({ length: TASKS_AT_ONCE + 1 }, () =>
      send(true).then((report) => reports.push(report)),
    );
    await until(async () => waiting.length + reports.length === TASKS_AT_ONCE + 1);
    t.is(waiting.length, TASKS_AT_ONCE);
    t.like(reports[0], { sent: 0, isLeft: true, waitMs: 0 }, 'it is left to an ordinary activity');
    const ordinary = send(false);
    await until(async () => waiting.length === TASKS_AT_ONCE + 1);
    for (const accept of waiting) accept();
    await Promise.all([...inTasks, ordinary]);
    t.like(await send(true), { sent: 0, isLeft: false, waitMs: null });
  });
});
