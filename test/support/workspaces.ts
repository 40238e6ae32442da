import { randomBytes } from 'node:crypto';
import type { Room } from './api-bodies.js';
import { client, internal, type ApiClient } from './api-client.js';
import { db } from './stack.js';
import { until } from './until.js';

export const uniqueEmail = (): string => `payer-${randomBytes(6).toString('hex')}@example.com`;
export const newAccount = (): string => `acct_test${randomBytes(8).toString('hex')}`;

export interface TestWorkspace {
  id: string;
  accountId: string | null;
  ownerId: string;
  api: ApiClient;
}

/**
 * Creates a workspace, so that tests do not affect each other. It is onboarded unless
 * `processor_account_id` is null.
 */
export async function newWorkspace(
  overrides: { processor_account_id?: string | null; hold_seconds?: number } & Record<string, unknown> = {},
): Promise<TestWorkspace> {
  const { hold_seconds, processor_account_id, ...rest } = overrides;
  const accountId = processor_account_id === undefined ? newAccount() : processor_account_id;
  const made = await internal('create_workspace', {
    name: 'Test house',
    owner_email: uniqueEmail(),
    ...(accountId && { processor_account_id: accountId }),
    ...rest,
  });
  if (made.status !== 200) throw new Error(`create_workspace returned ${JSON.stringify(made.body)}`);
  if (made.body.accounting_error) throw new Error(made.body.accounting_error);
  const api = client(made.body.token);
  if (hold_seconds) await api.patch('/v1/workspace', { checkout_hold_seconds: hold_seconds });
  return { id: made.body.workspace_id, accountId, ownerId: made.body.owner_member_id, api };
}

/** Waits until payments are not paused, because what happened on the account has been read again. */
export const untilRecovered = ({ api }: Pick<TestWorkspace, 'api'>): Promise<boolean> =>
  until(async () => (await api.get('/v1/workspace')).body.recovering === null);

/** Creates a room in London: £25 an hour plus 20 % tax, slots of 30 minutes, always open. */
export async function newRoom(api: ApiClient, overrides: Record<string, unknown> = {}): Promise<Room> {
  const price_per_hour = { currency: 'GBP', amount_minor: 2_500 };
  const made = await api.post('/v1/rooms', {
    name: 'Blue room',
    time_zone: 'Europe/London',
    price_per_hour,
    ...overrides,
  });
  if (made.status !== 201) throw new Error(`POST /v1/rooms returned ${JSON.stringify(made.body)}`);
  return made.body;
}

/** The address of a workspace's owner. */
export const findOwnerEmail = async (workspaceId: string, database = db): Promise<string> =>
  (
    await database.query(
      `SELECT p.email FROM members m JOIN profiles p ON p.id = m.profile_id
       WHERE m.workspace_id = $1 AND m.role = 'owner'`,
      [workspaceId],
    )
  )[0].email;
