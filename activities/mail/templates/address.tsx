import type { AddressChangedMail } from '../../../db/queries/mail/account-mail.js';
import { ADDRESS_LINK_HOURS } from '../../../commands/members/requested-addresses.js';
import type { OpenInvite, RequestedAddress } from '../../../db/queries/members/invite.js';
import { greeting, LinkButton, Paragraphs, type MailContent } from './parts.js';

/** Writes the mail that asks a member to prove a new address (docs/rules/members.md#changes-of-address). */
export function renderAddressProofMail(mailId: string, invite: OpenInvite, link: string): MailContent {
  const { workspace_name: workspace } = invite;
  const lines = [
    greeting(invite.name, invite.email),
    `${workspace} now uses this email address for your membership. Confirm that it belongs to you:`,
  ];
  const note =
    'The link can be used once, within 7 days. If you don’t know this workspace, ignore this email.';
  return {
    id: mailId,
    to: invite.email,
    subject: `Confirm your email address for ${workspace}`,
    body: (
      <>
        <Paragraphs of={lines} />
        <LinkButton label="Confirm your email address" url={link} />
        <Paragraphs of={[note]} />
      </>
    ),
  };
}

/**
 * Writes the mail that asks for the confirmation of an address that a member has requested for themselves.
 */
export function renderNewAddressMail(mailId: string, request: RequestedAddress, link: string): MailContent {
  const { name, email, workspace_name: workspace } = request;
  const lines = [
    greeting(name, email),
    `You asked to use this email address for your membership of ${workspace}. Confirm it in the browser ` +
      'where you are signed in:',
  ];
  const note =
    `The link can be used once, within ${ADDRESS_LINK_HOURS} hours. Until then, nothing changes. If you ` +
    'didn’t request this, ignore this email.';
  return {
    id: mailId,
    to: request.new_email,
    subject: `Confirm your new email address for ${workspace}`,
    body: (
      <>
        <Paragraphs of={lines} />
        <LinkButton label="Confirm your new email address" url={link} />
        <Paragraphs of={[note]} />
      </>
    ),
  };
}

/** Writes the notice to a member's current address that a change was requested, without the new address. */
export function renderAddressRequestedMail(
  mailId: string,
  { email: to, name, workspace_name: workspace }: RequestedAddress,
  accountUrl: string,
): MailContent {
  const lines = [
    greeting(name, to),
    `Someone who is signed in as you has asked to change your email address for ${workspace}. The change ` +
      'takes effect when the new address is confirmed.',
    `If this wasn’t you, sign in at ${accountUrl} and select “Sign out everywhere”. This ` +
      'cancels the request.',
  ];
  return {
    id: mailId,
    to,
    subject: `Request to change your email address for ${workspace}`,
    body: <Paragraphs of={lines} />,
  };
}

/**
 * Writes the mail that informs the previous address of a member about the change, without the new address.
 */
export function renderAddressChangedMail({ id, to, workspace_name }: AddressChangedMail): MailContent {
  const lines = [
    'Hello,',
    `Your email address for ${workspace_name} was changed. You can no longer sign in with this address.`,
    `If you didn’t expect this, contact ${workspace_name}.`,
  ];
  return {
    id,
    to,
    subject: `Your email address for ${workspace_name} was changed`,
    body: <Paragraphs of={lines} />,
  };
}
