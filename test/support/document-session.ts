import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { isShell, listCodeBlocks, reasonNotToRun, type CodeBlock } from '../../dev/lint/code-blocks.js';
import type { DevJson } from '../../dev/launcher/stack.js';
import { freePorts } from './ports.js';

const SESSION_MS = 180_000;
const PORT = /\bPORT=(\d+)\b/g;

/** A block of a document. */
export interface Step extends CodeBlock {
  /** `file:line` of its fence. */
  at: string;
}

/** The blocks of a document, but for commands that do not run. */
export const listSteps = (file: string): Step[] =>
  listCodeBlocks(readFileSync(file, 'utf8'))
    .map((block) => ({ ...block, at: `${file}:${block.line}` }))
    .filter((step) => reasonNotToRun(step) === undefined);

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
const REPORT = `trap 'echo "$STEP: $BASH_COMMAND" >&2' ERR`;

/** The lines of the script for a step. A block that is marked `fails` must fail in its last command. */
function scriptLines(step: Step, output: string): string[] {
  const begin = [`STEP=${quote(step.at)}`, `exec >${quote(output)}`];
  if (step.note !== 'fails') return [...begin, step.text];
  const mustFail = 'test $? -ne 0 || { echo "$STEP: this does not fail" >&2; exit 1; }';
  return [...begin, 'set +e; trap - ERR', step.text, mustFail, `set -e; ${REPORT}`];
}

/** Runs a script with bash in a folder. Returns its exit code, and ends what it has left running. */
function runScript(folder: string, script: string): Promise<number | null> {
  writeFileSync(join(folder, 'script'), script);
  const bash = spawn('bash', ['-eEuo', 'pipefail', 'script'], {
    cwd: folder,
    detached: true,
    stdio: 'ignore',
  });
  const end = (): void => {
    try {
      process.kill(-bash.pid!, 'SIGKILL');
    } catch {
      // Nothing is left.
    }
  };
  const timer = setTimeout(end, SESSION_MS);
  return new Promise((resolve, reject) => {
    bash.once('error', reject);
    bash.once('exit', (code) => {
      clearTimeout(timer);
      end();
      resolve(code);
    });
  });
}

/**
 * Runs the commands of a document in their order in one shell, in a folder with `.holdfast/dev.json` as `npm
 * start` writes it. Other blocks with the name of a file, such as `js receiver.mjs`, are that file. Returns
 * what is wrong: commands that fail, and responses that are not as the document shows them.
 */
export async function runDocument(steps: Step[], dev: DevJson): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-docs-'));
  const at = (name: string): string => join(folder, name);
  try {
    mkdirSync(at('.holdfast'));
    writeFileSync(at('.holdfast/dev.json'), JSON.stringify(dev));
    const path = `${dirname(process.execPath)}:${process.env.PATH}`;
    // The ports of the documents are usually free on a reader's machine; here they may be taken.
    const given = [
      ...new Set(steps.flatMap(({ text }) => [...text.matchAll(PORT)].map(([, each]) => each!))),
    ];
    const free = await freePorts(given.length);
    const lines = [`export PATH=${quote(path)}`, `exec 2>${quote(at('errors'))}`, REPORT];
    for (const [index, step] of steps.entries())
      if (isShell(step)) {
        const text = step.text.replaceAll(PORT, (_, each: string) => `PORT=${free[given.indexOf(each)]}`);
        lines.push(...scriptLines({ ...step, text }, at(`${index}.out`)));
      } else if (/^[\w-]+\.\w+$/.test(step.note)) writeFileSync(at(step.note), step.text);
    const code = await runScript(folder, lines.join('\n'));
    const output = (index: number): string => {
      try {
        return readFileSync(at(`${index}.out`), 'utf8');
      } catch {
        return '';
      }
    };
    if (code !== 0) {
      const reached = steps.findLastIndex((_, index) => output(index) !== '');
      const errors = readFileSync(at('errors'), 'utf8').trim();
      return [`exit code ${code}: ${errors}`, output(reached).slice(-2_000)];
    }
    return steps.flatMap((step, index) => {
      const shown = steps[index + 1];
      const isShown = isShell(step) && shown && ['json', 'text'].includes(shown.language);
      return isShown ? compare(shown, output(index)) : [];
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** How what commands have printed differs from the block that shows it: JSON, as the last line, or text. */
function compare({ at, language, text }: Step, output: string): string[] {
  const last = output.trim().split('\n').at(-1)!;
  if (language === 'text') return matches(text.trim(), output.trim()) ? [] : [`${at}: printed ${output}`];
  try {
    const differing = differences(JSON.parse(text), JSON.parse(last), '');
    return differing.map((difference) => `${at}: ${difference}`);
  } catch (error) {
    return [`${at}: ${String(error)} in ${last}`];
  }
}

/** Whether a text is as it is shown, where `…` stands for any. */
const matches = (shown: string, text: string): boolean =>
  new RegExp(`^${shown.replaceAll(/[^\w…]/g, '\\$&').replaceAll('…', '[^]*')}$`).test(text);

/** Where a value is not as shown. The shown value may leave out fields and later elements. */
function differences(shown: unknown, value: unknown, path: string): string[] {
  const different = [`${path} is ${JSON.stringify(value)}, not ${JSON.stringify(shown)}`];
  if (typeof shown === 'string') return typeof value === 'string' && matches(shown, value) ? [] : different;
  if (typeof shown !== 'object' || shown === null) return isDeepStrictEqual(shown, value) ? [] : different;
  if (typeof value !== 'object' || value === null || Array.isArray(shown) !== Array.isArray(value))
    return different;
  return Object.entries(shown).flatMap(([key, each]) =>
    differences(each, (value as Record<string, unknown>)[key], `${path}.${key}`),
  );
}
