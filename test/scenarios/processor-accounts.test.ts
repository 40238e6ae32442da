import test from 'ava';
import { listAttentionItems } from '../../db/queries/workspaces/attention.js';
import { workflowIds } from '../../contract/names.js';
import { IN_A_YEAR } from '../support/days.js';
import { simulator } from '../support/simulators.js';
import { db } from '../support/stack.js';
import { until } from '../support/until.js';
import { newWorkspace } from '../support/workspaces.js';
import { temporal } from '../support/temporal.js';
import { type ProcessorEvent, event, pendingBooking, post, stored } from './webhook-calls.js';

test('an account has the processor’s current state, whatever the events about it contain', async (t) => {
  const { workspace } = await pendingBooking();
  const { accountId } = workspace;
  const status = async (): Promise<string> =>
    (await workspace.api.get('/v1/workspace')).body.processor.status;
  const says = (charges_enabled: boolean) => ({ id: accountId, object: 'account', charges_enabled });
  const readAgain = async (payload: ProcessorEvent) => {
    t.is((await post(payload)).status, 200);
    t.is((await stored(payload.id)).outcome, `reading account ${accountId}`);
    await temporal.workflow.getHandle(workflowIds.processorAccount(accountId!)).result();
  };
  // An outdated event, and one about an earlier disconnection.
  await readAgain(event({ type: 'account.updated', account: accountId, data: { object: says(false) } }));
  t.is(await status(), 'active');
  const object = { id: 'ca_1', object: 'application' };
  await readAgain(event({ type: 'account.application.deauthorized', account: accountId, data: { object } }));
  t.is(await status(), 'active');

  const told = (type: string, about: object) =>
    simulator('POST', '/_sim/event', { type, object: about, account: accountId, via: 'connect' });
  await told('account.application.deauthorized', object);
  await until(async () => (await status()) === 'revoked');
  await readAgain(event({ type: 'account.updated', account: accountId, data: { object: says(true) } }));
  t.is(await status(), 'revoked');
  await told('account.updated', says(true));
  await until(async () => (await status()) === 'active');
});

test("the processor's requirements for an account are shown in the workspace and on the operator's list until they are met", async (t) => {
  const workspace = await newWorkspace();
  const { api, id, accountId } = workspace;
  const report = (changes: object) =>
    simulator('POST', '/_sim/event', {
      type: 'account.updated',
      object: { id: accountId, object: 'account', ...changes },
      account: accountId,
      via: 'connect',
    });
  const processor = async () => (await api.get('/v1/workspace')).body.processor;
  const attention = async () =>
    (await listAttentionItems(db.manager, { workspace_id: id, limit: 10 })).map(({ kind, due_by }) => [
      kind,
      due_by && due_by.toISOString(),
    ]);
  await report({ requirements: { current_deadline: Date.parse(IN_A_YEAR) / 1_000, disabled_reason: null } });
  await until(async () => (await processor()).due_by !== null);
  t.like(await processor(), { status: 'active', due_by: IN_A_YEAR, problem: null });
  t.deepEqual(await attention(), [['account_restricted', IN_A_YEAR]]);
  await report({ payouts_enabled: false, requirements: { current_deadline: null, disabled_reason: null } });
  await until(async () => (await processor()).problem === 'payouts_disabled');
  t.like(await processor(), { status: 'active', due_by: null });
  await report({ payouts_enabled: true });
  await until(async () => (await processor()).problem === null);
  t.deepEqual(await attention(), []);
});
