import test from 'ava';
import { collectPathIds } from '../../api/openapi/operations.js';
import { isReference, type Parameter } from '../../api/openapi/open-api.js';
import { RESOURCES } from '../../api/resources/index.js';
import { document } from '../support/described-api.js';
import { documentFor } from './document.js';

test('random requests often refer to existing objects', (t) => {
  const ids = Object.fromEntries(
    Object.values(collectPathIds(RESOURCES)).map(({ name }) => [name, `the ${name}`]),
  );
  const slot = { start_at: '2026-12-01T10:00:00Z', end_at: '2026-12-01T11:00:00Z' };
  const { paths } = documentFor(document, ids, slot);
  const { room_id, start_at } =
    paths['/v1/bookings']!.post!.requestBody!.content['application/json']!.schema.properties!;
  t.deepEqual([room_id!.anyOf![0], start_at!.anyOf![0]], [{ const: 'the room' }, { const: slot.start_at }]);
  const filter = paths['/v1/bookings']!.get!.parameters!.find(
    (parameter) => !isReference(parameter) && parameter.name === 'room_id',
  );
  t.deepEqual((filter as Parameter).schema.anyOf![0], { const: 'the room' });
});

test('a time without seconds and a search in white space count as valid', (t) => {
  const { paths } = documentFor(document, {}, { start_at: '', end_at: '' });
  const parameters = paths['/v1/bookings']!.get!.parameters! as Parameter[];
  const schema = (wanted: string) => parameters.find(({ name }) => name === wanted)!.schema;
  t.is(schema('to').format, undefined);
  t.regex('2026-12-01T10:00Z', new RegExp(schema('to').pattern!));
  t.is(schema('q').maxLength, undefined);
});
