import { mailQueued } from '../../../contract/mail.js';
import { workflowIds } from '../../../contract/names.js';
import { createMember } from '../../support/member-calls.js';
import { newObjectId, newSubscriber, storeEvents, untilAttempts } from '../../support/events.js';
import { mailbox } from '../../support/simulators.js';
import { db } from '../../support/stack.js';
import { until } from '../../support/until.js';
import { newWorkspace, uniqueEmail } from '../../support/workspaces.js';
import { temporal } from '../../support/temporal.js';
import { isOver, type Recorder } from './recorder.js';

/** Runs that send webhook events and mail. */
export async function recordDelivery(recorder: Recorder): Promise<void> {
  await Promise.all([recordWebhooks(recorder), recordMail(recorder), recordContinuedMail(recorder)]);
}

async function recordWebhooks(recorder: Recorder): Promise<void> {
  const { workspace, api, receiver } = await newSubscriber();
  const runId = workflowIds.webhookDelivery(workspace.id);
  const endAfter = async (attempts: number): Promise<void> => {
    await receiver.untilReceived(attempts);
    await until(() => isOver(runId));
  };
  await storeEvents(workspace.id, [newObjectId()]);
  await endAfter(1);
  await recorder.save('webhook-delivery', runId);

  receiver.reply = () => 500;
  const [retried] = await storeEvents(workspace.id, [newObjectId()]);
  await untilAttempts(api, retried!, 3);
  receiver.reply = () => 200;
  await endAfter(4);
  await recorder.save('webhook-delivery-retried', runId);

  await api.post(`/v1/events/${retried}/redeliver`);
  await recorder.saveEnded('redelivery', workflowIds.redelivery(retried!));
  receiver.close();
}

/** Mail whose first attempt failed: one is permanently refused, one retried. */
async function recordMail(recorder: Recorder): Promise<void> {
  const { api, id } = await newWorkspace();
  const invite = async (code?: number): Promise<string> => {
    const email = uniqueEmail();
    if (code) await mailbox('POST', '/_sim/refuse', { to: email, code });
    await createMember(api, { send_invite: true, email });
    return email;
  };
  const untilNoneIs = (condition: string): Promise<unknown> =>
    until(async () => {
      const rows = await db.query(`SELECT FROM mails WHERE workspace_id = $1 AND ${condition}`, [id]);
      return rows.length === 0;
    });
  await invite(550);
  const later = await invite(450);
  await untilNoneIs(`status = 'pending' AND attempts = 0`);
  await recorder.save('mail-delivery-retried', workflowIds.mailDelivery(id));
  await mailbox('POST', '/_sim/refuse', { to: later });
  await untilNoneIs(`status = 'pending'`);
  await recorder.saveEnded('mail-delivery', workflowIds.mailDelivery(id));
}

/** A run with so many events that it continues as new. */
async function recordContinuedMail(recorder: Recorder): Promise<void> {
  const { api, id } = await newWorkspace();
  const email = uniqueEmail();
  await mailbox('POST', '/_sim/refuse', { to: email, code: 450 });
  await createMember(api, { send_invite: true, email });
  const run = temporal.workflow.getHandle(workflowIds.mailDelivery(id));
  const { runId } = await until(() => run.describe().catch(() => null));
  await until(async () => {
    await run.signal(mailQueued);
    return (await run.describe()).runId !== runId;
  });
  await recorder.save('mail-delivery-continued', workflowIds.mailDelivery(id), runId);
}
