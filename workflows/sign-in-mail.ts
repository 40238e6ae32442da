import { proxyActivities } from '@temporalio/workflow';
import type { Activities } from '../activities/index.js';
import { OUTSIDE_CALL } from './activity-options.js';
import type { SignInMailInput } from './contract.js';

const { sendSignInLink } = proxyActivities<Activities>(OUTSIDE_CALL);

/** Mails a person the link they asked for. Runs the same way for an address that is nobody's, and sends nothing then. */
export async function signInMail({ linkId }: SignInMailInput): Promise<void> {
  await sendSignInLink(linkId);
}
