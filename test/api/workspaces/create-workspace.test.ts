import test from 'ava';
import { scaledQuotas } from '../../../domain/workspaces/quotas.js';
import { createWorkspace } from '../../../api/internal/create-workspace.js';
import type { ApiDependencies } from '../../../api/dependencies.js';
import { client } from '../../support/api-client.js';
import { mailTo } from '../../support/simulators.js';
import { db } from '../../support/stack.js';
import { until } from '../../support/until.js';
import { uniqueEmail } from '../../support/workspaces.js';

const by = { system: 'operator' } as const;

const newWorkspaceBody = () => ({
  name: 'Harbour House',
  owner_email: uniqueEmail(),
  time_zone: 'Europe/London',
  currency: 'GBP',
  accounting: true,
});

/** The dependencies of an API process whose Temporal is unavailable. */
const dependencies = (accountingSimulatorUrl: string | null): ApiDependencies =>
  ({
    db,
    hasAccounting: true,
    accountingSimulatorUrl,
    taskQueue: 'holdfast',
    log: { warn: () => undefined },
    quotas: scaledQuotas(1),
    temporal: { withDeadline: () => Promise.reject(new Error('Temporal is unavailable')) },
  }) as unknown as ApiDependencies;

test('outside of development no organisation is created, and the request is refused before anything else happens', async (t) => {
  const input = newWorkspaceBody();
  const error = await t.throwsAsync(createWorkspace(dependencies(null), input, by));
  t.like(error, { code: 'validation_failed' });
  const owners = await db.query(`SELECT FROM profiles WHERE email = $1`, [input.owner_email]);
  t.is(owners.length, 0);
});

test('the key of a workspace is returned even if no organisation could be connected', async (t) => {
  const { workspace_id, token, accounting_error } = await createWorkspace(
    dependencies('http://127.0.0.1:9'),
    newWorkspaceBody(),
    by,
  );
  t.regex(accounting_error!, /did not respond/);
  const { body } = await client(token).get('/v1/workspace');
  t.is(body.id, workspace_id);
  t.is(body.accounting.status, 'unconfigured');
});

test('the owner of a new workspace gets a mail of the service, without a made-up name', async (t) => {
  const input = { ...newWorkspaceBody(), accounting: false };
  await createWorkspace(dependencies(null), input, by);
  const [mail] = await until(async () => {
    const mails = await mailTo(input.owner_email);
    return mails.length > 0 && mails;
  });
  t.is(mail!.subject, 'Your workspace is ready (Harbour House)');
  t.regex(mail!.text, /^Hello,\s/);
  t.regex(mail!.text, /\nHoldfast\s*$/);
});
