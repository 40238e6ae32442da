import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The tests of the processor and accounting simulators, which the service never runs with. */
const TESTS = /^test\/dev\/(processor|accounting)[\w-]*\.test\.ts$/;
const FOLDERS = ['dev', 'test/dev'];
/** Has the digest of the folders with which all tests have passed. */
const PASSED = 'node_modules/.cache/holdfast/simulators';

/** A digest of the names and contents of all files in folders. */
function digestFolders(folders: string[]): string {
  const hash = createHash('sha256');
  for (const folder of folders)
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
      if (entry.isFile()) {
        const path = join(entry.parentPath, entry.name);
        hash.update(`${path}\0`).update(readFileSync(path));
      }
  return hash.digest('hex');
}

/**
 * The simulators' tests in a full run: needed in CI, and where the folders differ from those that last
 * passed. `passed`: the file that stores the digest.
 */
export class SimulatorTests {
  readonly #digest: string;

  constructor(
    private readonly passed = PASSED,
    folders = FOLDERS,
  ) {
    this.#digest = digestFolders(folders);
  }

  /** The files, without those that need not run. */
  needed(files: string[], env = process.env): string[] {
    return env.CI || this.#last() !== this.#digest ? files : files.filter((file) => !TESTS.test(file));
  }

  /** Called when a full run has passed. */
  remember(): void {
    mkdirSync(dirname(this.passed), { recursive: true });
    writeFileSync(this.passed, this.#digest);
  }

  #last(): string | undefined {
    try {
      return readFileSync(this.passed, 'utf8');
    } catch {
      return undefined;
    }
  }
}
