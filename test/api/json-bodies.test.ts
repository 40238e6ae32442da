import test from 'ava';
import { toJsonBytes } from '../../api/http/json.js';

test('a body is its JSON in UTF-8, whatever its length', (t) => {
  for (const length of [0, 1, 1_000, 400_000, 2_000_000]) {
    const body = { data: ['é–🎉'.repeat(length)], next_cursor: null };
    t.is(toJsonBytes(body).toString(), JSON.stringify(body), `${length}`);
  }
});

test('the bytes of a body do not change when the next body is made', (t) => {
  const first = toJsonBytes({ data: 'first' });
  toJsonBytes({ data: 'other' });
  t.is(first.toString(), '{"data":"first"}');
});
