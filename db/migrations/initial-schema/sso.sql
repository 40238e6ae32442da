-- The names of the sign-in pages of workspaces, former ones too, which nobody else gets.
CREATE TABLE sign_in_names (
  name text COLLATE "C" PRIMARY KEY,
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
  left_at timestamptz(3)
);
CREATE UNIQUE INDEX sign_in_names_current ON sign_in_names (workspace_id) WHERE left_at IS NULL;
COMMENT ON COLUMN sign_in_names.left_at IS 'Null for the current name of the workspace.';

-- The identity provider of a workspace, as a test has passed with it.
CREATE TABLE sso_connections (
  workspace_id text COLLATE "C" PRIMARY KEY REFERENCES workspaces,
  name text NOT NULL,
  provider jsonb NOT NULL,
  client_secret bytea,
  enabled boolean NOT NULL DEFAULT false,
  required text NOT NULL DEFAULT 'none' CHECK (required IN ('none', 'staff', 'everyone')),
  trust_second_factor boolean NOT NULL DEFAULT false,
  provision jsonb,
  tested_at timestamptz(3) NOT NULL DEFAULT now(),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  updated_at timestamptz(3) NOT NULL DEFAULT now(),
  CHECK (enabled OR required = 'none')
);

CREATE TABLE sso_candidates (
  workspace_id text COLLATE "C" PRIMARY KEY REFERENCES workspaces,
  id text COLLATE "C" NOT NULL UNIQUE,
  name text NOT NULL,
  provider jsonb NOT NULL,
  client_secret bytea,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
COMMENT ON TABLE sso_candidates IS 'Settings that take the place of a connection''s once a test has passed.';

-- The service's own key for SAML of a workspace: it decrypts assertions and signs requests.
CREATE TABLE sso_service_keys (
  workspace_id text COLLATE "C" PRIMARY KEY REFERENCES workspaces,
  key bytea NOT NULL,
  certificate text NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now()
);

-- Whom the provider's subject of a member's first login identifies.
CREATE TABLE sso_subjects (
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
  member_id text COLLATE "C" PRIMARY KEY REFERENCES members,
  subject text COLLATE "C" NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  UNIQUE (workspace_id, subject)
);

-- Logins that a browser has begun at a provider.
CREATE TABLE sso_logins (
  id text COLLATE "C" PRIMARY KEY,
  state_hash bytea NOT NULL UNIQUE,
  browser_hash bytea NOT NULL,
  workspace_id text COLLATE "C" NOT NULL REFERENCES workspaces,
  purpose text NOT NULL CHECK (purpose IN ('sign_in', 'proof', 'test')),
  session_hash bytea,
  candidate_id text COLLATE "C",
  secrets bytea NOT NULL,
  return_to text NOT NULL,
  answer bytea,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  used_at timestamptz(3)
);
CREATE INDEX sso_logins_by_age ON sso_logins (created_at);
COMMENT ON COLUMN sso_logins.answer IS
  'What the provider''s form has sent, encrypted, until the browser that began the login shows its cookie.';
