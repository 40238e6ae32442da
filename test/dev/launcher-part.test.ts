import { closeSync, copyFileSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EventEmitter, once } from 'node:events';
import test from 'ava';
import { LogFile } from '../../dev/launcher/log-file.js';
import { Part } from '../../dev/launcher/part.js';

const SLEEP = '/bin/sleep';
/** On other systems a program can be run while it is written. */
const onLinux = process.platform === 'linux' ? test : test.skip;

onLinux(
  'a program whose file is being written when it starts again is started once it can be run',
  async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'holdfast-part-'));
    const command = join(folder, 'program');
    copyFileSync(SLEEP, command);
    const spawned = new EventEmitter();
    const crashes: string[] = [];
    let writer: number | undefined;
    const part = new Part(
      { name: 'program', command, args: ['60'], isReady: async () => true },
      new LogFile(join(folder, 'log')),
      {
        onSpawn: () => spawned.emit('pid'),
        onCrash: (_part, how) => {
          crashes.push(how);
          if (writer === undefined) writer = openSync(command, 'r+');
          else closeSync(writer);
        },
      },
    );
    try {
      await part.start();
      const again = once(spawned, 'pid');
      process.kill(part.pid!, 'SIGKILL');
      await again;
      t.is(crashes.length, 2);
      t.regex(crashes[0]!, /was killed by SIGKILL/);
      t.regex(crashes[1]!, /could not be run \(spawn ETXTBSY\)/);
    } finally {
      await part.stop(1_000);
      rmSync(folder, { recursive: true });
    }
  },
);
