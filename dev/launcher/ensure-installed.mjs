// Runs before packages are installed, so it uses only Node's own modules.
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`Node ${process.versions.node} is too old: install Node 20.19 or newer.`);
  process.exit(1);
}

/** npm writes this file at the end of an install. */
const MARK = 'node_modules/.package-lock.json';
const isCurrent = existsSync(MARK) && statSync(MARK).mtimeMs >= statSync('package-lock.json').mtimeMs;
if (!isCurrent) {
  console.log('Installing packages (npm ci), about a minute …');
  const { status } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    stdio: 'inherit',
  });
  if (status !== 0) {
    console.error(
      'The packages could not be installed: see the output of npm above, then run the same command again.',
    );
    process.exit(1);
  }
}
