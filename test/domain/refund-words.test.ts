import test from 'ava';
import { capInWords } from '../../domain/refund-words.js';

test('the terms of a changed booking speak of what was paid before the change, not of its difference', (t) => {
  t.is(capInWords(100), null);
  t.is(capInWords(50), 'Of what was paid before the booking was changed, at most 50% is refunded.');
  t.is(capInWords(0), 'What was paid before the booking was changed is not refunded.');
});
