import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'ava';
import type { Program } from '../../dev/launcher/part.js';
import { findTemporal } from '../../dev/launcher/temporal.js';

// Serial: the process has its own PATH.
test.serial('stacks that start together on a machine without Temporal build it once', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-programs-'));
  t.teardown(() => rmSync(folder, { recursive: true, force: true }));
  const write = (name: string, to = folder): void => {
    writeFileSync(join(to, name), '#!/bin/sh\n');
    chmodSync(join(to, name), 0o755);
  };
  write('go');
  Object.assign(process.env, { PATH: folder, XDG_CACHE_HOME: folder });
  const ran: string[] = [];
  const run = async ({ name, env }: Pick<Program, 'name' | 'env'>): Promise<void> => {
    ran.push(name);
    if (name === 'temporal-download') throw new Error('no network');
    write('temporal', env!.GOBIN);
  };
  const paths = await Promise.all([1, 2].map(() => findTemporal(() => undefined, run)));
  t.deepEqual(ran, ['temporal-download', 'go-install']);
  t.deepEqual(paths, Array(2).fill(join(folder, 'holdfast', 'temporal')));
});
