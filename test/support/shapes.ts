/** A value's shape, as far as two examples of the same field share it. */
function valueKind(value: unknown): string {
  if (typeof value !== 'string') return typeof value;
  const id = /^([a-z]+)_[0-9a-hjkmnp-tv-z]{26}$/.exec(value);
  if (id) return `${id[1]}_…`;
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(value)) return 'a time';
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value)) return 'a UUID';
  return /^https?:/.test(value) ? 'a URL' : 'text';
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * How a value differs in shape from an example: fields that only one of them has, and values of other kinds.
 * Null matches any value, and lists are compared by their first entries. The content of objects at paths that
 * match `any` is not compared.
 */
export function listShapeDifferences(example: unknown, real: unknown, path: string, any: RegExp): string[] {
  if (example === null || real === null || any.test(path)) return [];
  if (Array.isArray(example) && Array.isArray(real))
    return example.length > 0 && real.length > 0
      ? listShapeDifferences(example[0], real[0], `${path}[]`, any)
      : [];
  if (isObject(example) && isObject(real))
    return [...new Set([...Object.keys(example), ...Object.keys(real)])].flatMap((field) => {
      const at = `${path}.${field}`;
      if (!(field in example)) return [`${at} is missing in the example`];
      if (!(field in real)) return [`${at} is only in the example`];
      return listShapeDifferences(example[field], real[field], at, any);
    });
  const [a, b] = [valueKind(example), valueKind(real)];
  return a === b ? [] : [`${path} is ${a} in the example, ${b} in the response`];
}
