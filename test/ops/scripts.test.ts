import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';

/** A folder with replacements for the programs that a script calls. Each call is recorded. */
function scene(t: ExecutionContext, programs: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), 'scripts-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  const log = join(folder, 'calls');
  writeFileSync(log, '');
  for (const [name, body] of Object.entries(programs)) {
    writeFileSync(join(bin, name), `#!/bin/sh\necho "${name} $*" >>"${log}"\n${body}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  return {
    folder,
    calls: () => readFileSync(log, 'utf8').split('\n').filter(Boolean),
    run: (script: string, args: string[] = [], env: Record<string, string> = {}) =>
      spawnSync(script, args, {
        env: { PATH: `${bin}:${process.env.PATH}`, ...env },
        encoding: 'utf8',
      }),
  };
}

/** Stands for a cluster. `migrate` is how the Job of that name ends. */
const cluster = (migrate: string): string => `
case "$*" in
  "kustomize "*) echo rendered ;;
  "apply "*"--dry-run=client --output name") echo "job.batch/\${5#*=}" ;;
  "apply "*) echo "applied $5" ;;
  "--namespace holdfast get job.batch/migrate "*) echo "${migrate}" ;;
  "--namespace holdfast get job.batch/prepare "*) echo "SuccessCriteriaMet Complete" ;;
  "--namespace holdfast rollout status deployment "*) echo "successfully rolled out" ;;
  *) exit 64 ;;
esac`;
const steps = (calls: string[]): string[] =>
  calls.flatMap((call) => {
    const [, verb, selector] =
      /^kubectl (?:--namespace holdfast )?(apply|rollout) .*--selector (\S+)/.exec(call) ?? [];
    return verb && !call.includes('--dry-run') ? [`${verb} ${selector}`] : [];
  });

test('a release is applied in order: settings, migrations, deploy step, workers, API', (t) => {
  const { run, calls } = scene(t, { kubectl: cluster('Complete') });
  const { status, stdout, stderr } = run('ops/kubernetes/release.sh', ['some/folder']);
  t.is(status, 0, stderr);
  t.is(calls()[0], 'kubectl kustomize some/folder');
  t.deepEqual(steps(calls()), [
    'apply !release-step',
    'apply release-step=migrate',
    'apply release-step=prepare',
    'apply release-step=worker',
    'rollout release-step=worker',
    'apply release-step=api',
    'rollout release-step=api',
  ]);
  t.regex(stdout, /^migrate: complete$/m);
  t.regex(stdout, /^prepare: complete$/m);
});

test('a release whose migrations fail replaces no pod', (t) => {
  const { run, calls } = scene(t, { kubectl: cluster('FailureTarget Failed') });
  const { status, stderr } = run('ops/kubernetes/release.sh');
  t.is(status, 1);
  t.regex(stderr, /^migrate: failed\. The release ends here/m);
  t.deepEqual(steps(calls()), ['apply !release-step', 'apply release-step=migrate']);
});

test('each Secret is created once, with the variables of its processes, and never replaced', (t) => {
  const { folder, run } = scene(t, {
    kubectl: `
shift 2
case "$1" in
  get) test -f "$STORE/$3" ;;
  create) cat >"$STORE/$4" && echo "secret/$4 created" ;;
esac`,
  });
  const store = join(folder, 'store');
  mkdirSync(store);
  const file = join(folder, 'secrets.env');
  const values = {
    DATABASE_URL: 'postgres://service:a=b@postgres/holdfast',
    DATABASE_OWNER_URL: 'postgres://owner@postgres/holdfast',
    ENCRYPTION_KEY: 'key=',
    STRIPE_SECRET_KEY: 'sk',
    INTERNAL_TOKEN: 'token',
    STRIPE_PLATFORM_WEBHOOK_SECRET: 'platform',
    STRIPE_CONNECT_WEBHOOK_SECRET: 'connect',
    SMTP_URL: 'smtps://mail',
    TEMPORAL_API_KEY: 'of the namespace',
  };
  const write = (own: Record<string, string>) =>
    writeFileSync(
      file,
      Object.entries(own)
        .map(([name, value]) => `${name}=${value}\n`)
        .join(''),
    );
  write(values);
  const first = run('ops/kubernetes/secrets.sh', [file], { STORE: store });
  t.is(first.status, 0, first.stderr);
  const stored = () =>
    Object.fromEntries(readdirSync(store).map((name) => [name, readFileSync(join(store, name), 'utf8')]));
  const created = stored();
  t.deepEqual(created, {
    holdfast: 'ENCRYPTION_KEY=key=\n',
    'holdfast-api':
      'INTERNAL_TOKEN=token\nSTRIPE_PLATFORM_WEBHOOK_SECRET=platform\n' +
      'STRIPE_CONNECT_WEBHOOK_SECRET=connect\n',
    'holdfast-database': 'DATABASE_URL=postgres://service:a=b@postgres/holdfast\n',
    'holdfast-owner': 'DATABASE_OWNER_URL=postgres://owner@postgres/holdfast\n',
    'holdfast-stripe': 'STRIPE_SECRET_KEY=sk\n',
    'holdfast-temporal': 'of the namespace',
    'holdfast-worker': 'SMTP_URL=smtps://mail\n',
  });
  write({ ...values, ENCRYPTION_KEY: 'another' });
  const again = run('ops/kubernetes/secrets.sh', [file], { STORE: store });
  t.is(again.status, 0);
  t.regex(again.stdout, /^secret\/holdfast exists: not changed$/m);
  t.deepEqual(stored(), created);
  const { SMTP_URL: _, ...others } = values;
  write(others);
  rmSync(join(store, 'holdfast-worker'));
  const lacking = run('ops/kubernetes/secrets.sh', [file], { STORE: store });
  t.is(lacking.status, 1);
  t.regex(lacking.stderr, /has no SMTP_URL$/m);
  t.false(existsSync(join(store, 'holdfast-worker')));
});

const dump = (works: string): Record<string, string> => ({
  pg_dump: `for each; do case "$each" in --file=*) echo dump >"\${each#--file=}" ;; esac; done\n${works}`,
  pg_restore: 'exit 0',
});

test('a backup keeps the latest dumps, and a failed one leaves no dump', (t) => {
  const { folder, run, calls } = scene(t, dump('exit 0'));
  const backups = join(folder, 'backups');
  mkdirSync(backups);
  for (let day = 1; day <= 9; day++) writeFileSync(join(backups, `holdfast-2026010${day}T013000Z.dump`), '');
  const env = {
    BACKUP_FOLDER: backups,
    BACKUP_KEEP: '3',
    DATABASE_OWNER_URL: 'postgres://owner@postgres/holdfast',
  };
  const { status, stdout, stderr } = run('ops/backup/backup.sh', [], env);
  t.is(status, 0, stderr);
  t.regex(stdout, /^wrote .*\/holdfast-\d{8}T\d{6}Z\.dump$/m);
  const kept = readdirSync(backups).sort();
  t.deepEqual(kept.slice(0, 2), ['holdfast-20260108T013000Z.dump', 'holdfast-20260109T013000Z.dump']);
  t.is(kept.length, 3);
  t.regex(
    calls()[0]!,
    /^pg_dump --format=custom --no-owner --no-privileges --file=\S+ postgres:\/\/owner@postgres\/holdfast$/,
  );
  // As docs/guides/restore.md says to make and to restore it.
  const guide = readFileSync('docs/guides/restore.md', 'utf8');
  t.true(guide.includes('pg_dump --format=custom --no-owner --no-privileges --file='));

  const failing = scene(t, dump('exit 1'));
  const left = failing.run('ops/backup/backup.sh', [], { ...env, BACKUP_FOLDER: backups });
  t.not(left.status, 0);
  t.deepEqual(
    readdirSync(backups)
      .filter((name) => name.endsWith('.dump'))
      .sort(),
    kept,
  );
});
