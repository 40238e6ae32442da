/** A fenced block of a Markdown text. */
export interface CodeBlock {
  /** The line of its fence, from 1. */
  line: number;
  language: string;
  /** What follows the language on the fence: the name of a file, or how its commands run. */
  note: string;
  /** Its lines, without the indentation of the fence. */
  text: string;
}

const FENCE = /^(?<indent>\s*)(?<ticks>`{3,}|~{3,})\s*(?<language>[^\s`]*)(?<note>[^`]*)$/;

/** The fenced blocks of a Markdown text, in order. */
export function listCodeBlocks(markdown: string): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  let open: { block: CodeBlock; indent: number; ticks: string } | undefined;
  for (const [index, line] of markdown.split('\n').entries()) {
    if (open && line.trim() === open.ticks) {
      blocks.push(open.block);
      open = undefined;
    } else if (open) {
      open.block.text += `${line.slice(0, open.indent).trim()}${line.slice(open.indent)}\n`;
    } else {
      const { indent, ticks, language, note } = FENCE.exec(line)?.groups ?? {};
      if (ticks === undefined) continue;
      const block = { line: index + 1, language: language!, note: note!.trim(), text: '' };
      open = { block, indent: indent!.length, ticks };
    }
  }
  return blocks;
}

/** Documents whose commands run in test/docs/commands.test.ts. */
export const IN_COMMAND_TEST = /^(README\.md|docs\/guides\/[\w-]+\.md)$/;

export const isShell = ({ language }: CodeBlock): boolean =>
  ['sh', 'bash', 'shell', 'zsh', 'console'].includes(language);

/** Why the commands of a block do not run in the test: `sh no-run: needs a cluster`. */
export const reasonNotToRun = ({ note }: CodeBlock): string | undefined => /^no-run: (.+)$/.exec(note)?.[1];
