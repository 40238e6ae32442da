import { execFile, execFileSync } from 'node:child_process';
import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { goInstall, hasGo, programCache } from '../../launcher/go-install.js';
import type { Run } from '../../launcher/part.js';
import { once } from '../../../test/support/once.js';

const KUSTOMIZE = { module: 'sigs.k8s.io/kustomize/kustomize/v5', version: 'v5.7.1' };
const cached = join(programCache(), `kustomize-${KUSTOMIZE.version}`);
const run: Run = async ({ command, args, env }) => {
  await promisify(execFile)(command, args, { env });
};

/**
 * Kustomize, and the modules in which Kubernetes publishes its schemas, come with Go: without it, what needs
 * them is skipped.
 */
export const canRender = hasGo();

/** The path of Kustomize, which is built once, in half a minute. */
export const findKustomize = once(async () => {
  if (!existsSync(cached))
    renameSync(await goInstall(run, `${KUSTOMIZE.module}@${KUSTOMIZE.version}`, 'kustomize'), cached);
  return cached;
});

/** The folder of a module of Go, which is downloaded once. */
export const moduleFolder = (module: string): string =>
  JSON.parse(execFileSync('go', ['mod', 'download', '-json', module], { encoding: 'utf8' })).Dir;
