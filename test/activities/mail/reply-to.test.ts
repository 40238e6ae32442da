import test from 'ava';
import { layOut } from '../../../activities/mail/templates/layout.js';
import { enqueueMail } from '../../../commands/mail/mails.js';
import { markAccepted } from '../../../commands/members/accept-membership.js';
import { newInvite } from '../../../commands/members/invites.js';
import { insertMember } from '../../../commands/members/members.js';
import { findSender } from '../../../db/queries/mail/sender.js';
import { transaction } from '../../../db/transaction.js';
import { newPlace, withScratchDatabase } from '../../support/scratch-database.js';

test('replies go to the workspace’s contact once its holder has accepted a membership', async (t) => {
  await withScratchDatabase(async (scratch) => {
    const [{ workspace_id }, elsewhere] = [await newPlace(scratch), await newPlace(scratch)];
    await scratch.query(`UPDATE workspaces SET contact_email = 'Desk@Bücher.example' WHERE id = $1`, [
      workspace_id,
    ]);
    const invite = newInvite();
    const add = (workspaceId: string) =>
      transaction(scratch, (tx) =>
        insertMember(tx, {
          workspace_id: workspaceId,
          email: 'desk@xn--bcher-kva.example',
          name: 'Desk',
          role: 'member',
          tier: 'basic',
        }),
      );
    await transaction(scratch, (tx) =>
      enqueueMail(tx, { workspace_id, kind: 'member_invite', about: invite.id }),
    );
    const [{ id }] = await scratch.query(`SELECT id FROM mails WHERE about = $1`, [invite.id]);
    const replyTo = async () => {
      const [mail] = await scratch.query(
        `SELECT id, kind, about, mail_sender(mails) AS sender FROM mails WHERE id = $1`,
        [id],
      );
      const content = { id, to: 'ada@example.com', subject: 'Hello', body: 'Hello' };
      const { reply_to, text } = await layOut(content, await findSender(scratch.manager, mail!));
      t.regex(text, /Desk@Bücher\.example/, 'payers see the contact in any case');
      return reply_to;
    };
    t.is(await replyTo(), undefined);
    await markAccepted(scratch.manager, (await add(elsewhere.workspace_id)).id);
    const desk = await add(workspace_id);
    t.is(await replyTo(), undefined, 'a member who does not know of the workspace');
    await markAccepted(scratch.manager, desk.id);
    t.is(await replyTo(), 'Desk@Bücher.example');
  });
});
