import { closeSync, openSync, renameSync, fstatSync, writeSync } from 'node:fs';

const MAX_BYTES = 8 * 1024 * 1024;

/** The log of a child process. At `maxBytes` it is renamed to `<name>.1`, which replaces the previous one. */
export class LogFile {
  private fd: number;
  private size: number;
  private tail = '';
  private isOpen = true;

  constructor(
    readonly path: string,
    private readonly maxBytes = MAX_BYTES,
  ) {
    this.fd = openSync(path, 'a', 0o600);
    this.size = fstatSync(this.fd).size;
  }

  /** Appends synchronously, so that the last output of a crash is in the file when the crash is reported. */
  write(chunk: Buffer): void {
    if (this.size + chunk.length > this.maxBytes) this.rotate();
    writeSync(this.fd, chunk);
    this.size += chunk.length;
    this.tail = (this.tail + chunk.toString('utf8')).slice(-4000);
  }

  /** Why the program ended, as far as its output shows: the first line with an error, or the last line. */
  reason(): string {
    const lines = this.tail.trim().split('\n');
    const line = lines.find((each) => /(error|fatal|panic)\b[^:]{0,30}: *\S/i.test(each)) ?? lines.at(-1)!;
    return line.trim().replace(/\.$/, '');
  }

  /** May be called more than once. */
  close(): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    closeSync(this.fd);
  }

  private rotate(): void {
    closeSync(this.fd);
    renameSync(this.path, `${this.path}.1`);
    this.fd = openSync(this.path, 'a', 0o600);
    this.size = 0;
  }
}
