import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inspect, isDeepStrictEqual } from 'node:util';

/** Texts by their path from the root of the repository. */
export type Files = Readonly<Record<string, string>>;

/** A check's findings: each fault on one line that begins with `file:line: `, or with what is wrong. */
export type Faults = Iterable<string> | AsyncIterable<string>;

/** The files of a proof, or a function that returns them. */
export type Proof = Files | (() => Files);

/** A check of the sources, without a running service. */
export interface Rule {
  name: string;
  check: (tree: Tree) => Faults;
  /** Proof that the check can fail: files that break it, used in place of those of the repository. */
  refused?: Proof[];
  /** Files that don't break it. */
  accepted?: Proof[];
  /** True if what it needs is not installed. */
  isSkipped?: boolean;
}

/** Generated files, or files outside of the repository. */
const LEFT_OUT = /^(node_modules|build|\.git|\.holdfast[^/]*)$/;

function* walk(folder: string): Iterable<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (LEFT_OUT.test(entry.name)) continue;
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* walk(path);
    else if (entry.isFile()) yield path;
  }
}

/** The files that a rule reads: those of the repository, or of a proof. */
export class Tree {
  static #repository: string[] | undefined;

  /** `given`: the files of a proof. */
  constructor(readonly given?: Files) {}

  /** The matching paths; in a proof only those of its own files. */
  paths(pattern: RegExp): string[] {
    const all = this.given ? Object.keys(this.given) : (Tree.#repository ??= [...walk('.')]);
    return all.filter((path) => pattern.test(path));
  }

  /** The text of a file; the repository's if the proof has none. */
  read = (path: string): string => this.given?.[path] ?? readFileSync(path, 'utf8');

  /** True if the file or folder exists. */
  has = (path: string): boolean => path in (this.given ?? {}) || existsSync(path);

  /** The place of a text in a file: `file:line`. */
  at(path: string, text: string): string {
    const source = this.read(path);
    return formatLocation(path, source, source.indexOf(text));
  }
}

/** `file:line` of an index in the text of a file. */
export const formatLocation = (path: string, source: string, index: number): string =>
  `${path}:${source.slice(0, Math.max(index, 0)).split('\n').length}`;

/** Rejects anything that one of the patterns finds in the files with matching paths, and says why. */
export const refuse = (files: RegExp, ...refused: (readonly [pattern: RegExp, why: string])[]) =>
  function* (tree: Tree): Iterable<string> {
    for (const path of tree.paths(files)) {
      const text = tree.read(path);
      for (const [pattern, why] of refused)
        for (const { 0: found, index } of text.matchAll(pattern))
          yield `${formatLocation(path, text, index)}: ${found.replaceAll(/\s+/g, ' ')}: ${why}`;
    }
  };

/** A fault, unless the condition holds. */
export function* unless(holds: boolean, fault: string): Iterable<string> {
  if (!holds) yield fault;
}

/** The differences between two lists in any order, or between two values. */
export function* differences(where: string, found: unknown, expected: unknown): Iterable<string> {
  if (!Array.isArray(found) || !Array.isArray(expected)) {
    if (!isDeepStrictEqual(found, expected)) yield `${where}: ${text(found)} instead of ${text(expected)}`;
    return;
  }
  const [own, others] = [found, expected].map((list) => list.map(text)) as [string[], string[]];
  for (const each of others) if (!own.includes(each)) yield `${where}: ${each} is missing`;
  for (const each of own) if (!others.includes(each)) yield `${where}: ${each} is unexpected`;
  if (new Set(own).size !== own.length) yield `${where}: it has a duplicate`;
}

const text = (value: unknown): string =>
  typeof value === 'string' ? value : inspect(value, { depth: 5, breakLength: Infinity });

/** A proof: a file of the repository with an edit. */
export const edited = (path: string, from: string | RegExp, to: string) => (): Files => {
  const source = readFileSync(path, 'utf8');
  const changed = source.replace(from, to);
  if (changed === source) throw new Error(`${path}: ${from} does not occur, so it cannot be edited`);
  return { [path]: changed };
};

/** Proofs with one text each, in a file at this path. */
export const textsIn = (path: string, texts: string[]): Files[] => texts.map((each) => ({ [path]: each }));
