import { MockActivityEnvironment } from '@temporalio/testing';
import type { DataSource } from 'typeorm';
import {
  createMailActivities,
  sendNewMails,
  type MailDependencies,
} from '../../../activities/mail/delivery.js';
import { MailFailure, type FailedSend, type MailMessage } from '../../../activities/gateways/mail.js';
import { enqueueMail } from '../../../commands/mail/mails.js';
import { newInvite } from '../../../commands/members/invites.js';
import { insertMember } from '../../../commands/members/members.js';
import { transaction } from '../../../db/transaction.js';
import type { Room } from '../../../db/entities/rooms.js';
import { HOUR_MS } from '../../../domain/durations.js';
import { scaledMailQuotas } from '../../../domain/api-keys/limits.js';
import { reserveIn } from '../../support/scratch-database.js';
import { freeHour } from '../../support/bookings.js';

/**
 * The mail of a database with its own mail server. `scale` multiplies the limits. `refusals`: how the server
 * refuses addresses that begin with a word.
 */
export function createMail(scratch: DataSource, scale: number, refusals: Record<string, FailedSend> = {}) {
  const sent: string[] = [];
  const messages: MailMessage[] = [];
  const deps = {
    db: scratch,
    mailer: {
      send: async (message: MailMessage): Promise<void> => {
        const { to } = message;
        const [, refusal] = Object.entries(refusals).find(([word]) => to.startsWith(word)) ?? [];
        if (refusal) throw new MailFailure(refusal);
        sent.push(to);
        messages.push(message);
      },
    },
    mailQuotas: scaledMailQuotas(scale),
    inviteLinks: { linkTo: () => 'https://book.example/invite/1' },
    proofLinks: { linkTo: () => 'https://book.example/confirm/1' },
    manageLinks: { linkTo: () => 'https://book.example/manage/1' },
    payLinks: { linkTo: () => 'https://book.example/pay/1' },
    mailAddress: 'no-reply@book.example',
    publicUrl: 'https://book.example',
  } as unknown as MailDependencies;
  const { sendMails } = createMailActivities(deps);

  const sendNew = async (workspaceId: string): Promise<number> => {
    let sent = 0;
    for (const urgent of [true, false])
      sent += await sendNewMails(
        deps,
        { workspaceId, urgent },
        { signal: new AbortController().signal, warn: () => undefined },
      );
    return sent;
  };

  return {
    sent,
    /** All mail that it has accepted. */
    messages,
    /** Sends new mail as one worker. */
    sendNew,

    /**
     * Sends a workspace's due mail, as a worker and as its run. Returns the recipients that accepted it,
     * sorted by address.
     */
    async send(workspaceId: string): Promise<string[]> {
      sent.length = 0;
      // A slow worker sends only some of them in its turn.
      while ((await sendNew(workspaceId)) > 0);
      await new MockActivityEnvironment().run(sendMails, workspaceId);
      return sent.toSorted();
    },

    /**
     * Makes a public guest hold a free time on the booking page, which mails the confirmation link. Returns
     * the booking's id.
     */
    async hold(room: Room, email: string): Promise<string> {
      return transaction(scratch, async (tx) => {
        const other = {
          source: 'page',
          guest: { email, name: 'Grace' },
          confirm_until: new Date(Date.now() + HOUR_MS),
        } as const;
        const id = await reserveIn(tx, room, freeHour(), other);
        await enqueueMail(tx, { workspace_id: room.workspace_id, kind: 'booking_to_confirm', about: id! });
        return id!;
      });
    },

    /** Adds a member, by invite unless it is the owner. */
    async add(workspace_id: string, email: string, role: 'member' | 'owner' = 'member') {
      const member = { workspace_id, email, name: 'Mel', role, tier: 'basic' } as const;
      const invited = role === 'member' && ({ status: 'invited', invite: newInvite() } as const);
      return transaction(scratch, (tx) => insertMember(tx, { ...member, ...invited }));
    },
  };
}
