import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programCache } from '../launcher/go-install.js';
import { TEMPORAL_MODULE } from '../launcher/temporal.js';

/*
 * `DAYS=240 npm run test:later [-- files and folders]`: `npm test` on a later date, 400 days ahead without
 * DAYS. `later.c` replaces the clock of the C library, which Go programs do not use: Temporal is built once
 * with a standard library that adds the same time.
 */
const GO = { GOTOOLCHAIN: 'go1.26.8' };
const NOW = 'sec, nsec, mono := runtimeNow()\n';
const OFFSET = `package time

import "syscall"

var faketime = func() int64 {
	value, _ := syscall.Getenv("FAKETIME")
	seconds, _ := atoi(value)
	return int64(seconds)
}()
`;

function run(command: string, args: string[], env: Record<string, string>): void {
  const { status, error } = spawnSync(command, args, { env: { ...process.env, ...env }, stdio: 'inherit' });
  if (error) throw error;
  if (status !== 0) process.exit(status ?? 1);
}

function buildTemporal(folder: string): void {
  mkdirSync(folder, { recursive: true });
  const root = execFileSync('go', ['env', 'GOROOT'], { env: { ...process.env, ...GO }, encoding: 'utf8' });
  const time = join(root.trim(), 'src/time');
  const source = readFileSync(join(time, 'time.go'), 'utf8');
  if (!source.includes(NOW)) throw new Error('time.Now of this Go reads the clock in another way');
  const files = { 'time.go': source.replace(NOW, `${NOW}\tsec += faketime\n`), 'faketime.go': OFFSET };
  const overlay = Object.entries(files).map(([name, text]) => {
    writeFileSync(join(folder, name), text);
    return [join(time, name), join(folder, name)];
  });
  writeFileSync(join(folder, 'overlay.json'), JSON.stringify({ Replace: Object.fromEntries(overlay) }));
  console.log('  … building Temporal with a later clock, about 5 minutes, once');
  run('go', ['install', '-trimpath', `-overlay=${join(folder, 'overlay.json')}`, TEMPORAL_MODULE], {
    ...GO,
    GOBIN: folder,
  });
}

const versions = [TEMPORAL_MODULE.split('@').at(-1), GO.GOTOOLCHAIN].join('-');
const folder = join(programCache(), `later-${versions}`);
if (!existsSync(join(folder, 'temporal'))) buildTemporal(folder);

// Postgres, which as root runs as another user, must be able to read the library.
const libraries = mkdtempSync(join(tmpdir(), 'holdfast-later-'));
chmodSync(libraries, 0o755);
process.on('exit', () => rmSync(libraries, { recursive: true }));
const library = join(libraries, 'later.so');
run('cc', ['-O2', '-shared', '-fPIC', '-o', library, 'dev/testing/later.c'], {});
run('npm', ['test', '--', ...process.argv.slice(2)], {
  // The first Temporal on PATH is used.
  PATH: `${folder}:${process.env.PATH}`,
  LD_PRELOAD: library,
  FAKETIME: String(Number(process.env.DAYS ?? 400) * 86_400),
});
