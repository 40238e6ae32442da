import test from 'ava';
import { addressKey, deliveryAddress, isCanonical } from '../../db/address.js';
import { email } from '../../api/http/fields.js';

test('all spellings of a mailbox have one key, and different mailboxes never share one', (t) => {
  for (const [one, other] of [
    ['ada@example.com', 'ADA@Example.COM'],
    ['ada@münchen.de', 'ada@MÜNCHEN.de'],
    ['ada@münchen.de', 'ada@xn--mnchen-3ya.de'],
    ['ada@github.com', 'ada@github.com.'],
    ['ada@github.com', 'ada@github。com'],
  ] as const)
    t.is(addressKey(one), addressKey(other), `${one} ${other}`);
  for (const [one, other] of [
    ['ada@github.com', 'ada@gİthub.com'],
    ['ada@github.com', 'ada@gıthub.com'],
    ['ada@strasse.de', 'ada@straße.de'],
    ['kim@example.com', 'K\u212Am@example.com'],
    ['admin@example.com', 'admİn@example.com'],
  ] as const)
    t.not(addressKey(one), addressKey(other), `${one} ${other}`);
  t.is(deliveryAddress('Ada@München.de'), 'Ada@xn--mnchen-3ya.de', 'the local part is as written');
});

test('an address without a canonical form is refused', (t) => {
  for (const address of ['jürgen@example.com', 'admİn@example.com', 'ａ@example.com']) {
    t.false(isCanonical(address), address);
    t.regex(email.validate(address).error!.message, /ASCII/, address);
  }
  for (const address of ['ada+x@münchen.de', "o'neill@example.com"])
    t.is(email.validate(address).error, undefined, address);
});
