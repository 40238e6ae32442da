import { randomBytes } from 'node:crypto';
import test from 'ava';
import { createEncryption } from '../../db/encryption.js';
import { newId } from '../../db/ids.js';
import { createManageLinks } from '../../db/manage-links.js';
import { createInviteLinks, createPayLinks } from '../../db/signed-links.js';

const encryption = createEncryption(randomBytes(32).toString('base64'));
const URL = 'https://example.com';
const manage = createManageLinks(encryption, URL);
const booking = { id: newId('bk'), manage_link_version: 1 };

const KINDS: Record<string, { link: string; accepts(token: string): boolean }> = {
  pay: {
    link: createPayLinks(encryption, URL).linkTo(newId('inv')),
    accepts: (token) => createPayLinks(encryption, URL).read(token) !== null,
  },
  invite: {
    link: createInviteLinks(encryption, URL).linkTo(newId('ivt')),
    accepts: (token) => createInviteLinks(encryption, URL).read(token) !== null,
  },
  manage: {
    link: manage.linkTo(booking)!,
    accepts: (token) => manage.bookingIdIn(token) === booking.id && manage.isValid(token, booking),
  },
};

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Other texts that decode to the bytes of a signature, and some that do not. */
function otherSpellings(signature: string): string[] {
  // The last character has two bits that no byte needs.
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
  test(`a ${kind} link has one spelling`, (t) => {
    const token = link.split('/').at(-1)!;
    const [id, signature] = token.split('.') as [string, string];
    t.true(accepts(token));
    for (const other of otherSpellings(signature)) t.false(accepts(`${id}.${other}`), JSON.stringify(other));
    for (const other of [id.toUpperCase(), `${id} `, `.${id}`, '', `x${id}`])
      t.false(accepts(`${other}.${signature}`), other);
    for (const other of Object.keys(KINDS).filter((each) => each !== kind))
      t.false(accepts(KINDS[other]!.link.split('/').at(-1)!), `a link of the kind ${other}`);
  });
