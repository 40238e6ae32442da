import test from 'ava';
import { replaceCodes } from '../../../commands/sign-in/authenticators.js';
import { addPasskey } from '../../../commands/sign-in/passkeys.js';
import { resetSecondFactorByEmail } from '../../../commands/sign-in/reset-second-factor.js';
import { setSecondFactor } from '../../../commands/sign-in/second-factors.js';
import { deletePersonSessions, insertSession } from '../../../commands/sign-in/sessions.js';
import { Passkey } from '../../../db/entities/access.js';
import { hashSecret, newSecret } from '../../../db/secrets.js';
import { transaction } from '../../../db/transaction.js';
import { blockedBy } from '../../support/outages.js';
import { newMember } from '../../support/people.js';
import { db } from '../../support/stack.js';
import { until } from '../../support/until.js';
import { newWorkspace } from '../../support/workspaces.js';

/** A person with an authenticator and a session. */
async function newPerson() {
  const { id, email } = await newMember(await newWorkspace());
  const [{ profile_id }] = await db.query(`SELECT profile_id FROM members WHERE id = $1`, [id]);
  await transaction(db, (tx) => setSecondFactor(tx, profile_id, Buffer.from('secret'), 1));
  const session = { profile_id, return_to: '/account', device: 'Firefox on Linux' };
  const token = await transaction(db, (tx) => insertSession(tx, session));
  const own = { profile_id, id_hash: hashSecret(token), has_second_factor: true };
  const passkey = {
    id: newSecret(),
    profile_id,
    name: 'Laptop',
    public_key: Buffer.from('key'),
    counter: 0,
    transports: [],
    backed_up: false,
  };
  const left = async (table: string): Promise<number> =>
    (await db.query(`SELECT FROM ${table} WHERE profile_id = $1`, [profile_id])).length;
  return { email, profile_id, left, own, passkey };
}

/** A transaction that holds a lock. */
async function holding(statement: string, of: unknown) {
  const holder = db.createQueryRunner();
  await holder.startTransaction();
  await holder.query(statement, [of]);
  const [{ pid }] = await holder.query(`SELECT pg_backend_pid() AS pid`);
  const end = async () => {
    await holder.commitTransaction();
    await holder.release();
  };
  return { pid: pid as number, manager: holder.manager, end };
}

const ADDED: Record<string, (person: Awaited<ReturnType<typeof newPerson>>) => Promise<unknown>> = {
  passkeys: ({ own, passkey }) => addPasskey(db, own, passkey),
  recovery_codes: ({ own }) => replaceCodes(db, own),
};

for (const [table, add] of Object.entries(ADDED))
  test(`${table} are not added from a session that ends in the meantime`, async (t) => {
    const person = await newPerson();
    const holder = await holding(`SELECT FROM profiles WHERE id = $1 FOR UPDATE`, person.profile_id);
    await deletePersonSessions(holder.manager, person.profile_id);
    const adding = t.throwsAsync(add(person), { message: /session has ended/ });
    await until(async () => (await blockedBy(holder.pid)).length > 0);
    await holder.end();
    await adding;
    t.is(await person.left(table), 0);
  });

test('a passkey that is being added does not outlive a reset', async (t) => {
  const { email, own, passkey, left } = await newPerson();
  const present = { ...passkey, id: newSecret() };
  await db.manager.insert(Passkey, present);
  const holder = await holding(`SELECT FROM passkeys WHERE id = $1 FOR UPDATE`, present.id);
  const reset = resetSecondFactorByEmail(db, email, { system: 'operator' });
  const [resetting] = await until(async () => {
    const pids = await blockedBy(holder.pid);
    return pids.length > 0 && pids;
  });
  const adding = t.throwsAsync(addPasskey(db, own, passkey), { message: /session has ended/ });
  await until(async () => (await blockedBy(resetting!)).length > 0);
  await holder.end();
  await Promise.all([reset, adding]);
  t.is(await left('passkeys'), 0);
});
