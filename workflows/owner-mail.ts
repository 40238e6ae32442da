import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';
import { OUTSIDE_CALL } from './activity-options.js';
import { Attention } from './attention.js';
import type { OwnerMailInput } from './contract.js';

const { sendOwnerMail } = proxyActivities<Activities>(OUTSIDE_CALL);

/** One mail to a workspace's owner, tried until the mail server takes it. */
export async function ownerMail({ mailId }: OwnerMailInput): Promise<void> {
  const attention = new Attention();
  attention.waitFor("Sending a mail to the workspace's owner.");
  await attention.keepTrying('sending mail', () => sendOwnerMail(mailId));
}
