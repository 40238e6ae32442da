import { execFile, execFileSync } from 'node:child_process';
import { existsSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { goInstall, hasGo, programCache } from '../../launcher/go-install.js';
import type { Run } from '../../launcher/part.js';
import { once } from '../../../test/support/once.js';

const run: Run = async ({ command, args, env }) => {
  await promisify(execFile)(command, args, { env });
};

/**
 * Kustomize, oasdiff, and the modules in which Kubernetes publishes its schemas, are installed with Go.
 * Without Go, rules that need them are skipped.
 */
export const canInstall = hasGo();

/** The path of a program, which is built once, in half a minute. */
const findProgram = (program: string, module: string, version: string): (() => Promise<string>) =>
  once(async () => {
    const cached = join(programCache(), `${program}-${version}`);
    if (!existsSync(cached)) renameSync(await goInstall(run, `${module}@${version}`, program), cached);
    return cached;
  });

export const findKustomize = findProgram('kustomize', 'sigs.k8s.io/kustomize/kustomize/v5', 'v5.7.1');
/** The program that compares API documents. */
export const findOasdiff = findProgram('oasdiff', 'github.com/oasdiff/oasdiff', 'v1.37.0');

/** The folder of a Go module, which is downloaded once. */
export const moduleFolder = (module: string): string =>
  JSON.parse(execFileSync('go', ['mod', 'download', '-json', module], { encoding: 'utf8' })).Dir;
