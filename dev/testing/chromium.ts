import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { LaunchProblem } from '../launcher/problem.js';

/** The headless shell uses half the CPU time of the other builds. */
const SHELL = 'chromium-headless-shell';
const PLACES = [SHELL, 'chromium', 'chromium-browser', 'google-chrome'].map((name) => `/usr/bin/${name}`);

/**
 * The browser for the page tests: CHROMIUM_PATH, an installed one, or Debian's package, which root installs.
 */
export async function findChromium(): Promise<string> {
  const find = (): string | undefined =>
    [process.env.CHROMIUM_PATH, ...PLACES].find((path) => path && existsSync(path));
  const found = find();
  if (found) return found;
  if (process.getuid?.() === 0) {
    console.log('  … installing chromium for the page tests (apt-get), about a minute');
    if ((await apt('update')) && !(await apt('install', SHELL))) await apt('install', 'chromium');
  }
  const installed = find();
  if (installed) return installed;
  throw new LaunchProblem('The page tests need a Chromium: install one, or set CHROMIUM_PATH.');
}

/** True if apt-get exists and succeeded. */
function apt(...args: string[]): Promise<boolean> {
  const child = spawn('apt-get', ['-qq', '-y', ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
  return new Promise((resolve) => {
    child.once('error', () => resolve(false));
    child.once('close', (code) => resolve(code === 0));
  });
}
