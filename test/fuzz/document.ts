import { EXAMPLE_IDS } from '../../api/openapi/examples.js';

type Json = Record<string, any>;
type Ids = Record<keyof typeof EXAMPLE_IDS, string>;

/** Operations that would revoke the run's own key or end the run. */
const LEFT_OUT = ['/v1/api-keys/revoke-all', '/v1/api-keys/rotate'];

/** Fields with an id. */
const THINGS: Record<string, keyof Ids> = {
  room_id: 'room',
  resource_id: 'room',
  company_id: 'company',
  member_id: 'member',
  invoice_id: 'invoice',
  booking_id: 'booking',
};

/** An existing value or any other, with equal probability. */
const often = (value: string, schema: Json): Json => ({ anyOf: [{ const: value }, schema] });

function withThings(properties: Json, ids: Ids, slot: Json): Json {
  return Object.fromEntries(
    Object.entries<Json>(properties).map(([name, schema]) => {
      const known = THINGS[name] ? ids[THINGS[name]] : slot[name];
      if (known) return [name, often(known, schema)];
      const { properties: inner } = schema;
      return [name, inner ? { ...schema, properties: withThings(inner, ids, slot) } : schema];
    }),
  );
}

/**
 * The API document for random requests, changed so that ids and times often exist. Purely random ones would always be a 404.
 */
export function documentFor(document: Json, ids: Ids, slot: { start_at: string; end_at: string }): Json {
  const text = Object.entries(EXAMPLE_IDS).reduce(
    (all, [thing, id]) => all.replaceAll(id, ids[thing as keyof Ids]),
    JSON.stringify(document),
  );
  const own: Json = JSON.parse(text);
  for (const path of LEFT_OUT) delete own.paths[path];
  // A workspace in maintenance mode rejects everything else.
  delete own.paths['/v1/workspace'].patch.requestBody.content['application/json'].schema.properties
    .maintenance;
  for (const operation of Object.values<Json>(own.paths).flatMap((path) => Object.values<Json>(path))) {
    for (const parameter of operation.parameters ?? []) {
      const known =
        parameter.in === 'path' ? parameter.example : THINGS[parameter.name] && ids[THINGS[parameter.name]!];
      if (known) parameter.schema = often(known, parameter.schema);
    }
    const schema = operation.requestBody?.content['application/json'].schema;
    if (schema?.properties) schema.properties = withThings(schema.properties, ids, slot);
  }
  return own;
}
