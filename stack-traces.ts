import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

/** The map of a compiled file; null if it has none. */
function readMap(file: string): SourceMap | null {
  try {
    return new SourceMap(JSON.parse(readFileSync(`${fileURLToPath(file)}.map`, 'utf8')));
  } catch {
    return null;
  }
}

/** Gives the frames of stack traces their place in the source. A map is read with the first frame that needs it. */
function formatter(): (error: Error, frames: NodeJS.CallSite[]) => string {
  const maps = new Map<string, SourceMap | null>();
  const inSource = (frame: NodeJS.CallSite): string => {
    const text = String(frame);
    const file = frame.getFileName();
    const [line, column] = [frame.getLineNumber(), frame.getColumnNumber()];
    if (!file?.startsWith('file:') || !line || !column) return text;
    if (!maps.has(file)) maps.set(file, readMap(file));
    const found = maps.get(file)?.findEntry(line - 1, column - 1);
    if (!found || !('originalSource' in found)) return text;
    const source = new URL(found.originalSource, file);
    const place = `${fileURLToPath(source)}:${found.originalLine + 1}:${found.originalColumn + 1}`;
    return text.replace(`${file}:${line}:${column}`, place);
  };
  return (error, frames) =>
    [titleOf(error), ...frames.map((frame) => `    at ${inSource(frame)}`)].join('\n');
}

/** What stands above the frames. */
function titleOf(error: Error): string {
  try {
    return Error.prototype.toString.call(error);
  } catch {
    return 'Error';
  }
}

// Node's own support (`--enable-source-maps`) reads the map of every file when it is loaded, a sixth of a start.
if (!process.sourceMapsEnabled) Error.prepareStackTrace = formatter();
