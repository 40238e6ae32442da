import test from 'ava';
import { mintToken } from '../../../api/http/tokens.js';
import { revokeAllApiKeys } from '../../../commands/api-keys/api-keys.js';
import { upsertArtifact } from '../../../commands/applications/artifacts.js';
import { deleteOauthClient, withdrawGrant } from '../../../commands/applications/clients.js';
import { findAccessToken, insertAccessToken, revokeGrant } from '../../../commands/applications/tokens.js';
import { createFeed } from '../../../commands/feeds/feeds.js';
import { signOutEverywhere } from '../../../commands/sign-in/sign-out-everywhere.js';
import { ApiKey, ApiToken } from '../../../db/entities/access.js';
import { listFeeds } from '../../../db/queries/feeds/feed.js';
import { findMembership } from '../../../db/queries/members/membership.js';
import { hashSecret, newSecret } from '../../../db/secrets.js';
import { toPrincipal } from '../../../web/ui/principal.js';
import { blockedBy } from '../../support/outages.js';
import { newMember } from '../../support/people.js';
import { db } from '../../support/stack.js';
import { until } from '../../support/until.js';
import { newWorkspace } from '../../support/workspaces.js';

type Granted = Awaited<ReturnType<typeof newGrant>>;

/** A grant that a member has given to an application, which has not exchanged its code yet. */
async function newGrant() {
  const workspace = await newWorkspace();
  const { id: member_id } = await newMember(workspace);
  const { body } = await workspace.api.post('/v1/oauth-clients', {
    name: 'Calendar friend',
    redirect_uris: ['https://app.example/callback'],
    public: true,
  });
  const { client_id } = body;
  const [{ profile_id }] = await db.query(`SELECT profile_id FROM members WHERE id = $1`, [member_id]);
  const caller = toPrincipal(profile_id, (await findMembership(db.manager, profile_id, workspace.id))!);
  const grant_id = newSecret();
  await upsertArtifact(
    db.manager,
    {
      model: 'Grant',
      id_hash: hashSecret(grant_id),
      client_id,
      grant_id: null,
      payload: { accountId: member_id, clientId: client_id },
      expires_in: 3_600,
    },
    { keep: false },
  );
  const issue = (scopes = ['calendar:read', 'calendar:write'], { record } = mintToken()) =>
    insertAccessToken(db, { record, client_id, member_id, grant_id, scopes, expires_in: 3_600 });
  return { workspace, member_id, client_id, grant_id, caller, issue };
}

const WAYS: Record<string, (granted: Granted) => Promise<unknown>> = {
  'the application is deleted': ({ caller, client_id }) => deleteOauthClient(db, caller, client_id),
  'the member withdraws it': ({ caller, member_id, grant_id }) =>
    withdrawGrant(db, caller, { member_id, oauth_grant_id: grant_id }),
  'all keys are revoked': ({ caller }) => revokeAllApiKeys(db, caller),
  'the member signs out everywhere': ({ caller }) => signOutEverywhere(db, caller.profile_id, { keys: true }),
  'the member is erased': ({ workspace, member_id }) => workspace.api.delete(`/v1/members/${member_id}`),
  'a code is used twice': ({ grant_id }) => revokeGrant(db, grant_id, 'reuse_detected'),
};

for (const [way, end] of Object.entries(WAYS)) {
  test(`a grant without a token gets none once ${way}`, async (t) => {
    const granted = await newGrant();
    await end(granted);
    t.false(await granted.issue());
  });

  test(`a token that is being issued ends with its grant when ${way}`, async (t) => {
    const granted = await newGrant();
    t.true(await granted.issue());
    const of = { oauth_grant_id: granted.grant_id };
    const { id: key_id } = await db.manager.findOneByOrFail(ApiKey, of);
    const narrower = mintToken();
    const holder = db.createQueryRunner();
    await holder.startTransaction();
    const [{ pid }] = await holder.query(`SELECT pg_backend_pid() AS pid`);
    // The second token waits for this one with the same hash, after its key is stored.
    const { hash, fingerprint, prefix } = narrower.record;
    const same = { hash, fingerprint, prefix, workspace_id: granted.workspace.id, key_id };
    await holder.manager.insert(ApiToken, { ...same, ends_at: new Date(Date.now() + 60_000) });
    const issued = granted.issue(['calendar:read'], narrower);
    const [issuing] = await until(async () => {
      const pids = await blockedBy(pid);
      return pids.length > 0 && pids;
    });
    let hasEnded = false;
    const ended = end(granted).then(() => (hasEnded = true));
    await until(async () => hasEnded || (await blockedBy(issuing!)).length > 0);
    await holder.rollbackTransaction();
    await holder.release();
    await Promise.all([issued, ended]);
    t.is(await findAccessToken(db.manager, hash), null);
    const keys = await db.manager.findBy(ApiKey, of);
    t.deepEqual(
      keys.filter(({ revoked_at }) => revoked_at === null),
      [],
    );
  });
}

test('the member’s calendar addresses stay when they withdraw a grant', async (t) => {
  const { caller, member_id, grant_id, issue } = await newGrant();
  await issue();
  const token = { idempotency: null, token_hash: hashSecret(newSecret()) };
  await createFeed(db, caller, { kind: 'member', id: member_id }, token);
  await withdrawGrant(db, caller, { member_id, oauth_grant_id: grant_id });
  const { workspace_id } = caller;
  t.is((await listFeeds(db.manager, { workspace_id, member_id, limit: 2 })).length, 1);
});
