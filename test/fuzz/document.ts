import { collectPathIds } from '../../api/openapi/operations.js';
import type { JsonSchema } from '../../api/openapi/json-schema.js';
import { isReference, type OpenApi } from '../../api/openapi/open-api.js';
import { RESOURCES } from '../../api/resources/index.js';
import type { ObjectIds } from '../support/objects.js';

/** Operations that would revoke the run's own key or end the run. */
const LEFT_OUT = ['/v1/api-keys/revoke-all', '/v1/api-keys/rotate'];

/** The resource that a field identifies: `room` for `room_id`. */
const fieldResource = (field: string): string => ALIASES[field] ?? field.replace(/_id$/, '');
const ALIASES: Record<string, string> = { resource_id: 'room' };

/** An existing value or any other, with equal probability. */
const often = (value: string, schema: JsonSchema): JsonSchema => ({ anyOf: [{ const: value }, schema] });

type Properties = Record<string, JsonSchema>;
type Slot = Record<'start_at' | 'end_at', string>;

function withObjects(properties: Properties, ids: ObjectIds, slot: Slot): Properties {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => {
      const known = (name.endsWith('_id') && ids[fieldResource(name)]) || slot[name as keyof Slot];
      if (known) return [name, often(known, schema)];
      const { properties: inner } = schema;
      return [name, inner ? { ...schema, properties: withObjects(inner, ids, slot) } : schema];
    }),
  );
}

/**
 * Requests may leave out the seconds of a time. The pattern says so; the format, which tells clients what to
 * send, would make such a time invalid.
 */
function acceptsMinutes(_: string, value: unknown): unknown {
  const schema = value as JsonSchema | null;
  if (schema?.format === 'date-time' && schema.pattern) delete schema.format;
  return value;
}

/**
 * The API document for random requests, changed so that ids and times often exist. Purely random ones
 * would always return 404.
 */
export function documentFor(document: OpenApi, ids: ObjectIds, slot: Slot): OpenApi {
  const text = Object.values(collectPathIds(RESOURCES)).reduce(
    (all, { name, example }) => all.replaceAll(example, ids[name]!),
    JSON.stringify(document),
  );
  const own = JSON.parse(text, acceptsMinutes) as OpenApi;
  for (const path of LEFT_OUT) delete own.paths[path];
  // A workspace in maintenance mode rejects everything else.
  delete own.paths['/v1/workspace']!.patch!.requestBody!.content['application/json']!.schema.properties!
    .maintenance;
  for (const operation of Object.values(own.paths).flatMap((path) => Object.values(path))) {
    for (const parameter of operation.parameters ?? []) {
      if (isReference(parameter)) continue;
      const known =
        parameter.in === 'path'
          ? parameter.example && String(parameter.example)
          : parameter.name.endsWith('_id') && ids[fieldResource(parameter.name)];
      if (known) parameter.schema = often(known, parameter.schema);
      // The service measures a search without the white space around it, which a schema cannot express.
      if (parameter.name === 'q') delete parameter.schema.maxLength;
    }
    const schema = operation.requestBody?.content['application/json']?.schema;
    if (schema?.properties) schema.properties = withObjects(schema.properties, ids, slot);
  }
  return own;
}
