import {
  appendFileSync,
  closeSync,
  createReadStream,
  existsSync,
  mkdirSync,
  openSync,
  renameSync,
} from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** One change of one record; `null` removes it. */
export type Write = [table: string, id: string, value: unknown];

interface Pending {
  write: Write;
  /** What the record was; `null` for a new one. */
  before: unknown;
}

/**
 * An append-only file of changes. One line is one transaction, written before the request is answered, so that a
 * process that is killed at any moment loses nothing it has told to anybody.
 */
export class Journal {
  private pending: Pending[] = [];
  private depth = 0;

  private constructor(private readonly file: number) {}

  /**
   * Replays the journal in `folder` through `apply`, then rewrites it from `snapshot` (what is worth keeping), so that
   * the file is as short as it can be at every start.
   */
  static async open(
    folder: string,
    apply: (table: string, id: string, value: unknown) => void,
    snapshot: () => Iterable<Write>,
  ): Promise<Journal> {
    mkdirSync(folder, { recursive: true });
    const path = join(folder, 'journal.jsonl');
    if (existsSync(path)) await replay(path, apply);
    const file = openSync(`${path}.new`, 'w', 0o600);
    for (const write of snapshot()) appendFileSync(file, `${JSON.stringify([write])}\n`);
    renameSync(`${path}.new`, path);
    return new Journal(file);
  }

  /** Records one change; it is on disk when the surrounding transaction ends, or at once without one. */
  record(write: Write, before: unknown): void {
    this.pending.push({ write, before });
    if (this.depth === 0) this.flush();
  }

  /** Runs `work`, which must be synchronous, and writes all its changes as one line: all of them survive or none. */
  transaction<T>(work: () => T): T {
    this.depth += 1;
    try {
      return work();
    } finally {
      this.depth -= 1;
      if (this.depth === 0) this.flush();
    }
  }

  /** Like `transaction`, but work that throws leaves nothing behind: `restore` puts back what was there before. */
  attempt<T>(work: () => T, restore: (table: string, id: string, before: unknown) => void): T {
    return this.transaction(() => {
      const start = this.pending.length;
      try {
        return work();
      } catch (error) {
        for (const { write, before } of this.pending.splice(start).reverse())
          restore(write[0], write[1], before);
        throw error;
      }
    });
  }

  /** Closes the file. */
  close(): void {
    closeSync(this.file);
  }

  private flush(): void {
    if (this.pending.length === 0) return;
    const line = `${JSON.stringify(this.pending.map(({ write }) => write))}\n`;
    this.pending = [];
    appendFileSync(this.file, line);
  }
}

async function replay(
  path: string,
  apply: (table: string, id: string, value: unknown) => void,
): Promise<void> {
  let torn = false;
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    // Only a killed process leaves half a line, and only as the last one: nobody was told of what it says.
    if (torn) throw new Error(`The journal ${path} is damaged. Remove it to start anew.`);
    const writes = parse(line);
    if (writes) for (const [table, id, value] of writes) apply(table, id, value);
    else torn = true;
  }
}

function parse(line: string): Write[] | undefined {
  try {
    return JSON.parse(line) as Write[];
  } catch {
    return undefined;
  }
}
