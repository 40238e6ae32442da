import test from 'ava';
import { WebSession } from '../../support/web-session.js';
import { markAccepted } from '../../../commands/members/accept-membership.js';
import { insertMember } from '../../../commands/members/members.js';
import { db } from '../../support/stack.js';
import { until } from '../../support/until.js';
import { newWorkspace, uniqueEmail, type TestWorkspace } from '../../support/workspaces.js';
import { newMember } from '../../support/people.js';
import type { AuditEntry } from '../../support/api-bodies.js';
import { NEXT_MONDAY } from '../../support/days.js';

const listEntries = async ({ api }: TestWorkspace, action: string): Promise<AuditEntry[]> =>
  (await api.get(`/v1/audit-log?action=${action}`)).body.data;
const lines = (unit_amount_minor: number) => [
  { description: 'Desk', quantity: 1, unit_amount_minor, tax_code: 'ZERO' },
];

test('what an admin does with invoices and payments is logged, once each, with actor and object', async (t) => {
  const workspace = await newWorkspace();
  const { api, id: memberId } = await newMember(workspace, { role: 'admin' });
  const [{ id: key_id }] = await db.query(`SELECT id FROM api_keys WHERE member_id = $1`, [memberId]);
  const actor = { member_id: memberId, key_id };
  const findEntry = async (action: string): Promise<AuditEntry> => {
    const entries = await listEntries(workspace, action);
    t.is(entries.length, 1, action);
    t.deepEqual(entries[0]!.actor, actor);
    return entries[0]!;
  };
  const twice = async <Path extends string>(path: Path, body: Record<string, unknown>) => {
    const headers = { 'idempotency-key': path };
    const first = await api.post(path, body, headers);
    t.true(first.status === 200 || first.status === 201, JSON.stringify(first.body));
    t.is((await api.post(path, body, headers)).status, 200);
    return first.body;
  };
  const company = (await api.post('/v1/companies', { name: 'Acme' })).body;
  const due_at = `${NEXT_MONDAY}T00:00:00Z`;
  const invoice = await twice('/v1/invoices', {
    company_id: company.id,
    currency: 'GBP',
    due_at,
    lines: lines(10_000),
  });
  const created = await findEntry('invoice.created');
  t.is(created.object, invoice.id);
  t.like(created.details, { total_minor: 10_000, currency: 'GBP', company_id: company.id });

  const paid = await twice(`/v1/invoices/${invoice.id}/mark-paid`, {
    amount_minor: 10_000,
    method: 'bank_transfer',
    reference: 'Statement 4',
  });
  const marked = await findEntry('invoice.marked_paid');
  t.is(marked.object, invoice.id);
  t.deepEqual(marked.details, {
    payment_id: paid.payment.id,
    amount_minor: 10_000,
    method: 'bank_transfer',
    reference: 'Statement 4',
  });

  const { adjustment } = await twice(`/v1/invoices/${invoice.id}/adjustments`, {
    lines: lines(-2_000),
    reason: 'Late opening',
  });
  const adjusted = await findEntry('invoice.adjusted');
  t.is(adjusted.object, invoice.id);
  t.deepEqual(adjusted.details, {
    adjustment_id: adjustment.id,
    total_minor: -2_000,
    reason: 'Late opening',
  });

  const { refund } = await twice(`/v1/payments/${paid.payment.id}/refund`, { amount_minor: 500 });
  const refunded = await findEntry('payment.refunded');
  t.is(refunded.object, paid.payment.id);
  t.like(refunded.details, { refund_id: refund.id, amount_minor: 500 });

  await api.post(`/v1/payments/${paid.payment.id}/refund`, { amount_minor: 10_000 });
  t.is((await listEntries(workspace, 'payment.refunded')).length, 1, 'a refused refund has no entry');
});

test("the erasure of a member's keys is logged, without anything that identifies the member", async (t) => {
  const workspace = await newWorkspace();
  const member = await newMember(workspace);
  const [{ id: key_id }] = await db.query(`SELECT id FROM api_keys WHERE member_id = $1`, [member.id]);
  t.is((await workspace.api.delete(`/v1/members/${member.id}`)).status, 204);
  const [entry] = await listEntries(workspace, 'api_key.revoked');
  t.is(entry!.object, key_id);
  t.is(entry!.actor.member_id, workspace.ownerId);
  t.is(entry!.details.reason, 'member_deleted');
});

test('a sign-in, an enrolment and new recovery codes are logged in every workspace where the person has accepted their membership', async (t) => {
  const email = uniqueEmail();
  const workspace = await newWorkspace({ owner_email: email });
  const second = await newWorkspace();
  const elsewhere = await newWorkspace();
  // The person may not know of this membership, and the workspace that added them learns nothing of their
  // sign-ins.
  const otherWorkspace = await newWorkspace();
  const added = await otherWorkspace.api.post('/v1/members', { email, send_invite: false });
  t.is(added.status, 201);
  const { id } = await insertMember(db.manager, {
    workspace_id: second.id,
    email,
    name: 'Mel',
    role: 'member',
    tier: 'basic',
  });
  await markAccepted(db.manager, id);
  const session = await WebSession.start(email, { accepts: false });
  await session.enrol();
  for (const action of ['session.created', 'second_factor.enrolled', 'recovery_codes.created']) {
    for (const [in_, memberId] of [
      [workspace, workspace.ownerId],
      [second, id],
    ] as const) {
      const [entry] = await until(async () => {
        const found = await listEntries(in_, action);
        return found.length > 0 && found;
      });
      t.deepEqual(entry!.actor, { member_id: memberId, key_id: null }, action);
      t.is(entry!.object, memberId);
    }
    for (const other of [elsewhere, otherWorkspace])
      t.deepEqual(await listEntries(other, action), [], 'and in no other');
  }
  const offer = `/account/memberships/${otherWorkspace.id}`;
  for (const path of [`/dashboard/${otherWorkspace.id}`, offer]) await session.get(path);
  t.deepEqual(await listEntries(otherWorkspace, 'session.created'), [], 'opening a page accepts nothing');
  t.is((await session.post(offer)).status, 302);
  t.is((await session.post(offer)).status, 302, 'once more, it leads on');
  t.is((await session.get(`/dashboard/${otherWorkspace.id}`)).status, 200);
  const entries = await listEntries(otherWorkspace, 'session.created');
  t.deepEqual(
    entries.map(({ object }) => object),
    [added.body.id],
    'the person has accepted the membership',
  );
});
