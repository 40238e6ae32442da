import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { LaunchProblem } from './problem.js';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The browser for the page tests: CHROMIUM_PATH, an installed one, or Debian's, installed now if we are root. */
export function findChromium(): string {
  const installed = [process.env.CHROMIUM_PATH, ...PLACES].find((path) => path && existsSync(path));
  if (installed) return installed;
  if (process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0) {
    console.log('  … installing chromium for the page tests (apt-get), about a minute');
    const apt = (...args: string[]): number | null =>
      spawnSync('apt-get', ['-qq', '-y', ...args], { stdio: ['ignore', 'ignore', 'inherit'] }).status;
    if (apt('update') === 0 && apt('install', 'chromium') === 0 && existsSync(PLACES[0]!)) return PLACES[0]!;
  }
  throw new LaunchProblem('The page tests need a Chromium: install one, or set CHROMIUM_PATH to yours.');
}
