import { posix } from 'node:path';

/** The text of each file by its path from the top of the repository. */
export type Files = ReadonlyMap<string, string>;

/** A Markdown file named anywhere, with an anchor or without: `docs/rules/rooms.md#slot-grid`, `README.md`. */
const DOCUMENT = /(?<![\w/.:-])(?<path>(?:\.{1,2}\/)*[\w-][\w./-]*\.md)(?:#(?<anchor>[\w%-]+))?(?![\w/])/g;
/** A link or an image in Markdown: `[text](target "title")`. */
const LINK = /\[[^\]]*\]\((?<target>[^()\s]+)(?:\s+"[^"]*")?\)/g;
/** Ways to cite a document that is kept elsewhere: an entry of a tracker, a numbered case, a contract. */
const ELSEWHERE = /\bissue \d+\b|\(cases? \d+\)|\(contract:\s/g;
const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
const FENCE = /^\s*(```|~~~)/;

/** Lines of a Markdown text that are not in a fenced code block; those that are come as empty ones. */
function prose(text: string): string[] {
  let fenced = false;
  return text.split('\n').map((line) => {
    const isFence = FENCE.test(line);
    if (isFence) fenced = !fenced;
    return fenced || isFence ? '' : line;
  });
}

/** The anchors that GitHub gives the headings of a Markdown text, in their order; a repeated one is numbered. */
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

/** Why a target does not lead anywhere; null if it does. `paths` are the places where it may be. */
function faultOf(files: Files, paths: string[], anchor: string | undefined): string | null {
  const path = paths.find((candidate) => isThere(files, candidate));
  if (path === undefined) return 'no such file';
  if (anchor === undefined || !path.endsWith('.md')) return null;
  return anchorsOf(files.get(path)!).includes(decodeURIComponent(anchor)) ? null : 'no such heading';
}

/** A document may be cited from the top of the repository, or from where the citing file is. */
function brokenDocuments(files: Files, file: string, line: string): string[] {
  return [...line.matchAll(DOCUMENT)].flatMap(({ 0: citation, groups }) => {
    const { path, anchor } = groups as { path: string; anchor?: string };
    const here = posix.join(posix.dirname(file), path);
    const fault = faultOf(files, [posix.normalize(path), here], anchor);
    return fault ? [`${citation}: ${fault}`] : [];
  });
}

/** A link leads from where its file is. Links to other sites, and to paths of a running service, are not looked at. */
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
 * What files cite and the repository does not hold, as `file:line: citation: reason`: documents and headings named
 * anywhere, entries of trackers and the like, and the relative links of Markdown files. Files of `except` may name what
 * they like.
 */
export function brokenCitations(files: Files, except: ReadonlySet<string> = new Set()): string[] {
  return [...files].flatMap(([file, text]) => {
    if (except.has(file)) return [];
    const links = file.endsWith('.md') ? prose(text) : [];
    return text.split('\n').flatMap((line, index) => {
      // A link is looked at as a link only: its path does not count from the top.
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
