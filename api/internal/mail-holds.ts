import * as commands from '../../commands/mail/mail-holds.js';
import type { System } from '../../commands/audit-log/audit.js';
import type { ApiDependencies } from '../dependencies.js';
import { text } from '../http/fields.js';
import { object, string, type Infer } from '../http/typed.js';

export const mailHoldSchema = object(
  { action: string, workspace_id: text(64), reason: text(500).trim().min(1) },
  'workspace_id',
  'reason',
);
type MailHoldBody = Infer<typeof mailHoldSchema>;

/** Returns `{workspace_id, mail_hold: {held_at, held_until, reason} | null}` as it is afterwards. */
const act =
  (change: typeof commands.holdMail) =>
  async (
    { db }: Pick<ApiDependencies, 'db'>,
    { workspace_id, reason }: MailHoldBody,
    by: System,
  ): Promise<unknown> => {
    const hold = await change(db, { workspace_id, ...by }, reason);
    const { held_at, held_until, reason: why } = hold ?? {};
    return { workspace_id, mail_hold: hold && { held_at, held_until, reason: why } };
  };

/**
 * The internal actions `hold_mail` and `release_mail`: if there are complaints about a workspace, its mail to
 * new addresses is held until it is released (docs/rules/mail.md#holds).
 */
export const holdMail = act(commands.holdMail);
export const releaseMail = act(commands.releaseMail);
