import test from 'ava';
import { nameFromAddress } from '../../domain/names.js';
import { name } from '../../api/resources/shared/name.js';
import { createCompany } from '../../api/resources/companies/operations.js';
import { createMember } from '../../api/resources/members/operations.js';
import { createSchema as booking } from '../../api/resources/bookings/request.js';
import { createRoom } from '../../api/resources/rooms/operations.js';
import { createOauthClient } from '../../api/resources/applications/operations.js';
import { changeWorkspace } from '../../api/resources/workspaces/operations.js';
import { createWorkspaceSchema } from '../../api/internal/create-workspace.js';

const LURES = [
  'Your card is blocked: https://evil.example',
  'Visit WWW.evil.example',
  'Write to help@evil.example',
  'Ada\nYour invoice is overdue',
  'Ada\u2028Pay here',
  'https：／／evil.example',
  'ｗｗｗ．evil.example',
  'help＠evil.example',
  'evil.example/pay',
  'Pay at evil.example:8080',
  'evil.example?pay',
  'evil．example',
  'evil。example',
  '\u200B',
  '\u200B\u2060',
  '\u2800',
  '\u3164',
  'Ada \u202Eecalevol',
  'Ada\u200F',
  'Ada\x07',
  'Ada\x1B[31m',
  'A\u200Bda',
  'Ada \u200D',
];

test('a name is one line of at most 200 characters without an address', (t) => {
  for (const lure of [...LURES, 'x'.repeat(201), ' ']) t.truthy(name.validate(lure).error, lure);
  for (const fine of [
    'Ada Lovelace',
    'Müller & Söhne GmbH',
    'Room @ the Mill',
    'Tea: 3/4',
    "O'Neill, J. (jr.)",
    'Kids@Work GmbH',
    'Booking.com B.V.',
    'St. Mary / St. Paul',
    'می\u200Cخواهم',
    'क्\u200Dष',
    'モーニング娘。',
    'Col·legi',
  ])
    t.is(name.validate(` ${fine}\n`).value, fine);
});

test('names of persons, companies, rooms, workspaces and applications are names in every request', (t) => {
  const [lure] = LURES;
  const guest = { email: 'ada@example.com', name: lure };
  for (const [schema, body] of [
    [createCompany.body!, { name: lure }],
    [createMember.body!, { email: 'ada@example.com', name: lure }],
    [createRoom.body!, { name: lure }],
    [createOauthClient.body!, { name: lure, redirect_uris: ['https://app.example/'] }],
    [changeWorkspace.body!, { name: lure }],
    [booking, { booked_by: { guest } }],
    [createWorkspaceSchema, { action: 'create_workspace', name: lure, owner_email: 'ada@example.com' }],
  ] as const) {
    const messages = schema
      .validate(body, { abortEarly: false })
      .error?.details.map(({ message }) => message);
    t.true(
      messages?.some((message) =>
        /must be one line of visible text without a web or email address/.test(message),
      ),
    );
  }
});

test('a member without a name is shown by their address, unless it is a lure', (t) => {
  t.is(nameFromAddress('ada.lovelace@example.com'), 'ada.lovelace');
  t.is(nameFromAddress('www.evil.example@example.com'), 'Member');
});
