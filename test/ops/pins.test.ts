import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { imagesIn, PINNED_FILES, UNPINNED, unpinnedIn } from '../../dev/lint/deployment/image.js';

const WORKFLOW = join('.github', 'workflows', 'test.yml');
const readIn =
  (folder: string) =>
  (file: string): string =>
    readFileSync(join(folder, file), 'utf8');
const unpinned = (folder: string): string[] => unpinnedIn(readIn(folder));

/** A copy of the files, and programs that replace Docker and git. `digest` makes their answers. */
function scene(t: ExecutionContext, digest: (what: string) => string) {
  const folder = mkdtempSync(join(tmpdir(), 'pins-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  for (const file of PINNED_FILES) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    cpSync(file, join(folder, file));
  }
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  const program = (name: string, lines: string[]): void => {
    writeFileSync(join(bin, name), ['#!/bin/sh', ...lines, ''].join('\n'));
    chmodSync(join(bin, name), 0o755);
  };
  const answers = imagesIn(readIn('.')).map((what) => what.replace(/@(sha256:|[0-9a-f]{40}).*/, ''));
  program('docker', [
    'case "$4" in',
    ...answers.map((what) => `${what}) echo sha256:${digest(what)};;`),
    'esac',
  ]);
  program('git', [
    `printf '${'0'.repeat(40)}\\t%s\\n' "$3"`,
    'case "$2" in',
    ...answers.map((what) => {
      const [name] = what.split('@');
      return `https://github.com/${name}) printf '${digest(name!).slice(0, 40)}\\t%s\\n' "$4";;`;
    }),
    'esac',
  ]);
  const run = () =>
    execFileSync('ops/pin.sh', [folder], {
      env: { PATH: `${bin}:${process.env.PATH}` },
      encoding: 'utf8',
      stdio: 'pipe',
    });
  return { folder, run };
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

test('ops/pin.sh pins all images, next to their tags, and replaces older pins', (t) => {
  const { folder, run } = scene(t, sha256);
  run();
  t.deepEqual(unpinned(folder), []);
  const text = readIn(folder);
  const node = `node:24-slim@sha256:${sha256('node:24-slim')}`;
  t.deepEqual(text('Dockerfile').match(/^FROM .*$/gm), [`FROM ${node} AS build`, `FROM ${node}`]);
  t.true(text('compose.yaml').includes(`    image: caddy:2@sha256:${sha256('caddy:2')}\n`));
  t.true(text('compose.yaml').includes('  image: holdfast\n'));
  t.true(text('ops/backup/cron-job.yaml').includes(`image: postgres:18@sha256:${sha256('postgres:18')}\n`));
  t.true(text(WORKFLOW).includes(`uses: actions/cache@${sha256('actions/cache').slice(0, 40)} # v4.2.4\n`));
  const before = PINNED_FILES.map(text);
  run();
  t.deepEqual(PINNED_FILES.map(text), before, 'a second run changes nothing');
});

test('ops/pin.sh pins only digests', (t) => {
  const { folder, run } = scene(t, () => 'not found');
  const error = t.throws(() => run()) as unknown as { stderr: string };
  t.regex(error.stderr, /^no digest of \S+: sha256:not found/);
  t.deepEqual(unpinned(folder), UNPINNED);
});
