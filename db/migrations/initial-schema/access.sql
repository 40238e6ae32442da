CREATE TABLE oauth_clients (
  id text COLLATE "C" PRIMARY KEY,
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
  name text NOT NULL,
  redirect_uris text[] NOT NULL,
  sites text[] NOT NULL DEFAULT '{}',
  secret_hash bytea,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
COMMENT ON COLUMN oauth_clients.secret_hash IS 'Null for a public client.';
COMMENT ON COLUMN oauth_clients.sites IS
  'The origins of its redirect URIs; on the loopback interface without the port.';
CREATE INDEX oauth_clients_page ON oauth_clients (workspace_id, created_at, id);
-- A browser's preflight asks for the site without naming the application.
CREATE INDEX oauth_clients_sites ON oauth_clients USING gin (sites) WHERE secret_hash IS NULL;

-- API keys and OAuth grants, so that the API has one kind of credential. For a grant, `resources` holds
-- complete scopes and `actions` is empty; a refresh that requests fewer scopes gets its own row. A revoked
-- grant keeps its row, so that no further token can be issued for it.
CREATE TABLE api_keys (
  id text COLLATE "C" PRIMARY KEY,
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
  member_id text COLLATE "C" NOT NULL REFERENCES members,
  name text NOT NULL,
  resources text[] NOT NULL,
  actions text[] NOT NULL,
  ip_allowlist cidr[] NOT NULL DEFAULT '{}',
  kind text NOT NULL DEFAULT 'secret',
  public_token text,
  origins text[] NOT NULL DEFAULT '{}',
  room_ids uuid[],
  oauth_client_id text COLLATE "C" REFERENCES oauth_clients ON DELETE SET NULL,
  oauth_grant_id text COLLATE "C",
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL,
  revoked_at timestamptz(3)
);
COMMENT ON COLUMN api_keys.kind IS
  'secret, or publishable: guests of a site book with it, and it has no rights of a member.';
COMMENT ON COLUMN api_keys.public_token IS 'The token of a publishable key, which is no secret.';
COMMENT ON COLUMN api_keys.origins IS 'Of a publishable key: the origins of the sites that may use it.';
COMMENT ON COLUMN api_keys.room_ids IS
  'Of a publishable key: the rooms to book with it; null for all that guests can book.';
CREATE INDEX api_keys_page ON api_keys (workspace_id, created_at DESC, id DESC);
CREATE INDEX api_keys_by_member ON api_keys (member_id);
CREATE INDEX api_keys_by_client ON api_keys (oauth_client_id) WHERE oauth_client_id IS NOT NULL;
CREATE UNIQUE INDEX api_keys_grant ON api_keys (oauth_grant_id, resources) WHERE oauth_grant_id IS NOT NULL;
-- A browser's preflight asks for the site without naming the key.
CREATE INDEX api_keys_origins ON api_keys USING gin (origins) WHERE kind = 'publishable';

-- Tokens are separate from keys, since a key has two while it rotates.
CREATE TABLE api_tokens (
  hash bytea PRIMARY KEY,
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
  key_id text COLLATE "C" NOT NULL REFERENCES api_keys,
  fingerprint text NOT NULL,
  prefix text NOT NULL,
  rotation_id text COLLATE "C",
  replaces bytea,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  ends_at timestamptz(3),
  last_used_at timestamptz(3),
  issuer_ids text[] COLLATE "C" NOT NULL DEFAULT '{}',
  issuer_role text CHECK (issuer_role IN ('member', 'front_desk', 'billing_contact', 'admin', 'owner')),
  granted_by text COLLATE "C",
  CONSTRAINT api_tokens_issuer_has_role CHECK ((issuer_ids = '{}') = (issuer_role IS NULL))
);
COMMENT ON COLUMN api_tokens.hash IS 'SHA-256 of the token.';
COMMENT ON COLUMN api_tokens.replaces IS 'The hash of the token that a rotation replaced with this one.';
COMMENT ON COLUMN api_tokens.ends_at IS
  'Null for the current token of a key; for the previous one, the end of its grace period.';
COMMENT ON COLUMN api_tokens.issuer_ids IS
  'Members other than the key''s own who created the token, directly or with a key that others issued.';
COMMENT ON COLUMN api_tokens.issuer_role IS 'The role that the issuers had when the token was created.';
COMMENT ON COLUMN api_tokens.granted_by IS
  'The OAuth grant whose application created the token, directly or with a key that it created.';
CREATE INDEX api_tokens_by_key ON api_tokens (key_id);
CREATE UNIQUE INDEX api_tokens_current ON api_tokens (key_id) WHERE ends_at IS NULL;
CREATE INDEX api_tokens_granted_by ON api_tokens (granted_by) WHERE granted_by IS NOT NULL;

-- The addresses under which calendar programs read the bookings of members.
CREATE TABLE feeds (
  id text COLLATE "C" PRIMARY KEY,
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
  member_id text COLLATE "C" NOT NULL UNIQUE REFERENCES members,
  key_id text COLLATE "C",
  token_hash bytea,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
COMMENT ON COLUMN feeds.id IS 'The address has it with a signature.';
COMMENT ON COLUMN feeds.key_id IS 'The API key or grant that created it; null at the dashboard.';
COMMENT ON COLUMN feeds.token_hash IS
  'SHA-256 of the token that created it; null at the dashboard.';

-- Token buckets, one for each key, workspace and address that has sent requests. Unlogged: every request
-- writes, without WAL or a flush; after a database crash all buckets are full. The fillfactor leaves room for
-- HOT updates, which touch no index.
CREATE UNLOGGED TABLE rate_limit_buckets (
  id text COLLATE "C" PRIMARY KEY,
  tokens float8 NOT NULL,
  total_tokens float8 NOT NULL DEFAULT 'Infinity'::float8,
  refilled_at timestamptz NOT NULL,
  retry_after_windows tstzrange[] NOT NULL DEFAULT '{}',
  violated_at timestamptz,
  throttled_until timestamptz
) WITH (fillfactor = 40);
COMMENT ON COLUMN rate_limit_buckets.retry_after_windows IS
  'For each 429 the period in which another request is a violation: from 250 ms on until its Retry-After.';
COMMENT ON COLUMN rate_limit_buckets.violated_at IS
  'The last violation; a second one within 10 minutes throttles.';
COMMENT ON COLUMN rate_limit_buckets.total_tokens IS
  'Of a workspace: the tokens of the bucket for all its keys and routes; tokens are those of its calendar.';

-- Authorization codes, refresh tokens, grants and authorizations in progress, by the digest of the value that
-- the client or browser holds.
CREATE TABLE oauth_artifacts (
  model text NOT NULL,
  id_hash bytea NOT NULL,
  client_id text COLLATE "C" REFERENCES oauth_clients ON DELETE CASCADE,
  grant_id text COLLATE "C",
  payload jsonb NOT NULL,
  consumed_at timestamptz(3),
  expires_at timestamptz(3) NOT NULL,
  PRIMARY KEY (model, id_hash)
);
CREATE INDEX oauth_artifacts_by_grant ON oauth_artifacts (grant_id) WHERE grant_id IS NOT NULL;
CREATE INDEX oauth_artifacts_by_expiry ON oauth_artifacts (expires_at);
CREATE INDEX oauth_artifacts_by_member ON oauth_artifacts ((payload ->> 'accountId'));

-- Sign-in belongs to a person, not to a workspace: the following rows reference a profile and are deleted
-- with it.

-- One row per requested link, even for an address without a profile, so that both take the same time and
-- count alike.
CREATE TABLE sign_in_links (
  id text COLLATE "C" PRIMARY KEY,
  email text NOT NULL,
  profile_id text COLLATE "C" REFERENCES profiles ON DELETE CASCADE,
  token_hash bytea NOT NULL UNIQUE,
  encrypted_token bytea,
  return_to text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL,
  used_at timestamptz(3)
);
COMMENT ON COLUMN sign_in_links.encrypted_token IS 'For the link in the mail; null once the mail was sent.';
CREATE INDEX sign_in_links_by_email ON sign_in_links (email, created_at);
CREATE INDEX sign_in_links_by_creation ON sign_in_links (created_at);

CREATE TABLE sessions (
  id_hash bytea PRIMARY KEY,
  handle text NOT NULL,
  device text,
  by_passkey boolean NOT NULL DEFAULT false,
  profile_id text COLLATE "C" NOT NULL REFERENCES profiles ON DELETE CASCADE,
  workspace_id text COLLATE "C",
  provider_subject text COLLATE "C",
  provider_proof_at timestamptz(3),
  second_factor_at timestamptz(3),
  pending_secret bytea,
  pending_secret_at timestamptz(3),
  return_to text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  last_seen_at timestamptz(3) NOT NULL DEFAULT now(),
  expires_at timestamptz(3) NOT NULL
);
COMMENT ON COLUMN sessions.handle IS 'Names the session on its person''s account page.';
COMMENT ON COLUMN sessions.device IS 'Family of browser and system: Firefox on Windows.';
COMMENT ON COLUMN sessions.workspace_id IS
  'The workspace whose provider the person has signed in with. The session opens no other.';
COMMENT ON COLUMN sessions.second_factor_at IS 'When a code was last entered.';
COMMENT ON COLUMN sessions.return_to IS 'The path that was requested before the person had to sign in.';
COMMENT ON COLUMN sessions.pending_secret IS
  'The secret of an authenticator that is being set up in this session, encrypted.';
CREATE INDEX sessions_by_profile ON sessions (profile_id);
CREATE INDEX sessions_by_expiry ON sessions (expires_at);

CREATE TABLE second_factors (
  profile_id text COLLATE "C" PRIMARY KEY REFERENCES profiles ON DELETE CASCADE,
  secret bytea,
  last_step bigint NOT NULL DEFAULT 0,
  failures integer NOT NULL DEFAULT 0,
  failing_since timestamptz(3),
  confirmed_at timestamptz(3),
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
COMMENT ON COLUMN second_factors.last_step IS 'The time step of the last accepted code: a code works once.';

CREATE TABLE recovery_codes (
  profile_id text COLLATE "C" NOT NULL REFERENCES profiles ON DELETE CASCADE,
  code_hash bytea NOT NULL,
  used_at timestamptz(3),
  PRIMARY KEY (profile_id, code_hash)
);

CREATE TABLE passkeys (
  id text COLLATE "C" PRIMARY KEY,
  profile_id text COLLATE "C" NOT NULL REFERENCES profiles ON DELETE CASCADE,
  name text NOT NULL,
  public_key bytea NOT NULL,
  counter bigint NOT NULL,
  transports text[] NOT NULL,
  backed_up boolean NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  last_used_at timestamptz(3)
);
COMMENT ON COLUMN passkeys.id IS 'The id of the credential, in base64url.';
COMMENT ON COLUMN passkeys.counter IS 'Of the last signature; 0 for authenticators that do not count.';
CREATE INDEX passkeys_by_profile ON passkeys (profile_id);

-- What browsers sign with a passkey.
CREATE TABLE passkey_challenges (
  digest bytea PRIMARY KEY,
  purpose text NOT NULL CHECK (purpose IN ('sign_in', 'proof', 'register')),
  session_hash bytea,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
COMMENT ON COLUMN passkey_challenges.session_hash IS 'The session that got it; null for a sign-in.';
CREATE INDEX passkey_challenges_by_time ON passkey_challenges (created_at);
