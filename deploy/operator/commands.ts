/** A flag of a command: the field of the action that it sets. */
interface Flag {
  field: string;
  /** An example of its value, for the help. Without one the flag is a switch. */
  value?: string;
  required?: true;
}

/** A command of `npm run operator`, for one action (docs/guides/operator-commands.md#internal-actions). */
export interface Command {
  action: string;
  /** A description for the help. */
  does: string;
  flags: Flag[];
}

const required = (field: string, value: string): Flag => ({ field, value, required: true });
const optional = (field: string, value: string): Flag => ({ field, value });

export const COMMANDS: Command[] = [
  {
    action: 'create_workspace',
    does: 'Creates a workspace, mails its owner how to sign in, and prints its first API key',
    flags: [
      required('name', 'Harbour House'),
      required('owner_email', 'owner@example.com'),
      optional('time_zone', 'Europe/London'),
      optional('currency', 'GBP'),
      optional('processor_account_id', 'acct_…'),
      { field: 'accounting' },
    ],
  },
  {
    action: 'verify_payment',
    does: 'Asks Stripe about a payment and settles it',
    flags: [required('payment_intent_id', 'pi_…'), optional('source', 'scheduler_self_heal')],
  },
  {
    action: 'run_job',
    does: 'Runs a scheduled job now, for one workspace or for all',
    flags: [
      required(
        'job',
        'self_heal|read_accounts|accounting_sync|subscription_invoices|member_cycle|sso_certificates|payouts',
      ),
      optional('workspace_id', 'ws_…'),
      optional('as_of', '2027-01-31'),
    ],
  },
  {
    action: 'maintenance',
    does: 'Announces maintenance of a workspace, which may start immediately',
    flags: [
      required('workspace_id', 'ws_…'),
      required('starts_at', '2027-01-31T22:00:00Z'),
      required('ends_at', '2027-01-31T23:00:00Z'),
    ],
  },
  {
    action: 'reset_second_factor',
    does: 'Removes the second factor of a person who has lost it',
    flags: [required('email', 'person@example.com')],
  },
  {
    action: 'hold_mail',
    does: 'Holds a workspace’s mail to addresses that it has not mailed before',
    flags: [required('workspace_id', 'ws_…'), required('reason', 'for the owner to read')],
  },
  {
    action: 'release_mail',
    does: 'Ends the hold of a workspace’s mail',
    flags: [required('workspace_id', 'ws_…'), required('reason', 'for the audit log')],
  },
  {
    action: 'backfill_reference',
    does: 'Repairs the accounting references of invoices',
    flags: [optional('workspace_id', 'ws_…'), { field: 'dry_run' }],
  },
];

const dashed = (name: string): string => name.replaceAll('_', '-');

/** The name of the command: `create-workspace`. */
export const commandName = ({ action }: Command): string => dashed(action);

/** `--owner-email`, without the dashes in front. */
export const flagName = ({ field }: Flag): string => dashed(field);

/** `create-workspace --name="Harbour House" …` */
export function formatUsage(command: Command): string {
  const flags = command.flags.map((flag) => {
    const { value, required } = flag;
    const written = `--${flagName(flag)}${value ? `="${value}"` : ''}`;
    return required ? written : `[${written}]`;
  });
  return [commandName(command), ...flags].join(' ');
}
