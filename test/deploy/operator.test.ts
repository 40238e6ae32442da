import { execFile } from 'node:child_process';
import test from 'ava';
import { ACTIONS } from '../../api/internal/routes.js';
import { COMMANDS } from '../../deploy/operator/commands.js';
import { listEntries } from '../support/audit-log-calls.js';
import { client } from '../support/api-client.js';
import { mailTo } from '../support/simulators.js';
import { dev } from '../support/stack.js';
import { until } from '../support/until.js';
import { uniqueEmail } from '../support/workspaces.js';

const MAIN = new URL('../../deploy/operator/main.js', import.meta.url).pathname;

/** Runs `npm run operator` with arguments, against the tests' stack or with `env`. */
const operator = (args: string[], env: Record<string, string> = {}) =>
  new Promise<{ code: number; stdout: string; stderr: string }>((done) => {
    const { port } = new URL(dev.internalUrl);
    const settings = { INTERNAL_PORT: port, INTERNAL_TOKEN: dev.internalToken, ...env };
    execFile(
      process.execPath,
      [MAIN, ...args],
      { env: { PATH: process.env.PATH, ...settings }, timeout: 60_000 },
      (error, stdout, stderr) => done({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });

test('each internal action has a command with its fields', (t) => {
  const listSchemaFields = (schema: {
    describe?(): { keys: Record<string, { flags?: { presence?: string } }> };
  }) =>
    Object.entries(schema.describe!().keys)
      .filter(([name]) => name !== 'action')
      .map(([name, { flags }]) => `${name}${flags?.presence === 'required' ? '' : '?'}`)
      .toSorted();
  t.deepEqual(COMMANDS.map(({ action }) => action).toSorted(), Object.keys(ACTIONS).toSorted());
  for (const { action, flags } of COMMANDS)
    t.deepEqual(
      flags.map(({ field, required }) => `${field}${required ? '' : '?'}`).toSorted(),
      listSchemaFields(ACTIONS[action]!.schema as never),
      action,
    );
});

test('one command creates a workspace, mails its owner a way in, and is logged with who ran it', async (t) => {
  const email = uniqueEmail();
  const { code, stdout, stderr } = await operator([
    'create-workspace',
    '--name=Harbour House',
    `--owner-email=${email}`,
    '--operator=Olga Operator',
  ]);
  t.is(code, 0, stderr);
  const { workspace_id, token } = JSON.parse(stdout);
  const api = client(token);
  t.is((await api.get('/v1/workspace')).body.id, workspace_id);
  const [entry] = await listEntries(api, { action: 'workspace.created' });
  t.like(entry!.actor, { system: 'operator', operator: 'Olga Operator' });
  const [mail] = await until(async () => {
    const mails = await mailTo(email);
    return mails.length > 0 && mails;
  });
  t.regex(mail!.subject, /^Your workspace is ready/);
  t.true(mail!.text.includes(`Sign in with ${email}`));
  const response = await fetch(
    mail!.links.find((link) => link.includes('/dashboard'))!,
    { redirect: 'manual' },
  );
  t.regex(response.headers.get('location')!, /^\/sign-in\?return_to=/);
});

test('a command that cannot be run says what is missing or wrong, and exits with 1', async (t) => {
  for (const [args, env, message] of [
    [['drop-everything'], {}, /There is no command drop-everything\.[^]*create-workspace --name=/],
    [['create-workspace', '--name=Mine'], {}, /create-workspace needs --owner-email\./],
    [['create-workspace', '--colour=red'], {}, /Unknown option '--colour'/],
    [
      ['hold-mail', '--workspace-id=ws_none', '--reason=spam'],
      {},
      /No such workspace\. \(--workspace-id\)\nnot_found/,
    ],
    [['run-job', '--job=nothing'], {}, /--job/],
    [
      ['run-job', '--job=self_heal'],
      { INTERNAL_TOKEN: 'x'.repeat(16) },
      /set INTERNAL_TOKEN to that of the API/,
    ],
    [['run-job', '--job=self_heal'], { INTERNAL_PORT: '9' }, /does not respond at http:\/\/127\.0\.0\.1:9/],
    [
      ['run-job', '--job=self_heal'],
      { INTERNAL_PORT: '', HOLDFAST_HOME: '/nowhere' },
      /Set INTERNAL_PORT and INTERNAL_TOKEN/,
    ],
    // The port alone is that of an npm start.
    [
      ['run-job', '--job=self_heal'],
      { INTERNAL_TOKEN: '', HOLDFAST_HOME: '/nowhere' },
      /Set INTERNAL_PORT and INTERNAL_TOKEN/,
    ],
    [['run-job', '--job=self_heal'], { INTERNAL_TOKEN: 'short' }, /INTERNAL_TOKEN/],
  ] as const) {
    const { code, stdout, stderr } = await operator([...args], env);
    t.is(code, 1, args.join(' '));
    t.is(stdout, '');
    t.regex(stderr, message);
    t.notRegex(stderr, /\n\s+at /, 'no stack trace');
  }
  t.regex((await operator([])).stdout, /one of:[^]*reset-second-factor --email=/);
});
