import { continueAsNew, proxyActivities, setHandler, workflowInfo } from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';
import { OUTSIDE_CALL } from './activity-options.js';
import { Attention } from './attention.js';
import { invitesOwed, type MemberInvitesInput } from './contract.js';

const { sendInvites } = proxyActivities<Activities>(OUTSIDE_CALL);

/** Sends a workspace's invites until none is owed; whoever makes more wakes it or starts it anew. */
export async function memberInvites({ workspaceId, refused = 0 }: MemberInvitesInput): Promise<string> {
  const attention = new Attention();
  let woken = true;
  let sent = 0;
  setHandler(invitesOwed, () => {
    woken = true;
  });

  attention.waitFor('Sending invites.');
  while (woken) {
    woken = false;
    const round = await attention.keepTrying('sending invites', () => sendInvites(workspaceId));
    sent += round.sent;
    refused += round.refused;
    if (round.sent + round.refused > 0) woken = true;
    if (refused > 0) {
      const reason = `the mail server refuses ${refused} addresses; correct them and resend the invites`;
      attention.raise('some invites', reason);
    }
    if (workflowInfo().continueAsNewSuggested)
      await continueAsNew<typeof memberInvites>({ workspaceId, refused });
  }
  return `${sent} sent, ${refused} refused`;
}
