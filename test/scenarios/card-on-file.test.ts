import test from 'ava';
import { newMember } from '../support/people.js';
import { CARD_YEAR } from '../support/days.js';
import { sweep } from '../support/invariants.js';
import { newInvoice, newPayer, PENDING } from '../support/payers.js';
import { anonymous } from '../support/api-client.js';
import { processorLedger, simulator, withFaults } from '../support/simulators.js';
import { db, dev } from '../support/stack.js';
import { until } from '../support/until.js';
import { newWorkspace, type TestWorkspace } from '../support/workspaces.js';
import { message } from '../support/message.js';

/** The saved cards that the processor reports as detached. */
const detachedIn = async (workspace: TestWorkspace) =>
  (await processorLedger(workspace)).events
    .filter(({ type }) => type === 'payment_method.detached')
    .map(({ object_id }) => object_id);

const listCardIds = async (workspace: TestWorkspace): Promise<string[]> =>
  (await db.query(`SELECT payment_method_id FROM cards WHERE workspace_id = $1`, [workspace.id])).map(
    ({ payment_method_id }: { payment_method_id: string }) => payment_method_id,
  );

/** Waits until no card waits to be detached. */
const untilDetached = (workspace: TestWorkspace): Promise<unknown> =>
  until(async () => {
    const rows = await db.query(`SELECT FROM removed_cards WHERE workspace_id = $1`, [workspace.id]);
    return rows.length === 0;
  });

const sessionIn = (url: string): string => /cs_[A-Za-z0-9_]+/.exec(url)![0];

test('a payer saves a card on the hosted page, and a newer card replaces it', async (t) => {
  const workspace = await newWorkspace();
  const { api } = workspace;
  const { body: company } = await api.post('/v1/companies', { name: 'Acme', payment_terms: 30 });
  t.like(company, { payment_terms: 30, credit_limit_minor: null, autopay: false, card: null });
  const early = await api.patch(`/v1/companies/${company.id}`, { autopay: true, name: 'Changed' });
  t.like(early, { status: 422, body: { error: { code: 'validation_failed', param: 'autopay' } } });
  for (const wrong of [
    { payment_terms: -1 },
    { payment_terms: 1.5 },
    { credit_limit_minor: -1 },
    { card: null },
  ])
    t.is((await api.patch(`/v1/companies/${company.id}`, wrong)).status, 422, JSON.stringify(wrong));
  t.is((await api.get(`/v1/companies/${company.id}`)).body.name, 'Acme', 'nothing was stored');

  const path = `/v1/companies/${company.id}/card-setup` as const;
  const [first, second] = [await api.post(path), await api.post(path)];
  t.is(first.status, 200);
  t.is(second.body.url, first.body.url, 'one open page per payer');
  await t.throwsAsync(
    simulator('POST', `/_sim/checkout/${sessionIn(first.body.url)}/pay`, { card: '4000000000000002' }),
    { message: /declined/ },
  );
  const { redirect_url } = await simulator('POST', `/_sim/checkout/${sessionIn(first.body.url)}/pay`, {});
  const readCard = async () => (await api.get(`/v1/companies/${company.id}`)).body.card;
  await until(readCard);
  t.deepEqual(await readCard(), { brand: 'visa', last4: '4242', exp: `${CARD_YEAR}-12` });
  const page = await anonymous('GET', redirect_url.slice(dev.baseUrl.length));
  t.true(page.body.includes(message('payer.card_saved')));
  const autopay = await api.patch(`/v1/companies/${company.id}`, {
    autopay: true,
    credit_limit_minor: 50_000,
  });
  t.like(autopay.body, { autopay: true, credit_limit_minor: 50_000, card: { last4: '4242' } });

  const { body: again } = await api.post(path);
  t.not(again.url, first.body.url);
  const [replaced] = await listCardIds(workspace);
  await simulator('POST', `/_sim/checkout/${sessionIn(again.url)}/pay`, { card: '5555555555554444' });
  await until(async () => (await readCard())!.last4 === '4444');
  await untilDetached(workspace);
  t.deepEqual(await detachedIn(workspace), [replaced]);
  const [removed] = await listCardIds(workspace);
  // Done at the processor, but its response is lost: an already detached card counts as detached.
  const lost = { method: 'POST', path: '/v1/payment_methods/*', status: 503, times: 1, after_effect: true };
  await withFaults(workspace, { fail: [lost] }, async () => {
    t.is((await api.delete(`/v1/companies/${company.id}/card`)).status, 204);
    await untilDetached(workspace);
  });
  t.deepEqual(await detachedIn(workspace), [replaced, removed]);
  t.is((await api.delete(`/v1/companies/${company.id}/card`)).status, 204);
  const { charges } = await processorLedger(workspace);
  t.deepEqual(charges, [], 'saving a card charges nothing');
});

test('members save their own card, the page finds it without webhooks, and an erasure removes it', async (t) => {
  const workspace = await newWorkspace();
  const member = await newMember(workspace);
  const colleague = await newMember(workspace);
  const path = `/v1/members/${member.id}/card-setup` as const;
  t.is((await colleague.api.post(path)).status, 403);
  t.is((await colleague.api.delete(`/v1/members/${member.id}/card`)).status, 403);
  t.is((await colleague.api.delete(`/v1/members/${colleague.id}/card`)).status, 204, 'also without a card');
  const { body: setup } = await member.api.post(path);
  await withFaults(workspace, { drop_webhooks: ['all'] }, async () => {
    const { redirect_url } = await simulator('POST', `/_sim/checkout/${sessionIn(setup.url)}/pay`, {});
    const { body } = await anonymous('GET', redirect_url.slice(dev.baseUrl.length));
    t.true(body.includes(message('payer.card_saved')), 'who comes back reads it at once');
  });
  const { body: saved } = await member.api.get(`/v1/members/${member.id}`);
  t.deepEqual(saved.card, { brand: 'visa', last4: '4242', exp: `${CARD_YEAR}-12` });
  const refused = await member.api.patch(`/v1/members/${member.id}`, { autopay: true });
  t.is(refused.status, 403, 'terms are set by who writes billing');
  t.is((await workspace.api.patch(`/v1/members/${member.id}`, { autopay: true })).status, 200);
  await until(async () => {
    const { data } = (await workspace.api.get('/v1/events?type=member.updated')).body;
    return data.length === 2;
  });
  const card = await listCardIds(workspace);
  const { body: late } = await member.api.post(path);
  t.is((await workspace.api.delete(`/v1/members/${member.id}`)).status, 204);
  t.deepEqual(await db.query(`SELECT * FROM cards WHERE member_id = $1`, [member.id]), []);
  const events = await db.query(`SELECT body FROM events WHERE object_id = $1`, [member.id]);
  t.false(JSON.stringify(events).includes('4242'));
  await until(async () => (await detachedIn(workspace)).length === 1);
  t.deepEqual(await detachedIn(workspace), card);
  // A page that was open is used after the erasure.
  await simulator('POST', `/_sim/checkout/${sessionIn(late.url)}/pay`, {});
  await until(async () => (await detachedIn(workspace)).length === 2);
  await untilDetached(workspace);
  t.deepEqual(await listCardIds(workspace), []);

  const { api } = await newWorkspace({ processor_account_id: null });
  const { body: company } = await api.post('/v1/companies', { name: 'Acme' });
  const unconfigured = await api.post(`/v1/companies/${company.id}/card-setup`);
  t.like(unconfigured, { status: 412, body: { error: { code: 'processor_unconfigured' } } });
});

test('a card that is removed while it is charged is detached as soon as the bank has accepted or refused the charge', async (t) => {
  const workspace = await newWorkspace();
  const charges = await Promise.all(
    ['succeeded', 'failed'].map(async (status) => {
      const payer = await newPayer(workspace, PENDING);
      const { id } = await newInvoice(workspace, payer.id, 0);
      await until(async () => {
        const [charge] = await db.query(`SELECT state FROM checkouts WHERE invoice_id = $1`, [id]);
        return charge?.state === 'processing';
      });
      await workspace.api.delete(`/v1/companies/${payer.id}/card`);
      return { id, status };
    }),
  );
  // Both runs have looked, and wait: until the charge ends they are notified again after minutes.
  await until(async () => {
    const runs = await db.query(`SELECT FROM removed_cards WHERE workspace_id = $1 AND notify_at > now()`, [
      workspace.id,
    ]);
    return runs.length === 2;
  });
  t.deepEqual(await detachedIn(workspace), []);
  const { payment_intents } = await processorLedger(workspace);
  for (const { id, status } of charges) {
    const { id: intent } = payment_intents.find(({ metadata }) => metadata.invoice_id === id)!;
    await simulator('POST', `/_sim/payment_intents/${intent}/settle`, { status });
    // The collection's run looks at the charge now instead of in an hour.
    await db.query(`UPDATE collections SET notify_at = now() WHERE invoice_id = $1`, [id]);
  }
  await untilDetached(workspace);
  t.is((await detachedIn(workspace)).length, 2);
  await sweep(t, workspace);
});
