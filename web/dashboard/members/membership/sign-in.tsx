import { listPasskeys } from '../../../../commands/sign-in/passkeys.js';
import { listSessions } from '../../../../commands/sign-in/sessions.js';
import type { Tx } from '../../../../db/transaction.js';
import type { BrowserSession } from '../../../../api/http/context.js';
import { FactCard } from '../../shared/action.js';

const counted = (count: number, of: string): string => `${count} ${count === 1 ? of : `${of}s`}`;

/** How a person signs in, and where they are signed in. */
export async function signInFacts(tx: Tx, session: BrowserSession) {
  const { profile_id, id_hash, email, has_authenticator, provider } = session;
  if (provider)
    return (
      <FactCard
        of={[
          ['Email', email],
          ['Signed in', `through ${provider.name}, to this workspace only`],
        ]}
      />
    );
  const passkeys = await listPasskeys(tx, profile_id);
  const sessions = await listSessions(tx, profile_id, id_hash);
  const factors = [
    ...(has_authenticator ? ['authenticator app'] : []),
    ...(passkeys.length > 0 ? [counted(passkeys.length, 'passkey')] : []),
  ];
  return (
    <FactCard
      of={[
        ['Email', email],
        ['Two-step verification', factors.join(', ') || 'not set up: you sign in with an emailed link only'],
        [
          'Signed in',
          <>
            on {counted(sessions.length, 'device')}{' '}
            <small>
              <a href="/account">Sign-in and sessions</a>
            </small>
          </>,
        ],
      ]}
    />
  );
}
