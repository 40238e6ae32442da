import { randomBytes } from 'node:crypto';
import test from 'ava';
import { bookingBody } from '../support/bookings.js';
import { mailTo } from '../support/simulators.js';
import { until } from '../support/until.js';
import { newRoom, newWorkspace } from '../support/workspaces.js';

/** A unique local part. */
const someone = (): string => `ada-${randomBytes(4).toString('hex')}`;

test('two spellings of an international domain are one member, and a domain that only folds to another one is different', async (t) => {
  const { api } = await newWorkspace();
  const ada = someone();
  const create = (email: string) => api.post('/v1/members', { email, send_invite: true });
  const { status, body } = await create(`${ada}@München.example`);
  t.is(status, 201);
  t.is(body.email, `${ada}@München.example`, 'as it was written');
  const again = await create(`${ada.toUpperCase()}@xn--mnchen-3ya.example`);
  t.is(again.body.error.code, 'member_exists');
  t.is((await create(`${ada}@munchen.example`)).status, 201);
  t.is((await create(`${ada}@github.example`)).status, 201);
  t.is((await create(`${ada}@gİthub.example`)).status, 201);
  t.is((await create(`jürgen-${ada}@example.com`)).status, 422);
  const [mail] = await until(async () => {
    // The development mail server shows A-labels as letters.
    const mails = await mailTo(`${ada}@münchen.example`);
    return mails.length > 0 && mails;
  });
  t.regex(mail!.text, /\/invite\//, 'the invite goes to the domain that the address names');
});

test('a guest is erased under any spelling of their address, but not under a domain that only folds to it', async (t) => {
  const { api } = await newWorkspace();
  const room = await newRoom(api);
  const ada = someone();
  const book = async (email: string, day: number): Promise<void> => {
    const { start_at, end_at } = bookingBody(room.id);
    const later = (time: string) => new Date(Date.parse(time) + day * 86_400_000).toISOString();
    const times = { start_at: later(start_at), end_at: later(end_at) };
    const booked_by = { guest: { email, name: 'Ada' } };
    const { status, body } = await api.post('/v1/bookings', bookingBody(room.id, { ...times, booked_by }));
    t.is(status, 201, JSON.stringify(body));
  };
  await book(`${ada}@MÜNCHEN.example`, 1);
  await book(`${ada}@gİthub.example`, 2);
  const erase = async (email: string) => (await api.post('/v1/guests/erase', { email })).body;
  t.deepEqual(await erase(`${ada}@github.example`), { bookings: 0 });
  t.deepEqual(await erase(`${ada}@munchen.example`), { bookings: 0 });
  t.deepEqual(await erase(`${ada}@xn--mnchen-3ya.example`), { bookings: 1 });
  t.deepEqual(await erase(`${ada}@xn--github-qyd.example`), { bookings: 1 });
});
