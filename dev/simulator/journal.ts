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

/** A change of one record; the value `null` removes it. */
export type Write = [table: string, id: string, value: unknown];

interface Pending {
  write: Write;
  /** The previous value; `null` for a new record. */
  before: unknown;
}

/**
 * An append-only file of changes. Each line is a transaction and is written before the response is sent, so that a killed
 * process loses nothing that it has responded to.
 */
export class Journal {
  private pending: Pending[] = [];
  private depth = 0;

  private constructor(private readonly file: number) {}

  /**
   * Replays the journal in `folder` through `apply`, then compacts it: rewrites it from `snapshot`.
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

  /** Records a change. It is written at the end of the transaction, or immediately outside of one. */
  record(write: Write, before: unknown): void {
    this.pending.push({ write, before });
    if (this.depth === 0) this.flush();
  }

  /** Runs synchronous `work` and writes its changes as one line, so that all of them survive a crash or none. */
  transaction<T>(work: () => T): T {
    this.depth += 1;
    try {
      return work();
    } finally {
      this.depth -= 1;
      if (this.depth === 0) this.flush();
    }
  }

  /** A `transaction` that reverts the changes through `restore` if `work` throws. */
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
    // Only a killed process leaves an incomplete line, always the last one, and its response was never sent.
    if (torn) throw new Error(`The journal ${path} is damaged. Delete it to start with empty data.`);
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
