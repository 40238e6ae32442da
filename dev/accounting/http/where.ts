import { queryInvalid } from './errors.js';

type Value = string | number | boolean | null;
type Test = (object: object) => boolean;

const TERM =
  /^\s*(?<path>[A-Za-z][\w.]*)\s*(?<operator>==|!=|>=|<=|=|>|<)\s*(?<value>"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?|true|false|null|guid\("[^"]*"\)|datetime\([\d\s,]*\))\s*(?<rest>$|(?:and\b|&&)[\s\S]+$)/i;

/**
 * Parses a `where` clause: comparisons of fields with text, numbers, `Guid("…")` and `DateTime(y,m,d)`,
 * joined by AND. All other Xero syntax is rejected.
 */
export function readWhere(where: string): Test {
  const tests: Test[] = [];
  for (let rest = where; rest;) {
    const term = TERM.exec(rest)?.groups;
    if (!term) throw queryInvalid(`The accounting simulator cannot read this where clause: ${where}`);
    tests.push(comparison(term['path']!, term['operator']!, literal(term['value']!)));
    rest = term['rest']!.replace(/^(and|&&)/i, '');
  }
  return (object) => tests.every((test) => test(object));
}

/** The value at a path such as `Contact.Name`. Dates are compared as milliseconds, and text ignores case. */
export function fieldAt(object: object, path: string): Value {
  let value: unknown = object;
  for (const name of path.split('.')) value = (value as Record<string, unknown> | null | undefined)?.[name];
  const moment = typeof value === 'string' ? /^\/Date\((-?\d+)/.exec(value)?.[1] : undefined;
  if (moment) return Number(moment);
  if (typeof value === 'string') return value.toLowerCase();
  return typeof value === 'number' || typeof value === 'boolean' ? value : null;
}

function comparison(path: string, operator: string, wanted: Value): Test {
  return (object) => {
    const value = fieldAt(object, path);
    if (operator === '==' || operator === '=') return value === wanted;
    if (operator === '!=') return value !== wanted;
    if (value === null || wanted === null) return false;
    if (operator === '>') return value > wanted;
    if (operator === '>=') return value >= wanted;
    return operator === '<' ? value < wanted : value <= wanted;
  };
}

function literal(text: string): Value {
  const lower = text.toLowerCase();
  if (lower === 'null') return null;
  if (lower === 'true' || lower === 'false') return lower === 'true';
  if (lower.startsWith('guid')) return lower.slice(6, -2);
  if (lower.startsWith('datetime')) {
    const [year = 0, month = 1, day = 1] = lower.slice(9, -1).split(',').map(Number);
    return Date.UTC(year, month - 1, day);
  }
  return text.startsWith('"') ? lower.slice(1, -1).replace(/\\(.)/g, '$1') : Number(text);
}
