import { randomBytes } from 'node:crypto';
import test from 'ava';
import { createEncryption } from '../../db/encryption.js';
import { newId } from '../../db/ids.js';
import { createManageLinks } from '../../db/manage-links.js';
import { createInviteLinks, createPayLinks, createReturnSecrets } from '../../db/signed-links.js';

const encryption = createEncryption(randomBytes(32).toString('base64'));
const URL = 'https://example.com';
const manage = createManageLinks(encryption, URL);
const booking = { id: newId('bk'), manage_link_version: 1 };
const pay = createPayLinks(encryption, URL);
const invoice = { id: newId('inv'), pay_link_version: 1 };

const KINDS: Record<string, { link: string; accepts(token: string): boolean }> = {
  pay: {
    link: pay.linkTo(invoice),
    accepts: (token) => pay.idIn(token) === invoice.id && pay.isValid(token, invoice),
  },
  invite: {
    link: createInviteLinks(encryption, URL).linkTo(newId('ivt')),
    accepts: (token) => createInviteLinks(encryption, URL).read(token) !== null,
  },
  manage: {
    link: manage.linkTo(booking)!,
    accepts: (token) => manage.idIn(token) === booking.id && manage.isValid(token, booking),
  },
};

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Other texts that decode to the bytes of a signature, and some that do not. */
function otherSpellings(signature: string): string[] {
  // The last character has two bits that no byte uses.
  const last = ALPHABET.indexOf(signature.at(-1)!);
  const sameBytes = [1, 2, 3].map((bits) => signature.slice(0, -1) + ALPHABET[last ^ bits]);
  const base64 = `${signature.replaceAll('-', '+').replaceAll('_', '/')}=`;
  const decorated = ['=', ' ', '\n', '%', 'A', '.', '.x'].map((more) => signature + more);
  return [
    ...sameBytes,
    base64,
    ...decorated,
    ` ${signature}`,
    `${signature.slice(0, 9)} ${signature.slice(9)}`,
    '',
  ];
}

for (const [kind, { link, accepts }] of Object.entries(KINDS))
  test(`a ${kind} link has only one spelling`, (t) => {
    const token = link.split('/').at(-1)!;
    const [id, signature] = token.split('.') as [string, string];
    t.true(accepts(token));
    for (const other of otherSpellings(signature)) t.false(accepts(`${id}.${other}`), JSON.stringify(other));
    for (const other of [id.toUpperCase(), `${id} `, `.${id}`, '', `x${id}`])
      t.false(accepts(`${other}.${signature}`), other);
    for (const other of Object.keys(KINDS).filter((each) => each !== kind))
      t.false(accepts(KINDS[other]!.link.split('/').at(-1)!), `a link of the kind ${other}`);
  });

test('a new version of a link ends the earlier ones', (t) => {
  const tokenInLink = (link: string): string => link.split('/').at(-1)!;
  const next = { ...invoice, pay_link_version: 2 };
  t.false(pay.isValid(tokenInLink(pay.linkTo(invoice)), next));
  t.false(pay.isValid(tokenInLink(pay.linkTo(next)), invoice));
  t.true(pay.isValid(tokenInLink(pay.linkTo(next)), next));
  const moved = { ...booking, manage_link_version: 2 };
  t.false(manage.isValid(tokenInLink(manage.linkTo(booking)!), moved));
  t.true(manage.isValid(tokenInLink(manage.linkTo(moved)!), moved));
});

test('a return address’s secret belongs to one booking or invoice, and to the current version of its link', (t) => {
  const { returnSecret, isValid } = createReturnSecrets(encryption);
  const to = { id: booking.id, version: 1 };
  const secret = returnSecret(to)!;
  t.true(isValid(secret, to));
  for (const other of [
    { ...to, version: 2 },
    { ...to, version: null },
    { ...to, id: newId('bk') },
  ])
    t.false(isValid(secret, other), JSON.stringify(other));
  for (const other of otherSpellings(secret)) t.false(isValid(other, to), JSON.stringify(other));
  t.is(returnSecret({ ...to, version: null }), null);
  t.false(isValid('null', { ...to, version: null }));
  t.false(isValid(manage.linkTo(booking)!.split('.').at(-1)!, to), 'a link is no secret');
});

test('links of a listed key stay valid through a rotation, and those of a leaked key are refused although it still decrypts', (t) => {
  const [before, after] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')];
  const secret = createEncryption(before).encrypt('secret', 'context');
  const accepts = (keys: string): boolean[] => {
    const old = createEncryption(before);
    const now = createEncryption(keys);
    const tokenInLink = (link: string | null): string => link!.split('/').at(-1)!;
    const invite = newId('ivt');
    t.is(now.decrypt(secret, 'context'), 'secret', keys);
    return [
      createManageLinks(now, URL).isValid(tokenInLink(createManageLinks(old, URL).linkTo(booking)), booking),
      createPayLinks(now, URL).isValid(tokenInLink(createPayLinks(old, URL).linkTo(invoice)), invoice),
      createInviteLinks(now, URL).read(tokenInLink(createInviteLinks(old, URL).linkTo(invite))) === invite,
    ];
  };
  t.deepEqual(accepts(`${before},${after}`), [true, true, true]);
  t.deepEqual(accepts(`${after},${before}`), [true, true, true]);
  t.deepEqual(accepts(`${after},leaked:${before}`), [false, false, false]);
});
