/** A template literal of a source: its text with `…` for interpolations, and whether it has none. */
export interface Template {
  index: number;
  text: string;
  isWhole: boolean;
}

/** What may precede a `/` that begins a regular expression, not a division. */
const BEFORE_REGEX = /^[(,=:[!&|?{};\n>]?$/;

/** The template literals of a TypeScript source without JSX, including nested ones. */
export function templatesIn(source: string): Template[] {
  const found: Template[] = [];
  let at = 0;

  /** Skips past the next `end` that no backslash escapes. */
  function skip(end: RegExp): void {
    for (at++; at < source.length && !end.test(source[at]!); at++) if (source[at] === '\\') at++;
    at++;
  }

  /** Reads code to the end of the source, or to the brace that ends an interpolation. */
  function code(): void {
    let before = '';
    for (let depth = 0; at < source.length;) {
      const char = source[at]!;
      if (source.startsWith('//', at)) at = (source.indexOf('\n', at) + 1 || source.length + 1) - 1;
      else if (source.startsWith('/*', at)) at = source.indexOf('*/', at) + 2;
      else if (char === '`') template();
      else if (char === "'" || char === '"') skip(char === "'" ? /'/ : /"/);
      else if (char === '/' && BEFORE_REGEX.test(before)) regex();
      else if (char === '}' && depth === 0) return;
      else {
        if (char === '{') depth++;
        if (char === '}') depth--;
        at++;
      }
      if (!/\s/.test(char)) before = char;
    }
  }

  function regex(): void {
    let isInClass = false;
    for (at++; at < source.length && source[at] !== '\n' && (isInClass || source[at] !== '/'); at++) {
      if (source[at] === '\\') at++;
      else if (source[at] === '[') isInClass = true;
      else if (source[at] === ']') isInClass = false;
    }
    at++;
  }

  function template(): void {
    const index = at++;
    let text = '';
    let isWhole = true;
    while (at < source.length && source[at] !== '`') {
      if (source.startsWith('${', at)) {
        isWhole = false;
        text += '…';
        at += 2;
        code();
        at++;
      } else {
        const length = source[at] === '\\' ? 2 : 1;
        text += source.slice(at, at + length);
        at += length;
      }
    }
    at++;
    found.push({ index, text, isWhole });
  }

  code();
  return found;
}
