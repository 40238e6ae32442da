import { posix } from 'node:path';

/** The text of each file by its path from the root of the repository. */
export type Files = ReadonlyMap<string, string>;

/** The name of a Markdown file, with or without an anchor: `docs/rules/rooms.md#slot-grid`, `README.md`. */
const DOCUMENT = /(?<![\w/.:-])(?<path>(?:\.{1,2}\/)*[\w-][\w./-]*\.md)(?:#(?<anchor>[\w%-]+))?(?![\w/])/g;
/** A link or an image in Markdown: `[text](target "title")`. */
const LINK = /\[[^\]]*\]\((?<target>[^()\s]+)(?:\s+"[^"]*")?\)/g;
/** Citations of documents outside the repository: an issue, a numbered case, a contract. */
const ELSEWHERE = /\bissue \d+\b|\(cases? \d+\)|\(contract:\s/g;
const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
const FENCE = /^\s*(```|~~~)/;

/** The lines of a Markdown text, with those in fenced code blocks replaced by empty ones. */
function prose(text: string): string[] {
  let fenced = false;
  return text.split('\n').map((line) => {
    const isFence = FENCE.test(line);
    if (isFence) fenced = !fenced;
    return fenced || isFence ? '' : line;
  });
}

/** The anchors that GitHub gives the headings of a Markdown text, in order; a repeated one is numbered. */
export function anchorsOf(markdown: string): string[] {
  const seen = new Map<string, number>();
  return prose(markdown).flatMap((line) => {
    const [, heading] = /^#{1,6}\s+(.*?)\s*#*$/.exec(line) ?? [];
    if (heading === undefined) return [];
    const words = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const slug = words.replace(/[^\p{L}\p{N}\s_-]/gu, '').replace(/\s/g, '-');
    const times = seen.get(slug) ?? 0;
    seen.set(slug, times + 1);
    return [times === 0 ? slug : `${slug}-${times}`];
  });
}

function isThere(files: Files, path: string): boolean {
  const folder = path.replace(/\/?$/, '/');
  return files.has(path) || path === '.' || [...files.keys()].some((file) => file.startsWith(folder));
}

/** Why a target does not exist; null if it does. `paths` are its possible paths. */
function faultOf(files: Files, paths: string[], anchor: string | undefined): string | null {
  const path = paths.find((candidate) => isThere(files, candidate));
  if (path === undefined) return 'no such file';
  if (anchor === undefined || !path.endsWith('.md')) return null;
  return anchorsOf(files.get(path)!).includes(decodeURIComponent(anchor)) ? null : 'no such heading';
}

/** A document is cited by its path from the root of the repository, or relative to the citing file. */
function brokenDocuments(files: Files, file: string, line: string): string[] {
  return [...line.matchAll(DOCUMENT)].flatMap(({ 0: citation, groups }) => {
    const { path, anchor } = groups as { path: string; anchor?: string };
    const here = posix.join(posix.dirname(file), path);
    const fault = faultOf(files, [posix.normalize(path), here], anchor);
    return fault ? [`${citation}: ${fault}`] : [];
  });
}

/** A link is relative to its file. Links to other sites and to paths of a running service are ignored. */
function brokenLinks(files: Files, file: string, line: string): string[] {
  return [...line.matchAll(LINK)].flatMap(({ groups }) => {
    const { target } = groups as { target: string };
    if (SCHEME.test(target) || target.startsWith('/')) return [];
    const [path = '', anchor] = target.split('#');
    const at = path === '' ? file : posix.join(posix.dirname(file), path);
    const fault = faultOf(files, [at], anchor);
    return fault ? [`${target}: ${fault}`] : [];
  });
}

/**
 * Citations that do not exist in the repository, as `file:line: citation: reason`: documents and headings named
 * anywhere, issues and the like, and relative links of Markdown files. Files of `except` are
 * ignored.
 */
export function brokenCitations(files: Files, except: ReadonlySet<string> = new Set()): string[] {
  return [...files].flatMap(([file, text]) => {
    if (except.has(file)) return [];
    const links = file.endsWith('.md') ? prose(text) : [];
    return text.split('\n').flatMap((line, index) => {
      // A link is checked as a link only: its path is not relative to the root.
      const outsideLinks = links[index] ? line.replace(LINK, '') : line;
      const faults = [
        ...brokenDocuments(files, file, outsideLinks),
        ...[...line.matchAll(ELSEWHERE)].map(([citation]) => `${citation}: not in the repository`),
        ...brokenLinks(files, file, links[index] ?? ''),
      ];
      return faults.map((fault) => `${file}:${index + 1}: ${fault}`);
    });
  });
}
