import type joi from 'joi';

/** joi's description of a schema. */
interface Described {
  type?: string;
  flags?: { only?: boolean; presence?: string };
  rules?: { name: string; args?: { limit?: unknown } }[];
  keys?: Record<string, Described>;
  items?: Described[];
}

const findLimit = ({ rules = [] }: Described): number | undefined => {
  const limit = rules.find(({ name }) => name === 'max')?.args?.limit;
  return typeof limit === 'number' ? limit : undefined;
};

/** True for free text: not an id, a time, an address or a value from a list. */
const isText = (schema: Described): boolean =>
  schema.type === 'string' &&
  !schema.flags?.only &&
  findLimit(schema) !== undefined &&
  !schema.rules?.some(({ name }) => ['pattern', 'email', 'min', 'length'].includes(name));

/** A value with texts and lists of maximum length, some of which may be refused. */
function enlarged(schema: Described, value: unknown): unknown {
  if (isText(schema) && typeof value === 'string') return 'é'.repeat(findLimit(schema)!);
  if (schema.items && Array.isArray(value) && value.length > 0) {
    const items = value.map((item) => enlarged(schema.items![0]!, item));
    return Array.from({ length: findLimit(schema) ?? items.length }, (_, n) => items[n % items.length]);
  }
  if (schema.keys && typeof value === 'object' && value !== null)
    return Object.fromEntries([
      ...Object.entries(value).map(([name, each]) => [name, enlarged(schema.keys![name] ?? {}, each)]),
      ...Object.entries(schema.keys)
        .filter(([name, each]) => !(name in value) && isText(each))
        .map(([name, each]) => [name, enlarged(each, '')]),
    ]);
  return value;
}

/** The query with the largest page. */
export const worstQuery = (schema: joi.Schema | undefined): Record<string, string> => {
  const { limit } = (schema?.describe() as Described | undefined)?.keys ?? {};
  return limit ? { limit: String(findLimit(limit)) } : {};
};

/**
 * The bodies of a request from the worst to the example: in each, the fields refused in the previous response
 * have the example's value.
 */
export function* worstBodies(
  schema: joi.Schema,
  example: object,
): Generator<Record<string, unknown>, void, string[]> {
  const body = enlarged(schema.describe() as Described, example) as Record<string, unknown>;
  for (let tries = 0; tries < 4; tries++) {
    const refused = yield body;
    for (const param of refused) {
      const [name] = param.split(/[.[]/) as [string];
      if (name in example) body[name] = (example as Record<string, unknown>)[name];
      else delete body[name];
    }
  }
  yield { ...example };
}
